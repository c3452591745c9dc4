"""A server's own side of its life: a private place, one owner of it, and a reason to end."""

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tools.base.errors import StorageError
from tools.runtime import server_process
from tools.runtime.server_process import (
    Owner,
    announced,
    locked,
    private_dir,
    private_run_dir,
    run_server,
    server_arguments,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# --- folders ---------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [None, 0o755, 0o700, 0o500])
def test_a_folder_is_made_for_this_user_alone(tmp_path: Path, before: int | None) -> None:
    folder = tmp_path / "data" / "graph"
    if before is not None:
        folder.mkdir(parents=True)
        folder.chmod(before)

    private_dir(folder, holding="the graph")

    assert mode(folder) == 0o700


def test_the_folder_around_a_new_one_is_private_too(tmp_path: Path) -> None:
    private_dir(tmp_path / "data" / "graph", holding="the graph")

    assert mode(tmp_path / "data") == 0o700


@pytest.mark.parametrize("kind", ["link", "file", "beneath a file"])
def test_what_is_no_folder_of_ours_is_refused(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "graph"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    match kind:
        case "link":
            folder.symlink_to(elsewhere)
        case "file":
            folder.write_text("")
        case _:
            (tmp_path / "file").write_text("")
            folder = tmp_path / "file" / "graph"

    with pytest.raises(StorageError, match="the graph") as caught:
        private_dir(folder, holding="the graph")

    assert str(tmp_path) not in str(caught.value)
    assert mode(elsewhere) == 0o755


def test_a_folder_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: stranger)
    tmp_path.chmod(0o755)

    with pytest.raises(StorageError, match="the graph"):
        private_dir(tmp_path, holding="the graph")

    assert mode(tmp_path) == 0o755


@pytest.mark.parametrize(
    ("around", "safe"),
    [(0o700, True), (0o775, True), (0o1777, True), (0o777, False), (0o702, False)],
)
def test_sockets_lie_where_nobody_else_can_replace_them(
    tmp_path: Path, around: int, safe: bool
) -> None:
    folder = tmp_path / "data" / "run"
    folder.mkdir(parents=True)
    folder.parent.chmod(around)

    if safe:
        private_run_dir(folder)
        assert mode(folder) == 0o700
    else:
        with pytest.raises(StorageError, match="sockets"):
            private_run_dir(folder)


# --- locks -----------------------------------------------------------------------------------


def test_a_lock_has_one_holder_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with locked(path) as first:
        with locked(path) as second:
            assert (first is not None, second) == (True, None)
        with locked(path) as third:
            assert third is None, "giving up must not free it"
    with locked(path) as later:
        assert later is not None
    assert mode(path) == 0o600


def test_a_lock_that_is_freed_in_time_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.lock"
    first = locked(path)
    first.__enter__()
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            first.__exit__(None, None, None)

    monkeypatch.setattr(server_process.time, "sleep", pause)

    with locked(path, patience=60) as second:
        assert second is not None
    assert len(pauses) == 3


def test_a_lock_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "a.lock").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OSError, match="symbolic link"), locked(tmp_path / "a.lock"):
        pass

    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("crashing", [False, True])
def test_an_announced_server_leaves_nothing_and_clears_up_after_a_killed_one(
    tmp_path: Path, crashing: bool
) -> None:
    socket, pid = tmp_path / "a.sock", tmp_path / "a.pid"
    socket.write_text("stale")
    pid.write_text("1")

    def serve() -> None:
        with announced(socket):
            assert not socket.exists()
            assert pid.read_text("ascii") == str(os.getpid())
            socket.write_text("served")
            if crashing:
                raise KeyError

    if crashing:
        with pytest.raises(KeyError):
            serve()
    else:
        serve()

    assert list(tmp_path.iterdir()) == []


