"""The semantic server: one process that holds the encoder and the vectors, on a Unix socket.

It ends on SIGTERM, when nobody asked for a while, with its owner, or when its socket is gone.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tools.base.domain import Marked, Reading
from tools.base.errors import (
    BrainError,
    InputError,
    ModelUnavailableError,
    ServiceUnavailableError,
    SourceError,
    StorageError,
    StoreVersionError,
)
from tools.runtime.event_log import EventLog, server_log
from tools.runtime.server_process import (
    Owner,
    ServerOptions,
    announced,
    in_use,
    locked,
    private_run_dir,
    run_server,
    server_arguments,
    store_of,
)
from tools.semantic.choosing import encoder_named
from tools.semantic.chroma_server import store_mark
from tools.semantic.loading import (
    Loading,
    load_evidence_reader,
    load_index,
    load_pair_reader,
    load_reader,
    load_tagger,
)
from tools.semantic.similarity import Kind

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tools.semantic.evidence_reader import EvidenceReader
    from tools.semantic.index import ChunkIndex, Vectors
    from tools.semantic.pair_reader import PairReader
    from tools.semantic.phrase_tagger import PhraseTagger
    from tools.semantic.question import QuestionReader

NAME = "semantic"
_WATCH_SECONDS = 0.5
_GRACE_SECONDS = 2
_KEEP_ALIVE_SECONDS = 300
_HANDOVER_SECONDS = 3.0
_STATUS_CODES: dict[type[BrainError], int] = {
    InputError: 400,
    StoreVersionError: 409,
    ModelUnavailableError: 503,
    ServiceUnavailableError: 503,
    SourceError: 502,
    StorageError: 507,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(ServerOptions):
    model: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to end; 0 also when another server has the lock, 1 with a reason."""
    parser = server_arguments("tools.semantic.server")
    parser.add_argument("--model", required=True)
    options = Options(**vars(parser.parse_args(arguments)))
    ending = _Ending()
    signal.signal(signal.SIGTERM, ending)
    return run_server(NAME, lambda: _own(options, ending), data_dir=options.data_dir)


@dataclass(slots=True)
class _Ending:
    """What SIGTERM does until uvicorn takes care of it.

    Where the exception ends nothing, as in a callback of the import of a module, it is ``told``.
    """

    told: bool = False

    def __call__(self, *_: object) -> None:
        self.told = True
        raise SystemExit(0)


def _own(options: Options, ending: _Ending) -> int:
    """Hold the locks and the socket while serving."""
    path = options.run_dir / f"{NAME}.sock"
    private_run_dir(options.run_dir)
    with locked(path.with_suffix(".lock")) as lock:
        if lock is None:
            return 0
        # Two servers of different run directories would damage the index they both write.
        with locked(options.data_dir / f"{NAME}.lock", patience=_HANDOVER_SECONDS) as index_lock:
            if index_lock is None:
                raise StorageError(
                    "the index is held by a server of another login session: end it with "
                    "`brain stop` there, or wait until it is idle"
                )
            with (
                store_of(options, "chroma") as store,
                announced(path) as found,
                socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener,
            ):
                # Whoever connects from now on waits in the queue until the server reads.
                listener.bind(str(path))
                listener.listen(128)
                used = in_use(store)
                try:
                    asyncio.run(
                        _serve(options, listener, wanted=lambda: found() and not ending.told)
                    )
                except SystemExit:  # uvicorn raises the signal again once it has ended in order
                    used.unlink(missing_ok=True)
                    raise
                used.unlink(missing_ok=True)
    return 0


