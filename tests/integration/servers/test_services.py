"""The local servers' life with real processes: one of each, found again, stopped, never left."""

import asyncio
import contextlib
import os
import signal
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import psutil
import pytest

from tools.base.errors import (
    InputError,
    ModelUnavailableError,
    ServiceUnavailableError,
    StorageError,
)
from tools.runtime import services
from tools.runtime.services import Service
from tools.semantic.client import SemanticClient
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration


def settings_in(folder: Path, *, owner: int | None = None, model: str = "") -> Settings:
    return Settings(
        vault=folder / "vault",
        data_dir=folder / "data",
        services_owner=owner or os.getpid(),
        encoder=model or "all-MiniLM-L6-v2",
        ollama_url="http://127.0.0.1:9",
    )


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """One that never ran."""
    service = services.semantic_service(settings_in(tmp_path))
    yield service
    asyncio.run(services.stop(service))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def shared(folder: Path) -> Iterator[Service]:
    service = services.semantic_service(settings_in(folder))
    yield service
    asyncio.run(services.stop(service))


@pytest.fixture
def running(shared: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    """One that runs; where a test ended it, it is started again."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("BRAIN_GRAPH_PASSWORD", "secret")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    asyncio.run(services.ensure(shared))
    return shared


def server_of(service: Service) -> psutil.Process:
    return psutil.Process(int(service.pid.read_text("ascii")))


def servers_of(service: Service) -> list[int]:
    """The pids of all processes that run with this service's run directory."""
    found: list[int] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if service.module in (command := process.cmdline()) and (
                str(service.socket.parent) in command
            ):
                found.append(process.pid)
    return found


async def bystander() -> asyncio.subprocess.Process:
    """A process that only waits."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE
    )


# --- start -----------------------------------------------------------------------------------


def test_a_server_gets_no_secret_of_its_starter(running: Service) -> None:
    assert "secret" in os.environ.values()
    given = server_of(running).environ()
    assert "secret" not in given.values()
    assert given["LC_ALL"] == "C.UTF-8"
    assert given["PATH"] == os.environ["PATH"]


async def test_ensure_starts_one_private_server(running: Service) -> None:
    assert services.is_running(running)
    modes = {
        path: stat.S_IMODE(path.stat().st_mode)
        for path in (running.socket.parent, running.socket, running.pid, running.log)
    }
    assert modes[running.socket.parent] == 0o700
    assert not any(mode & 0o077 for mode in modes.values())
    first = running.pid.read_text("ascii")
    await services.ensure(running)
    assert running.pid.read_text("ascii") == first


async def test_processes_that_start_it_at_once_end_with_one(service: Service) -> None:
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from tools.runtime.services import Service, ensure\n"
        "name, module, socket, *arguments = sys.argv[1:]\n"
        "asyncio.run(ensure(Service(name=name, module=module, socket=Path(socket), "
        "arguments=tuple(arguments))))\n"
    )
    command = [sys.executable, "-c", script, service.name, service.module, str(service.socket)]
    starters = [
        await asyncio.create_subprocess_exec(*command, *service.arguments, cwd=Path.cwd())
        for _ in range(3)
    ]
    assert [await starter.wait() for starter in starters] == [0, 0, 0]
    async with SemanticClient(service) as client:
        assert (await client.status()).count == 0
    assert servers_of(service) == [server_of(service).pid]


async def test_a_second_server_ends_quietly(running: Service) -> None:
    second = services.launch(running)
    assert await asyncio.to_thread(second.wait, 20) == 0
    assert services.is_running(running)


async def test_a_server_that_cannot_start_is_one_line_without_waiting(service: Service) -> None:
    broken = replace(service, module="tools.no_such_module")
    with pytest.raises(ServiceUnavailableError, match=r"logs/semantic\.log") as caught:
        await services.ensure(broken, timeout=60)
    assert "\n" not in str(caught.value)


async def test_a_start_that_fails_is_not_tried_twice(service: Service) -> None:
    broken = replace(service, module="tools.no_such_module")
    begun = services.starting(broken)
    with pytest.raises(ServiceUnavailableError, match="could not start"):
        await services.ensure(broken, timeout=60)
    assert await asyncio.to_thread(begun.wait, 20) == 1
    assert broken.log.read_text("utf-8").count("No module named") == 1


async def test_the_reason_of_a_failed_start_is_told(tmp_path: Path, service: Service) -> None:
    (tmp_path / "data" / "semantic.lock").mkdir(parents=True)
    with pytest.raises(ServiceUnavailableError, match="Is a directory") as caught:
        await services.ensure(service)
    assert str(tmp_path) not in str(caught.value)


async def test_two_run_directories_cannot_share_one_index(tmp_path: Path, running: Service) -> None:
    other = tmp_path / "other"
    arguments = list(running.arguments)
    arguments[arguments.index("--run-dir") + 1] = str(other)
    elsewhere = replace(running, socket=other / "semantic.sock", arguments=tuple(arguments))
    with pytest.raises(ServiceUnavailableError, match="another login session"):
        await services.ensure(elsewhere)


@pytest.mark.parametrize("kind", ["link", "open parent", "file"])
async def test_a_run_directory_that_others_control_is_refused(
    tmp_path: Path, service: Service, kind: str
) -> None:
    folder = tmp_path / "shared" / "run"
    folder.parent.mkdir()
    match kind:
        case "link":
            (tmp_path / "elsewhere").mkdir()
            folder.symlink_to(tmp_path / "elsewhere")
        case "open parent":
            folder.parent.chmod(0o777)
        case _:
            folder.write_text("")
    with pytest.raises(StorageError, match="sockets") as caught:
        await services.ensure(replace(service, socket=folder / "semantic.sock"))
    assert str(tmp_path) not in str(caught.value)


# --- the server's answers --------------------------------------------------------------------


async def test_a_server_that_hangs_costs_the_time_limit(running: Service) -> None:
    async with SemanticClient(running) as client:
        await client.reset()
        process = server_of(running)
        process.suspend()
        with pytest.raises(ServiceUnavailableError, match=r"within 0\.3 s"):
            await client.search("a question", limit=1, timeout=0.3)
        process.resume()
        assert await client.search("a question", limit=1) == []


async def test_a_model_that_is_not_there_is_told_and_tried_again(tmp_path: Path) -> None:
    service = services.semantic_service(settings_in(tmp_path, model="no-such-model"))
    async with SemanticClient(service) as client:
        for _ in range(2):
            with pytest.raises(ModelUnavailableError, match="ollama serve"):
                await client.search("a question", limit=1)
    assert services.is_running(service)
    assert await services.stop(service)


async def test_a_server_of_another_model_is_told_not_used(folder: Path, running: Service) -> None:
    async with SemanticClient(running) as client:
        await client.reset()
        await client.upsert([("a", "one passage")])
        changed = services.semantic_service(settings_in(folder, model="another-model"))
        async with SemanticClient(changed) as other:
            with pytest.raises(InputError, match="brain stop"):
                await other.search("one passage", limit=1)
        assert await client.ids() == {"a"}


async def test_a_malformed_request_is_refused_in_one_line(running: Service) -> None:
    transport = httpx.AsyncHTTPTransport(uds=str(running.socket))
    async with httpx.AsyncClient(transport=transport, base_url="http://semantic") as raw:
        for path, body in (("/search", b"{"), ("/upsert", b'["x"]'), ("/embed", b"[1]")):
            response = await raw.post(path, content=body)
            assert response.status_code == 400
            assert response.json()["error"] == "InputError"
        assert (await raw.get("/elsewhere")).status_code == 404


# --- crashes ---------------------------------------------------------------------------------


async def test_it_is_found_again_after_a_crash_with_all_it_acknowledged(running: Service) -> None:
    async with SemanticClient(running) as client:
        await client.reset()
        assert await client.upsert([("a", "one passage"), ("b", "another passage")]) == 2
        process = server_of(running)
        process.kill()
        await asyncio.to_thread(process.wait, 10)
        assert running.socket.exists(), "what it leaves is part of the case"
        assert running.pid.exists()
        assert await client.ids() == {"a", "b"}
        assert [id_ for id_, _ in await client.search("another passage", limit=1)] == ["b"]
    assert server_of(running).pid != process.pid


@pytest.mark.torture
async def test_a_server_killed_while_it_answers_is_asked_again(running: Service) -> None:
    async with SemanticClient(running) as client:
        await client.reset()
        await client.upsert([("a", "one passage")])
        process = server_of(running)
        process.suspend()
        asking = asyncio.create_task(client.search("one passage", limit=1))
        await asyncio.wait([asking], timeout=0.2)
        assert not asking.done()
        process.kill()
        assert [id_ for id_, _ in await asking] == ["a"]


# --- end -------------------------------------------------------------------------------------


async def test_it_ends_when_its_socket_is_taken_away(running: Service) -> None:
    process = server_of(running)
    async with SemanticClient(running) as client:
        await client.status()
    running.socket.unlink()
    await asyncio.to_thread(process.wait, 20)
    await services.ensure(running)
    assert server_of(running).pid != process.pid


async def test_stop_forces_a_server_that_does_not_listen(running: Service) -> None:
    process = server_of(running)
    process.suspend()
    assert await services.stop(running, timeout=0.3)
    assert not process.is_running()
    assert not running.socket.exists()


async def test_stop_ends_it_and_leaves_nothing(running: Service) -> None:
    process = server_of(running)
    assert await services.stop(running)
    assert not process.is_running()
    assert not running.socket.exists()
    assert not running.pid.exists()
    assert not await services.stop(running)
    assert not services.is_running(running)


async def test_sigterm_ends_it_while_it_still_loads(service: Service) -> None:
    await services.ensure(service)
    process = server_of(service)
    process.send_signal(signal.SIGTERM)
    await asyncio.to_thread(process.wait, 20)
    assert not service.socket.exists()


async def test_stop_spares_a_process_that_inherited_the_pid(service: Service) -> None:
    stranger = await bystander()
    service.socket.parent.mkdir(parents=True)
    service.pid.write_text(str(stranger.pid))
    assert not await services.stop(service)
    assert psutil.Process(stranger.pid).status() != psutil.STATUS_ZOMBIE
    stranger.kill()
    await stranger.wait()


async def test_it_ends_with_its_owner(tmp_path: Path) -> None:
    owner = await bystander()
    service = services.semantic_service(settings_in(tmp_path, owner=owner.pid))
    async with SemanticClient(service) as client:
        await client.status()
    process = server_of(service)
    owner.kill()
    await owner.wait()
    await asyncio.to_thread(process.wait, 3)
    assert not service.socket.exists()


async def test_it_ends_when_nobody_asks(tmp_path: Path) -> None:
    settings = settings_in(tmp_path).model_copy(update={"idle_minutes": 0.02})
    service = services.semantic_service(settings)
    await services.ensure(service)
    process = server_of(service)
    await asyncio.to_thread(process.wait, 20)
    assert not service.socket.exists()
