"""The service process: a vault kept open, so that an answer needs no start of anything.

It listens on a Unix socket in the run directory, and on a loopback port where one is given. Whoever
calls needs the token in the data directory.
"""

import asyncio
import contextlib
import hmac
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from graphs.core.credentials import OWNER, find_credential, lowered
from graphs.service.client import MCP_PATH, NAME, socket_file, token_draft, token_file
from tools.base.errors import BrainError, InputError, StorageError
from tools.runtime.server_process import (
    Owner,
    ServerOptions,
    announced,
    locked,
    private_run_dir,
    run_server,
    server_arguments,
)
from tools.runtime.services import Service
from tools.settings.sources import find_place

if TYPE_CHECKING:
    import uvicorn

    from graphs.brain import Brain
    from graphs.core.credentials import Credential
    from tools.settings.settings import Settings

_MODULE = "graphs.service.process"
_GRACE_SECONDS = 2
_KEEP_ALIVE_SECONDS = 30
_HEAD_SECONDS = 10.0
_MOST_BY_PORT = 64
"""Connections by the port; those by the Unix socket are the user's own."""
_BACKLOG = 64
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(ServerOptions):
    vault: Path
    port: int | None


def query_service(settings: "Settings", *, port: int | None = None) -> Service:
    """Describe the service process of a vault."""
    owner = settings.services_owner
    return Service(
        name=NAME,
        module=_MODULE,
        socket=socket_file(settings.run_dir),
        arguments=(
            *("--vault", str(settings.vault)),
            *("--data-dir", str(settings.data_dir)),
            *("--run-dir", str(settings.run_dir)),
            *("--idle-minutes", str(settings.idle_minutes)),
            *(() if owner is None else ("--owner", str(owner))),
            *(() if port is None else ("--port", str(port))),
        ),
        models=True,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to end; 1, with a line that says why, where that cannot be."""
    parser = server_arguments(_MODULE)
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--port", type=int)
    options = Options(**vars(parser.parse_args(arguments)))
    meanings = {signal.SIGINT: _leave, signal.SIGTERM: _leave, signal.SIGHUP: _terminate}
    for number, meaning in meanings.items():
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(number, meaning)
    return run_server("brain", lambda: _own(options), data_dir=options.data_dir)


def _leave(*_: object) -> None:
    raise SystemExit(0)


def _terminate(*_: object) -> None:
    """What a closed terminal means; the HTTP server knows how to end in order by the other one."""
    signal.raise_signal(signal.SIGTERM)


def _own(options: Options) -> int:
    """Hold the lock and the sockets while serving."""
    path = socket_file(options.run_dir)
    private_run_dir(options.run_dir)
    with locked(path.with_suffix(".lock")) as lock:
        if lock is None:
            raise InputError("`brain serve` runs for this vault already; `brain stop` ends it.")
        with (
            announced(path) as found,
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener,
            _on_loopback(options.port) as public,
        ):
            listener.bind(str(path))
            listener.listen(_BACKLOG)
            sockets = [listener, *public]
            asyncio.run(_serve(options, sockets, found=found))
    return 0


@contextmanager
def _on_loopback(port: int | None) -> Generator[list[socket.socket]]:
    if port is None:
        yield []
        return
    try:
        listener = socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise InputError(f"Port {port} cannot be used ({error.strerror}): give another.") from None
    with listener:
        yield [listener]


async def _serve(
    options: Options,
    sockets: Sequence[socket.socket],
    *,
    found: Callable[[], bool],
) -> None:
    import uvicorn

    from graphs.app import open_brain
    from graphs.service.mcp_app import application, guarded

    place = find_place({"vault": options.vault, "data_dir": options.data_dir})
    if place is None:
        raise InputError("The vault's path cannot be followed.")
    token(options.data_dir)
    async with open_brain(options.vault, data_dir=options.data_dir) as brain:
        server = uvicorn.Server(
            uvicorn.Config(
                guarded(
                    application(brain, mark=place.mark),
                    mark=place.mark,
                    identify=partial(identify, brain.settings),
                ),
                http=_impatient_protocol(),
                lifespan="on",
                log_level="warning",
                access_log=False,
                backlog=_BACKLOG,
                ws="none",
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_GRACE_SECONDS,
            )
        )
        behind = [
            asyncio.create_task(_watch(server, options=options, found=found)),
            asyncio.create_task(_keep_awake(brain, minutes=options.idle_minutes)),
            asyncio.create_task(_load_identifier()),
        ]
        _announce(options, sockets)
        try:
            await server.serve(sockets=list(sockets))
        finally:
            for task in behind:
                task.cancel()


def _impatient_protocol() -> "type[asyncio.Protocol]":
    """HTTP that hangs up on whoever connects and asks nothing, and on too many at the port.

    Any user of the machine can connect to a port, and a process has only so many connections.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    by_port: set[asyncio.Protocol] = set()

    class Impatient(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            super().connection_made(transport)
            self.loop.call_later(_HEAD_SECONDS, self._expect_request)
            if transport.get_extra_info("socket").family != socket.AF_UNIX:
                by_port.add(self)
                if len(by_port) > _MOST_BY_PORT:
                    transport.close()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            by_port.discard(self)

        def _expect_request(self) -> None:
            if not self.cycle:  # no head of a request is complete
                self.transport.close()

    return Impatient


def _announce(options: Options, sockets: Sequence[socket.socket]) -> None:
    ports = [one.getsockname()[1] for one in sockets[1:]]
    where = "".join(f" and at http://127.0.0.1:{port}{MCP_PATH}" for port in ports)
    sys.stdout.write(f"Answering for {options.vault.name!r}{where}; Ctrl-C ends it.\n")
    sys.stdout.flush()


async def _watch(
    server: "uvicorn.Server",
    *,
    options: Options,
    found: Callable[[], bool],
) -> None:
    """Tell the server to end with its owner, or once none finds it."""
    owner = Owner(options.owner)
    while True:
        if owner.gone() or not found():
            server.should_exit = True
        await asyncio.sleep(_LOOK_SECONDS)


async def _keep_awake(brain: "Brain", *, minutes: float) -> None:
    """Use the local servers before they end for want of use: an answer waits for none."""
    while True:
        with contextlib.suppress(BrainError, OSError):
            await brain.wake()
        await asyncio.sleep(minutes * 60 / 3)


async def _load_identifier() -> None:
    """What tells languages apart takes half a second to load: a question shall find it there."""
    from tools.text.other_languages import identifier

    with contextlib.suppress(OSError):
        await asyncio.to_thread(identifier)


def identify(settings: "Settings", secret: str, tier: str | None) -> "Credential | None":
    """Who shows this secret, with the rights of the lower ``tier`` where it asks for one.

    Raises AccessError for a token that has expired, InputError for a tier that is not there.
    """
    kept = kept_token(settings.data_dir)
    if kept and hmac.compare_digest(secret.encode(), kept.encode()):
        known = OWNER
    else:
        known = find_credential(settings, secret)
    return known and lowered(settings, known, tier)


def kept_token(data_dir: Path) -> str | None:
    """The token as it is now: who deletes the file locks everybody out until it is made anew."""
    try:
        return token_file(data_dir).read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def token(data_dir: Path) -> str:
    """The user's token for this vault, made once. Raises StorageError where it cannot be kept."""
    file = token_file(data_dir)
    try:
        kept = file.read_text("ascii").strip() if file.exists() else ""
        if not kept:  # or the disk was full when it was written
            kept = secrets.token_urlsafe(32)
            draft = token_draft(data_dir)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as stream:
                stream.write(kept)
            draft.replace(file)
        file.chmod(0o600)
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(
            "The token in the data directory cannot be kept: free some space, check permissions, "
            "or delete serve.token."
        ) from error
    return kept


if __name__ == "__main__":
    sys.exit(main())