async def _serve(options: Options, listener: socket.socket, *, wanted: Callable[[], bool]) -> None:
    import uvicorn

    encoder = encoder_named(options.model, options.copy_of or options.data_dir)
    index = Loading(partial(load_index, encoder, data_dir=options.data_dir))
    reader, tagger = Loading(load_reader), Loading(load_tagger)
    evidence = Loading(partial(load_evidence_reader, encoder))
    pairs = Loading(load_pair_reader)
    for one in (index, reader, tagger, evidence, pairs):
        one.begin()
    activity = _Activity()
    server = uvicorn.Server(
        uvicorn.Config(
            _watched(
                application(
                    index,
                    reader,
                    tagger,
                    evidence,
                    pairs,
                    model=options.model,
                    store=store_mark(os.environ),
                ),
                activity,
                server_log(options.data_dir),
            ),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
    )
    watch = asyncio.create_task(_watch(server, activity, options=options, wanted=wanted))
    await server.serve(sockets=[listener])
    watch.cancel()


@dataclass(slots=True)
class _Activity:
    """How many requests are running and when the last one ended (monotonic seconds)."""

    running: int = 0
    last: float = field(default_factory=time.monotonic)


def _watched(app: "ASGIApp", activity: _Activity, events: EventLog) -> "ASGIApp":
    async def count(scope: "Scope", receive: "Receive", send: "Send") -> None:
        activity.running += 1
        began = time.monotonic()
        try:
            await app(scope, receive, send)
        finally:
            activity.running -= 1
            activity.last = time.monotonic()
            took = round((activity.last - began) * 1000, 1)
            events.debug("request", route=str(scope.get("path", "")), ms=took)

    return count


async def _watch(
    server: "uvicorn.Server", activity: _Activity, *, options: Options, wanted: Callable[[], bool]
) -> None:
    """Tell the server to end once it is of no more use or no longer ``wanted``.

    That it is not where it was told to end, or where clients no longer find it.
    """
    owner = Owner(options.owner)
    while True:
        idle = not activity.running and (
            time.monotonic() - activity.last > options.idle_minutes * 60
        )
        if idle or owner.gone() or not wanted():
            server.should_exit = True
        await asyncio.sleep(_WATCH_SECONDS)


def application(
    opened: "Callable[[], Awaitable[ChunkIndex]]",
    reading: "Callable[[], Awaitable[QuestionReader]]",
    tagging: "Callable[[], Awaitable[PhraseTagger]]",
    weighing: "Callable[[], Awaitable[EvidenceReader]]",
    relating: "Callable[[], Awaitable[PairReader]]",
    *,
    model: str,
    store: str,
) -> "Starlette":
    """Build the routes over what may still be loading when the first request comes.

    A request to the index whose ``x-model`` names another model than ``model``, or whose
    ``x-store`` is the mark of another store, is refused.
    Questions are read by the built-in encoder of English whatever the index uses.
    """
    import numpy as np
    from pydantic import TypeAdapter, ValidationError
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    question = TypeAdapter(tuple[str, int, Kind])
    pairs = TypeAdapter(list[tuple[str, str]])
    strings = TypeAdapter(list[str])
    near = TypeAdapter(tuple[list[str], int])
    one_text = TypeAdapter(str)
    marked = TypeAdapter(tuple[list[Marked], Reading])

    async def index(request: "Request") -> "ChunkIndex":
        if request.headers.get("x-model", model) != model:
            raise InputError(
                f"The semantic server still runs with encoder {model}, not with the one "
                "of your settings: run `brain stop`, then index again."
            )
        if request.headers.get("x-store", store) != store:
            raise InputError(
                "The semantic server still keeps its vectors elsewhere than your settings say: "
                "run `brain stop`, then index again."
            )
        return await opened()

    async def search(request: "Request") -> "Response":
        text, limit, kind = question.validate_json(await request.body())
        return JSONResponse(await (await index(request)).search(text, limit=limit, kind=kind))

    async def nearest(request: "Request") -> "Response":
        ids, limit = near.validate_json(await request.body())
        return JSONResponse(await (await index(request)).nearest_to(ids, limit=limit))

    async def vectors(request: "Request") -> "Response":
        ids = strings.validate_json(await request.body())
        found = await (await index(request)).vectors(ids)
        missing = np.zeros_like(next(iter(found.values()), np.zeros(0, np.float32)))
        rows = [found.get(id_, missing) for id_ in ids]
        return _as_bytes(np.array(rows, np.float32).reshape(len(ids), len(missing)))

    async def upsert(request: "Request") -> "Response":
        items = pairs.validate_json(await request.body())
        return JSONResponse(await (await index(request)).upsert(items))

    async def delete(request: "Request") -> "Response":
        ids = strings.validate_json(await request.body())
        await (await index(request)).delete(ids)
        return Response(status_code=204)

    async def lost(request: "Request") -> "Response":
        ids = strings.validate_json(await request.body())
        return JSONResponse(await (await index(request)).lost(ids))

    async def embed(request: "Request") -> "Response":
        texts = strings.validate_json(await request.body())
        return _as_bytes(await (await index(request)).embed(texts))

    async def embed_claims(request: "Request") -> "Response":
        texts = strings.validate_json(await request.body())
        return _as_bytes(await (await index(request)).embed_claims(texts))

    async def read(request: "Request") -> "Response":
        text = one_text.validate_json(await request.body())
        reader = await reading()
        return _as_bytes((await asyncio.to_thread(reader.vector, text))[None])

    async def tag(request: "Request") -> "Response":
        text = one_text.validate_json(await request.body())
        tagger = await tagging()
        return _as_bytes(await asyncio.to_thread(tagger.logits, text))

    async def weigh(request: "Request") -> "Response":
        texts, kind = marked.validate_json(await request.body())
        reader = await weighing()
        return JSONResponse(await asyncio.to_thread(reader.scores, texts, kind))

    async def relate(request: "Request") -> "Response":
        claims = pairs.validate_json(await request.body())
        reader = await relating()
        return _as_bytes(await asyncio.to_thread(reader.relations, claims))

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
            Route("/nearest", nearest, methods=["POST"]),
            Route("/vectors", vectors, methods=["POST"]),
            Route("/upsert", upsert, methods=["POST"]),
            Route("/delete", delete, methods=["POST"]),
            Route("/lost", lost, methods=["POST"]),
            Route("/embed", embed, methods=["POST"]),
            Route("/embed-claims", embed_claims, methods=["POST"]),
            Route("/read", read, methods=["POST"]),
            Route("/tag", tag, methods=["POST"]),
            Route("/weigh", weigh, methods=["POST"]),
            Route("/relate", relate, methods=["POST"]),
            Route("/ids", ids),
            Route("/status", status),
            Route("/reset", reset, methods=["POST"]),
        ],
        exception_handlers={BrainError: failed, ValidationError: malformed},
    )


def _as_bytes(vectors: "Vectors") -> "Response":
    from starlette.responses import Response

    rows, columns = vectors.shape
    return Response(
        vectors.astype("<f4").tobytes(),
        media_type="application/octet-stream",
        headers={"x-rows": str(rows), "x-columns": str(columns)},
    )


if __name__ == "__main__":
    sys.exit(main())
