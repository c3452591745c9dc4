"""The embedded graph server's life with real processes: one owner, nothing lost, never left."""

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from tests.contract.vault import Vault
from tests.support.waiting import until
from tools.base.errors import ServiceUnavailableError, SourceError, StoreVersionError
from tools.graph.backends.falkor import Ensure, FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.cypher.graphiti_models import GRAPH
from tools.graph.store import SCHEMA_VERSION

pytestmark = pytest.mark.integration

type Process = subprocess.Popen[bytes]


@dataclass
class Keepers:
    """Starts keepers over one data directory and ends those a test leaves."""

    folder: Path
    started: list[Process] = field(default_factory=list["Process"])

    @property
    def run_dir(self) -> Path:
        return self.folder / "run"

    @property
    def socket(self) -> Path:
        return self.run_dir / "graph.sock"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def launch(
        self, *, run_dir: Path | None = None, idle: float = 5, owner: int | None = None
    ) -> Process:
        command = [
            *(sys.executable, "-m", "tools.graph.backends.falkor_server"),
            *("--data-dir", str(self.folder / "data")),
            *("--run-dir", str(run_dir or self.run_dir)),
            *("--idle-minutes", str(idle), "--owner", str(owner or os.getpid())),
        ]
        with self.log.open("ab") as log:
            keeper = subprocess.Popen(command, stdout=log, stderr=log)
        self.started.append(keeper)
        return keeper

    def serve(self, *, idle: float = 5, owner: int | None = None) -> Process:
        keeper = self.launch(idle=idle, owner=owner)
        until(lambda: accepts(self.socket) or keeper.poll() is not None)
        assert keeper.poll() is None
        return keeper

    def last_words(self) -> str:
        return self.log.read_text("utf-8").splitlines()[-1]

    def end(self) -> None:
        for keeper in self.started:
            keeper.terminate()
            keeper.wait(timeout=20)


def accepts(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect_ex(str(path)) == 0


def server_of(keeper: Process) -> psutil.Process:
    (child,) = psutil.Process(keeper.pid).children()
    return child


@pytest.fixture
def keepers(tmp_path: Path) -> Iterator[Keepers]:
    keepers = Keepers(tmp_path)
    yield keepers
    keepers.end()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keepers]:
    """With a first keeper that runs on."""
    keepers = Keepers(tmp_path_factory.mktemp("shared"))
    keepers.serve()
    yield keepers
    keepers.end()


def backend(path: Path, *, ensure: Ensure | None = None) -> FalkorBackend:
    return FalkorBackend(path, graph=GRAPH, ensure=ensure)


def store_at(path: Path, *, ensure: Ensure | None = None) -> GraphitiStore:
    return GraphitiStore(backend(path, ensure=ensure))


def write_note(path: Path, name: str) -> None:
    vault = Vault()
    vault.write(name, (None, "Elsewhere"))

    async def write() -> None:
        store = store_at(path)
        await store.replace(vault.graphs())
        await store.close()

    asyncio.run(write())


def paths_in(path: Path) -> set[str]:
    async def read() -> set[str]:
        store = store_at(path)
        try:
            return set(await store.digests())
        finally:
            await store.close()

    return asyncio.run(read())


def test_only_the_user_can_reach_it(shared: Keepers) -> None:
    keeper = shared.started[0]

    for path in (shared.run_dir, shared.folder / "data" / "graph", shared.socket):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert not server_of(keeper).net_connections(kind="inet")
    assert (shared.run_dir / "graph.pid").read_text("ascii") == str(keeper.pid)


def test_a_second_keeper_leaves_quietly(shared: Keepers) -> None:
    assert shared.launch().wait(timeout=20) == 0
    assert shared.started[0].poll() is None
    assert accepts(shared.socket)


def test_a_second_run_directory_cannot_open_the_same_store(shared: Keepers) -> None:
    assert shared.launch(run_dir=shared.folder / "other").wait(timeout=20) == 1
    assert "in use" in shared.last_words()
    assert shared.started[0].poll() is None


