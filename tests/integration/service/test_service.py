"""``brain serve``: its life among crashes and signals, its client's and its own."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import psutil
import pytest

from graphs.query.retrieval.retrievers import SOURCES
from graphs.service.client import ask_service
from graphs.toolkit.request import QueryRequest
from tests.support.processes.command_line import BRAIN, environment, run, run_here
from tests.support.processes.service_process import (
    TEA_NOTES,
    ServiceProcess,
    SharedService,
    place_of,
    running_service,
    shared_service,
    tea_vault,
)
from tests.support.waiting import until

pytestmark = pytest.mark.integration

WHAT_IS_TEA = QueryRequest(question="What is tea?")


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    # No socket's path can begin with that of this data directory.
    with tea_vault(tmp_path_factory.mktemp("small"), data="long" * 40) as made:
        yield made
    shutil.rmtree(place_of(made).run_dir, ignore_errors=True)


@pytest.fixture(scope="module")
def shared(variables: dict[str, str]) -> Iterator[SharedService]:
    with shared_service(variables) as made:
        yield made


@pytest.fixture
def serving(shared: SharedService) -> ServiceProcess:
    return shared.running()


# --- it goes on --------------------------------------------------------------------------------


def test_a_long_data_directory_is_no_hindrance(
    variables: dict[str, str], serving: ServiceProcess
) -> None:
    assert not serving.socket.is_relative_to(serving.data_dir.parent)
    answer = ask_service(place_of(variables), WHAT_IS_TEA)
    assert answer is not None
    assert answer["results"]


def test_there_is_one_for_a_vault(variables: dict[str, str], serving: ServiceProcess) -> None:
    second = run("serve", environment=variables)
    assert (second.returncode, second.stdout) == (2, "")
    assert "already" in second.stderr
    assert second.stderr.count("\n") == 1
    assert serving.process.poll() is None
    assert ask_service(place_of(variables), WHAT_IS_TEA) is not None


def test_one_that_hangs_is_not_waited_for(
    variables: dict[str, str], serving: ServiceProcess
) -> None:
    os.killpg(serving.process.pid, signal.SIGSTOP)
    try:
        started = time.monotonic()
        assert ask_service(place_of(variables), WHAT_IS_TEA) is None
        assert time.monotonic() - started < 30  # it hangs for as long as it is stopped
        done = run_here("ask", "How long is tea steeped?", environment=variables)
        assert (done.returncode, done.stderr) == (0, "")
    finally:
        os.killpg(serving.process.pid, signal.SIGCONT)


def server_of(serving: ServiceProcess, name: str) -> psutil.Process:
    """One of the servers that answers come from; they start with the service process."""
    pid = serving.socket.with_name(f"{name}.pid")
    until(lambda: pid.exists() and pid.read_text("ascii"))
    return psutil.Process(int(pid.read_text("ascii")))


def test_its_servers_may_be_killed(variables: dict[str, str], serving: ServiceProcess) -> None:
    for name in ("semantic", "graph"):
        server_of(serving, name).kill()
    asked = QueryRequest(question="tea", intent="exploratory", mode="local")
    answer = ask_service(place_of(variables), asked)
    assert answer is not None
    assert set(answer["sources_available"]) == set(SOURCES)
    assert answer["warnings"] == []


@contextmanager
def waiting(serving: ServiceProcess) -> Generator[psutil.Process]:
    """Every answer waits for this server for the time of the block, or until it is resumed."""
    server = server_of(serving, "semantic")
    server.suspend()
    try:
        yield server
    finally:
        server.resume()


def until_asked(serving: ServiceProcess) -> None:
    """Until a client has been connected for a while, which is when it waits for its answer."""
    process, looks = psutil.Process(serving.process.pid), 0

    def asked() -> bool:
        nonlocal looks
        lines = process.net_connections("unix")
        clients = sum(line.laddr == str(serving.socket) for line in lines) - 1
        looks = looks + 1 if clients > 0 else 0
        return looks > 10

    until(asked)


def test_ctrl_c_ends_the_client_and_not_the_service(
    variables: dict[str, str], serving: ServiceProcess
) -> None:
    with (
        waiting(serving),
        subprocess.Popen(
            [BRAIN, "ask", "How long is tea steeped?"],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as client,
    ):
        until_asked(serving)
        client.send_signal(signal.SIGINT)
        _, wrong = client.communicate(timeout=30)
    assert (client.returncode, wrong) == (130, "brain: stopped; what is done is kept.\n")
    assert ask_service(place_of(variables), WHAT_IS_TEA) is not None
    assert serving.process.poll() is None


@pytest.mark.usefixtures("serving")
def test_a_vault_that_is_out_of_sight_is_not_an_empty_one(variables: dict[str, str]) -> None:
    vault = Path(variables["BRAIN_VAULT"])
    away = vault.rename(vault.with_name("away"))
    try:
        gone = run_here("ask", "What is tea?", environment=variables)
    finally:
        away.rename(vault)
    assert gone.returncode == 2
    assert "does not exist" in gone.stderr
    assert run_here("ask", "What is tea?", environment=variables).returncode == 0
    status = json.loads(run_here("status", "--json", environment=variables).stdout)
    assert status["notes_indexed"] == len(TEA_NOTES)


# --- it ends -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        signal.SIGHUP,
        pytest.param(signal.SIGTERM, marks=pytest.mark.torture),  # as `brain stop` sends it
    ],
)
def test_a_signal_ends_it_cleanly(serving: ServiceProcess, number: signal.Signals) -> None:
    serving.process.send_signal(number)
    assert serving.process.wait(60) == 0
    assert serving.process.stderr is not None
    assert serving.process.stderr.read() == ""
    assert serving.leftovers() == []


def test_it_ends_with_its_owner(variables: dict[str, str], shared: SharedService) -> None:
    shared.end()
    with (
        subprocess.Popen(["sleep", "300"]) as owner,
        running_service({**variables, "BRAIN_SERVICES_OWNER": str(owner.pid)}) as serving,
    ):
        owner.kill()
        assert serving.process.wait(60) == 0
        assert serving.leftovers() == []


def test_it_ends_when_nobody_can_find_it_any_more(serving: ServiceProcess) -> None:
    serving.socket.unlink()
    assert serving.process.wait(60) == 0
    assert serving.leftovers() == []


@pytest.mark.torture
def test_it_ends_when_its_data_directory_is_removed(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Tea.md").write_text(TEA_NOTES["Tea.md"], "utf-8")
    variables = environment(tmp_path / "vault", tmp_path / "data")
    with running_service(variables) as serving:
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        assert serving.process.wait(60) == 0
    assert not serving.leftovers()


def test_one_that_is_killed_in_an_answer_costs_no_answer_and_is_in_nobody_s_way(
    variables: dict[str, str], shared: SharedService
) -> None:
    serving = shared.running()
    with waiting(serving) as server:

        def kill() -> None:
            until_asked(serving)
            serving.kill()
            server.resume()

        killing = Thread(target=kill)
        killing.start()
        done = run_here("ask", "How long is tea steeped?", environment=variables)
        killing.join()
    assert serving.process.returncode == -signal.SIGKILL
    assert (done.returncode, done.stderr) == (0, "")
    assert "three minutes" in done.stdout
    assert len(serving.leftovers()) == 2
    started = time.monotonic()
    assert ask_service(place_of(variables), WHAT_IS_TEA) is None
    assert time.monotonic() - started < 30
    assert shared.running().process.poll() is None
    assert ask_service(place_of(variables), WHAT_IS_TEA) is not None


def test_status_names_it_and_stop_ends_it(
    variables: dict[str, str], serving: ServiceProcess
) -> None:
    def running() -> bool:
        done = run_here("status", "--json", environment=variables)
        return json.loads(done.stdout)["servers"]["serve"]

    assert running()
    shown = run_here("status", environment=variables).stdout
    assert re.search(r"brain serve\s+running, pid", shown)
    stopped = json.loads(run_here("stop", "--json", environment=variables).stdout)
    assert "serve" in stopped["stopped"]
    assert serving.process.wait(60) == 0
    assert serving.process.stderr is not None
    assert serving.process.stderr.read() == ""
    assert serving.leftovers() == []
    assert not running()


# --- it does not start -------------------------------------------------------------------------


@pytest.mark.parametrize("port", ["70000", "-1", "many"])
def test_a_port_that_is_none_is_one_line(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch, port: str
) -> None:
    monkeypatch.setattr("graphs.cli.serve._become", _never_so_far)
    done = run_here("serve", "--port", port, environment=variables)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--port" in done.stderr


def _never_so_far(command: list[str]) -> None:
    raise AssertionError(command)


def test_a_port_in_use_is_one_line(variables: dict[str, str], tmp_path: Path) -> None:
    elsewhere = {**variables, "BRAIN_DATA_DIR": str(tmp_path / "data")}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), environment=elsewhere)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"Port {port} cannot be used" in done.stderr