def test_a_server_knows_when_its_place_is_gone_or_taken(tmp_path: Path) -> None:
    socket, pid = tmp_path / "a.sock", tmp_path / "a.pid"

    with announced(socket) as found:
        assert not found()
        socket.write_text("served")
        assert found()
        pid.unlink()
        assert not found()
        pid.write_text("1")
        assert not found()

    assert (socket.read_text(), pid.read_text()) == ("served", "1")


def test_a_server_that_cannot_open_another_file_has_not_lost_its_place(tmp_path: Path) -> None:
    socket = tmp_path / "a.sock"
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with announced(socket) as found:
        socket.write_text("served")
        with socket.open() as highest:
            resource.setrlimit(resource.RLIMIT_NOFILE, (highest.fileno(), limits[1]))
            try:
                with pytest.raises(OSError, match="Too many open files"), socket.open():
                    pass
                assert found()
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        socket.unlink()
        assert not found()


def test_a_server_whose_folder_is_gone_ends_in_peace(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()

    with announced(folder / "a.sock"):
        (folder / "a.pid").unlink()
        folder.rmdir()

    assert not folder.exists()


# --- the owner -------------------------------------------------------------------------------


@pytest.fixture(params=["descriptor", "process table"])
def watching(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the system tells that a process ended."""

    def unknown(pid: int) -> int:
        raise OSError

    if request.param == "process table":
        monkeypatch.setattr(os, "pidfd_open", unknown, raising=False)
    elif sys.platform != "linux":
        pytest.skip("only Linux has process descriptors")
    return str(request.param)


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process that only waits."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="waits for an end without clearing it away")
def test_an_owner_is_gone_when_it_ended_though_its_remains_are_there(
    watching: str, bystander: subprocess.Popen[bytes]
) -> None:
    owner = Owner(bystander.pid)
    assert not owner.gone()
    assert (owner.descriptor is not None) == (watching == "descriptor")

    bystander.kill()
    os.waitid(os.P_PID, bystander.pid, os.WEXITED | os.WNOWAIT)

    assert owner.gone()
    assert Owner(bystander.pid).gone()


def test_an_owner_that_was_never_there_is_gone(
    watching: str, bystander: subprocess.Popen[bytes]
) -> None:
    bystander.kill()
    bystander.wait()

    assert Owner(bystander.pid).gone()


def test_without_an_owner_none_is_missed() -> None:
    assert not Owner(None).gone()


# --- a server's way in -----------------------------------------------------------------------


@pytest.fixture
def _own_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def raising(error: Exception) -> Callable[[], int]:
    def serve() -> int:
        raise error

    return serve


@pytest.mark.usefixtures("_own_umask")
def test_a_server_ends_with_its_code_or_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_server("graph", lambda: 3, data_dir=tmp_path) == 3
    assert run_server("graph", raising(StorageError("The disk is full.")), data_dir=tmp_path) == 1
    lost = FileNotFoundError(2, "No such file or directory", str(tmp_path))
    assert run_server("graph", raising(lost), data_dir=tmp_path) == 1

    full, gone = capfd.readouterr().err.splitlines()
    assert full == "graph: The disk is full."
    assert gone.startswith("graph: ")
    assert "No such file or directory" in gone
    assert str(tmp_path) not in gone


@pytest.mark.usefixtures("_own_umask")
def test_what_a_server_writes_is_for_this_user_alone(tmp_path: Path) -> None:
    def serve() -> int:
        (tmp_path / "written").write_text("")
        return 0

    run_server("graph", serve, data_dir=tmp_path)

    assert mode(tmp_path / "written") == 0o600


def test_a_server_is_told_where_and_how_long() -> None:
    told = ["--data-dir", "d", "--run-dir", "r", "--idle-minutes", "0.5"]

    given = server_process.ServerOptions(**vars(server_arguments("module").parse_args(told)))

    assert given == server_process.ServerOptions(
        data_dir=Path("d"), run_dir=Path("r"), idle_minutes=0.5, owner=None, copy_of=None
    )
