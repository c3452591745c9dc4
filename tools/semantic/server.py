"""The semantic server: one process that holds the encoder and Chroma, on a Unix socket.

It ends on SIGTERM, when nobody asked for a while, with its owner, or when its socket is gone.
"""

import argparse
import asyncio
import contextlib
import fcntl
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tools.errors import (
    BrainError,
    InputError,
    ModelUnavailableError,
    StorageError,
    StoreVersionError,
)
from tools.services import private_dir

if TYPE_CHECKING:
    import psutil
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tools.semantic.index import ChunkIndex

NAME = "semantic"
_WATCH_SECONDS = 0.5
_GRACE_SECONDS = 2
_KEEP_ALIVE_SECONDS = 300
_HANDOVER_SECONDS = 3.0
_STATUS_CODES: dict[type[BrainError], int] = {
    InputError: 400,
    StoreVersionError: 409,
    ModelUnavailableError: 503,
    StorageError: 507,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    data_dir: Path
    run_dir: Path
    idle_minutes: float
    owner: int | None
    model: str
    ollama_url: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to end; 0 also when another server has the lock, 1 with a reason."""
    options = _options(arguments)
    os.umask(0o077)
    signal.signal(signal.SIGTERM, _leave)
    try:
        private_dir(options.run_dir)
        with _lock(options.run_dir / f"{NAME}.lock") as locked:
            if locked:
                with _index_lock(options.data_dir), _listening(options.run_dir) as listener:
                    asyncio.run(_serve(options, listener))
    except BrainError as error:
        sys.stderr.write(f"{NAME}: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"{NAME}: the data directory cannot be used ({error.strerror})\n")
        return 1
    return 0


def _leave(*_: object) -> None:
    raise SystemExit(0)


def _options(arguments: Sequence[str] | None) -> Options:
    parser = argparse.ArgumentParser(prog="tools.semantic.server")
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--idle-minutes", type=float, default=15.0)
    parser.add_argument("--owner", type=int)
    parser.add_argument("--model", required=True)
    parser.add_argument("--ollama-url", default="")
    return Options(**vars(parser.parse_args(arguments)))


@contextlib.contextmanager
def _lock(path: Path) -> Generator[bool]:
    """Hold the lock until the block ends; yields False if another process has it."""
    with path.open("a") as file:
        yield _taken(file)


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def _index_lock(data_dir: Path) -> Generator[None]:
    """Keep a server of another run directory off the same index: two writers would damage it."""
    deadline = time.monotonic() + _HANDOVER_SECONDS
    with (data_dir / f"{NAME}.lock").open("a") as file:
        while not _taken(file):
            if time.monotonic() > deadline:
                raise StorageError(
                    "the index is held by a server of another login session: end it with "
                    "`brain stop` there, or wait until it is idle"
                )
            time.sleep(_WATCH_SECONDS)
        yield


@contextlib.contextmanager
def _listening(run_dir: Path) -> Generator[socket.socket]:
    """Listen at once; whoever connects waits in the queue until the server reads."""
    path, pid = run_dir / f"{NAME}.sock", run_dir / f"{NAME}.pid"
    path.unlink(missing_ok=True)
    pid.write_text(str(os.getpid()), "ascii")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            listener.bind(str(path))
            listener.listen(128)
            yield listener
        finally:
            path.unlink(missing_ok=True)
            pid.unlink(missing_ok=True)


async def _serve(options: Options, listener: socket.socket) -> None:
    import uvicorn

    opening = _Opening(options)
    opening.begin()
    activity = _Activity()
    server = uvicorn.Server(
        uvicorn.Config(
            _watched(application(opening.index, model=options.model), activity),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
    )
    watch = asyncio.create_task(_watch(server, activity, options))
    await server.serve(sockets=[listener])
    watch.cancel()


class _Opening:
    """Loads the model and opens the index beside the event loop; a failed try may be repeated."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._task: asyncio.Task[ChunkIndex] | None = None

    def begin(self) -> "asyncio.Task[ChunkIndex]":
        if self._task is None or (self._task.done() and self._task.exception()):
            self._task = asyncio.create_task(asyncio.to_thread(self._open))
        return self._task

    async def index(self) -> "ChunkIndex":
        # One caller who gives up must not take the others' index away.
        return await asyncio.shield(self.begin())

    def _open(self) -> "ChunkIndex":
        from tools.semantic.encoder import load_encoder
        from tools.semantic.index import open_client, open_index

        options = self._options
        encoder = load_encoder(options.model, ollama_url=options.ollama_url)
        return open_index(open_client(options.data_dir / "chroma"), encoder)


@dataclass(slots=True)
class _Activity:
    """How many requests are running and when the last one ended (monotonic seconds)."""

    running: int = 0
    last: float = field(default_factory=time.monotonic)


def _watched(app: "ASGIApp", activity: _Activity) -> "ASGIApp":
    async def count(scope: "Scope", receive: "Receive", send: "Send") -> None:
        activity.running += 1
        try:
            await app(scope, receive, send)
        finally:
            activity.running -= 1
            activity.last = time.monotonic()

    return count


async def _watch(server: "uvicorn.Server", activity: _Activity, options: Options) -> None:
    """Tell the server to end once it is of no more use."""
    owner = _owner(options.owner)
    path = options.run_dir / f"{NAME}.sock"
    while True:
        idle = not activity.running and (
            time.monotonic() - activity.last > options.idle_minutes * 60
        )
        abandoned = options.owner is not None and not _alive(owner)
        if idle or abandoned or not path.exists():
            server.should_exit = True
        await asyncio.sleep(_WATCH_SECONDS)


def _owner(pid: int | None) -> "psutil.Process | None":
    import psutil

    try:
        return None if pid is None else psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


def _alive(process: "psutil.Process | None") -> bool:
    import psutil

    try:
        # is_running also tells a new process with the same number from the old one.
        return (
            process is not None
            and process.is_running()
            and process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False


def application(opened: "Callable[[], Awaitable[ChunkIndex]]", *, model: str) -> "Starlette":
    """Build the routes over an index that may still be loading when the first request comes.

    A request whose ``x-model`` names another model than ``model`` is refused.
    """
    from pydantic import TypeAdapter, ValidationError
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    question = TypeAdapter(tuple[str, int])
    passages = TypeAdapter(list[tuple[str, str]])
    strings = TypeAdapter(list[str])

    async def index(request: "Request") -> "ChunkIndex":
        if request.headers.get("x-model", model) != model:
            raise InputError(
                f"The semantic server still runs with embedding model {model}, not with the one "
                "of your settings: run `brain stop`, then index again."
            )
        return await opened()

    async def search(request: "Request") -> "Response":
        text, limit = question.validate_json(await request.body())
        return JSONResponse(await (await index(request)).search(text, limit=limit))

    async def upsert(request: "Request") -> "Response":
        items = passages.validate_json(await request.body())
        return JSONResponse(await (await index(request)).upsert(items))

    async def delete(request: "Request") -> "Response":
        await (await index(request)).delete(strings.validate_json(await request.body()))
        return Response(status_code=204)

    async def embed(request: "Request") -> "Response":
        vectors = await (await index(request)).embed(strings.validate_json(await request.body()))
        rows, columns = vectors.shape
        return Response(
            vectors.astype("<f4").tobytes(),
            media_type="application/octet-stream",
            headers={"x-rows": str(rows), "x-columns": str(columns)},
        )

    async def ids(request: "Request") -> "Response":
        return JSONResponse(sorted(await (await index(request)).ids()))

    async def status(request: "Request") -> "Response":
        return JSONResponse(asdict(await (await index(request)).status()))

    async def reset(request: "Request") -> "Response":
        await (await index(request)).reset()
        return Response(status_code=204)

    def failed(_: "Request", error: Exception) -> "Response":
        code = next((code for kind, code in _STATUS_CODES.items() if isinstance(error, kind)), 500)
        return JSONResponse({"error": type(error).__name__, "message": str(error)}, code)

    def malformed(_: "Request", error: Exception) -> "Response":  # noqa: ARG001
        return JSONResponse(
            {"error": "InputError", "message": "The request has another shape than expected."}, 400
        )

    return Starlette(
        routes=[
            Route("/search", search, methods=["POST"]),
            Route("/upsert", upsert, methods=["POST"]),
            Route("/delete", delete, methods=["POST"]),
            Route("/embed", embed, methods=["POST"]),
            Route("/ids", ids),
            Route("/status", status),
            Route("/reset", reset, methods=["POST"]),
        ],
        exception_handlers={BrainError: failed, ValidationError: malformed},
    )


if __name__ == "__main__":
    sys.exit(main())