def test_being_asked_to_end_keeps_the_data(keepers: Keepers) -> None:
    keeper = keepers.serve()
    write_note(keepers.socket, "A")
    server = server_of(keeper)

    keeper.terminate()

    assert keeper.wait(timeout=20) == 0
    assert not server.is_running()
    assert sorted(file.name for file in keepers.run_dir.iterdir()) == ["graph.lock"]
    assert keepers.last_words() == "graph: stopped: asked to"
    keepers.serve()
    assert paths_in(keepers.socket) == {"A.md"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a killed process's child")
def test_a_killed_keeper_leaves_no_server_and_loses_nothing(keepers: Keepers) -> None:
    keeper = keepers.serve()
    write_note(keepers.socket, "A")
    server = server_of(keeper)

    keeper.kill()
    keeper.wait(timeout=20)

    until(lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE)
    assert keepers.socket.exists(), "a stale socket is part of the case"
    keepers.serve()
    assert paths_in(keepers.socket) == {"A.md"}


def test_the_server_outlived_by_its_lock_keeps_others_out(keepers: Keepers) -> None:
    keeper = keepers.serve()
    server = server_of(keeper)
    server.suspend()
    keeper.kill()
    keeper.wait(timeout=20)

    assert keepers.launch().wait(timeout=20) == 0

    server.resume()
    until(lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE)


def test_a_killed_server_ends_the_keeper_with_its_code(keepers: Keepers) -> None:
    keeper = keepers.serve()
    write_note(keepers.socket, "A")

    server_of(keeper).kill()

    assert keeper.wait(timeout=20) == 128 + signal.SIGKILL
    assert keepers.last_words() == "graph: stopped: the server ended with -9"
    keepers.serve()
    assert paths_in(keepers.socket) == {"A.md"}


def test_it_ends_with_its_owner(keepers: Keepers) -> None:
    owner = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    keeper = keepers.serve(owner=owner.pid)

    owner.kill()  # and nobody waits for it: its remains are not the owner

    assert keeper.wait(timeout=60) == 0
    assert keepers.last_words() == "graph: stopped: its owner is gone"
    owner.communicate()


def test_it_ends_when_no_command_comes_and_not_before(keepers: Keepers) -> None:
    idle_seconds = 0.6
    keeper = keepers.serve(idle=idle_seconds / 60)
    busy_until = time.monotonic() + 3 * idle_seconds

    async def keep_busy() -> None:
        graph = backend(keepers.socket)
        while time.monotonic() < busy_until:
            await graph.query("RETURN 1")
        await graph.close()

    asyncio.run(keep_busy())

    assert keeper.poll() is None
    assert keeper.wait(timeout=20) == 0
    assert keepers.last_words() == "graph: stopped: no question for 0.01 minutes"


def test_a_file_that_grew_is_written_anew_once_it_is_quiet(keepers: Keepers) -> None:
    keepers.serve(idle=0.05)

    async def write(times: int) -> None:
        graph = backend(keepers.socket)
        for number in range(times):
            await graph.query("MERGE (n:Big) SET n.text = $text", text=f"{number} " * 100_000)
        await graph.close()

    asyncio.run(write(20))

    def size() -> int:
        return sum(file.stat().st_size for file in (keepers.folder / "data" / "graph").rglob("*"))

    assert size() > 4_000_000
    until(lambda: size() < 1_000_000)


def test_it_ends_when_nobody_can_find_it_any_more(keepers: Keepers) -> None:
    keeper = keepers.serve(idle=0.01)
    server = server_of(keeper)

    keepers.run_dir.rename(keepers.folder / "elsewhere")

    assert keeper.wait(timeout=20) == 0
    assert keepers.last_words() == "graph: stopped: its socket is gone"
    assert not server.is_running()


def test_it_leaves_its_place_to_whoever_took_it(keepers: Keepers) -> None:
    first = keepers.serve(idle=0.05)
    for name in ("run", "data"):
        (keepers.folder / name).rename(keepers.folder / f"{name} elsewhere")

    second = keepers.serve()

    assert first.wait(timeout=20) == 0
    assert accepts(keepers.socket)
    assert (keepers.run_dir / "graph.pid").read_text("ascii") == str(second.pid)


def test_a_run_directory_behind_a_link_is_refused(keepers: Keepers) -> None:
    (keepers.folder / "elsewhere").mkdir()
    keepers.run_dir.symlink_to(keepers.folder / "elsewhere")

    assert keepers.launch().wait(timeout=20) == 1
    assert "link" in keepers.last_words()
    assert str(keepers.folder) not in keepers.last_words()
    assert list((keepers.folder / "elsewhere").iterdir()) == []


def test_a_store_finds_a_crashed_server_again(keepers: Keepers) -> None:
    """With several idle connections, all dead: none of them may spoil the second attempt."""
    keeper = keepers.serve()

    async def ask() -> list[dict[str, str]]:
        starting = asyncio.Lock()

        async def ensure() -> None:
            async with starting:
                if not accepts(keepers.socket):
                    await asyncio.to_thread(keepers.serve)

        store = store_at(keepers.socket, ensure=ensure)
        await asyncio.gather(*(store.digests() for _ in range(5)))
        server_of(keeper).kill()
        keeper.wait(timeout=20)  # blocks the loop, which so learns nothing of the lost connections
        try:
            return await asyncio.gather(*(store.digests() for _ in range(5)))
        finally:
            await store.close()

    assert asyncio.run(ask()) == [{}] * 5
    assert len(keepers.started) == 2


def test_nobody_there_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ServiceUnavailableError, match="search still works") as raised:
        paths_in(tmp_path / "graph.sock")

    assert str(tmp_path) not in str(raised.value)


async def test_a_query_that_fails_is_a_source_error(shared: Keepers) -> None:
    graph = backend(shared.socket)

    with pytest.raises(SourceError, match="refused") as raised:
        await graph.query("RETURN nothing_like_this($words)", words="private words")

    assert "private" not in str(raised.value)
    await graph.close()


async def test_a_store_of_a_newer_version_is_refused_until_reset(shared: Keepers) -> None:
    graph = backend(shared.socket)
    await graph.query("MERGE (s:Store {uuid: 'store'}) SET s.version = 99")
    store = store_at(shared.socket)

    with pytest.raises(StoreVersionError, match="newer"):
        await store.digests()
    await store.reset()

    assert (await store.status()).schema_version == SCHEMA_VERSION
    await store.close()
    await graph.close()


async def test_dates_carry_no_index(shared: Keepers) -> None:
    store = store_at(shared.socket)
    await store.replace([])
    graph = backend(shared.socket)

    rows = await graph.query("CALL db.indexes() YIELD label, properties RETURN label, properties")

    assert sorted((str(label), properties) for label, properties in rows) == [
        ("Entity", ["uuid"]),
        ("Episodic", ["uuid"]),
        ("RELATES_TO", ["inferred_in"]),
    ]
    await store.close()
    await graph.close()
