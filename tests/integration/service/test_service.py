"""``brain serve``: its life among crashes and signals."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphs.service.client import ask_service
from graphs.service.request import QueryRequest
from tests.support.processes.command_line import environment, run, run_here
from tests.support.processes.service_process import TEA_NOTES, place_of, resident, tea_vault

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with tea_vault(tmp_path_factory.mktemp("small")) as made:
        yield made


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_cleanly(variables: dict[str, str], number: signal.Signals) -> None:
    with resident(variables) as serving:
        serving.process.send_signal(number)
        _, said = serving.process.communicate(timeout=60)
        assert (serving.process.returncode, said) == (0, "")
        assert serving.leftovers() == []


def test_status_names_it_and_stop_ends_it(variables: dict[str, str]) -> None:
    def running() -> bool:
        done = run_here("status", "--json", environment=variables)
        return json.loads(done.stdout)["servers"]["serve"]

    assert not running()
    with resident(variables) as serving:
        assert running()
        shown = run_here("status", environment=variables).stdout
        assert re.search(r"brain serve\s+running, pid", shown)
        stopped = json.loads(run_here("stop", "--json", environment=variables).stdout)
        assert "serve" in stopped["stopped"]
        assert serving.process.wait(60) == 0
        assert serving.leftovers() == []
        assert not running()


def test_there_is_one_for_a_vault(variables: dict[str, str]) -> None:
    with resident(variables) as serving:
        second = run("serve", environment=variables)
        assert (second.returncode, second.stdout) == (2, "")
        assert "already" in second.stderr
        assert second.stderr.count("\n") == 1
        assert serving.process.poll() is None
        assert run_here("ask", "How long is tea steeped?", environment=variables).returncode == 0


def test_what_a_killed_one_leaves_is_in_nobody_s_way(variables: dict[str, str]) -> None:
    with resident(variables) as serving:
        serving.kill()
        assert len(serving.leftovers()) == 2
        started = time.monotonic()
        assert ask_service(place_of(variables), QueryRequest(question="What is tea?")) is None
        assert time.monotonic() - started < 30
        done = run_here("ask", "How long is tea steeped?", environment=variables)
        assert (done.returncode, done.stderr) == (0, "")
    with resident(variables) as again:
        assert again.process.poll() is None
        assert ask_service(place_of(variables), QueryRequest(question="What is tea?")) is not None


def test_one_that_hangs_is_not_waited_for(variables: dict[str, str]) -> None:
    with resident(variables) as serving:
        os.killpg(serving.process.pid, signal.SIGSTOP)
        started = time.monotonic()
        assert ask_service(place_of(variables), QueryRequest(question="What is tea?")) is None
        assert time.monotonic() - started < 30  # it hangs for as long as it is stopped
        done = run_here("ask", "How long is tea steeped?", environment=variables)
        assert (done.returncode, done.stderr) == (0, "")
        os.killpg(serving.process.pid, signal.SIGCONT)


def test_its_servers_may_be_killed(variables: dict[str, str]) -> None:
    run_dir = place_of(variables).run_dir
    with resident(variables):
        for name in ("semantic", "graph"):
            os.kill(int((run_dir / f"{name}.pid").read_text("ascii")), signal.SIGKILL)
        asked = QueryRequest(question="tea", intent="exploratory", mode="local")
        answer = ask_service(place_of(variables), asked)
        assert answer is not None
        assert set(answer["sources_available"]) == {"semantic", "text", "graph"}
        assert answer["warnings"] == []


def test_it_ends_when_its_data_directory_is_removed(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Tea.md").write_text(TEA_NOTES["Tea.md"], "utf-8")
    variables = environment(tmp_path / "vault", tmp_path / "data")
    with resident(variables) as serving:
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        assert serving.process.wait(60) == 0
    assert not serving.leftovers()


def test_it_ends_with_its_owner(variables: dict[str, str]) -> None:
    with (
        subprocess.Popen(["sleep", "300"]) as owner,
        resident({**variables, "BRAIN_SERVICES_OWNER": str(owner.pid)}) as serving,
    ):
        owner.kill()
        assert serving.process.wait(60) == 0
        assert serving.leftovers() == []


def test_a_long_data_directory_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "Tea.md").write_text(TEA_NOTES["Tea.md"], "utf-8")
    variables = environment(tmp_path / "vault", tmp_path / ("long" * 40))
    with resident(variables) as serving:
        assert not serving.socket.is_relative_to(tmp_path)
        answer = ask_service(
            place_of(variables), QueryRequest(question="What is tea?", mode="local")
        )
        assert answer is not None
        assert answer["results"]
    run_here("stop", environment=variables)
    shutil.rmtree(serving.socket.parent, ignore_errors=True)


def test_a_vault_that_is_out_of_sight_is_not_an_empty_one(tmp_path: Path) -> None:
    vault, away = tmp_path / "vault", tmp_path / "away"
    vault.mkdir()
    (vault / "Tea.md").write_text(TEA_NOTES["Tea.md"], "utf-8")
    variables = environment(vault, tmp_path / "data")
    with resident(variables):
        assert run_here("ask", "What is tea?", environment=variables).returncode in (0, 3)
        vault.rename(away)
        gone = run_here("ask", "What is tea?", environment=variables)
        assert gone.returncode == 2
        assert "does not exist" in gone.stderr
        away.rename(vault)
        status = json.loads(run_here("status", "--json", environment=variables).stdout)
        assert status["notes_indexed"] == 1
    run_here("stop", environment=variables)


@pytest.mark.parametrize("port", ["70000", "-1", "many"])
def test_a_port_that_is_none_is_one_line(variables: dict[str, str], port: str) -> None:
    done = run("serve", "--port", port, environment=variables)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--port" in done.stderr


def test_a_port_in_use_is_one_line(variables: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), environment=variables)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"Port {port} cannot be used" in done.stderr
