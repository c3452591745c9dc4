"""Our search as a LangChain retriever, for use in other LangChain programs."""

import asyncio
import copy
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, override
from weakref import finalize

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import PrivateAttr

from graphs.app import open_brain
from graphs.brain import Brain
from tools.base.domain import Excerpt, Result


class BrainRetriever(BaseRetriever):
    """Finds passages of one vault: ``BrainRetriever(vault="~/notes").invoke("late caffeine")``.

    Each document is one quoted passage, the best first, at most ``k``, which ``invoke`` takes as
    well. Metadata: ``source`` and ``note_path`` (the note's path in the vault), ``note_title``,
    ``line_start``, ``line_end``, ``heading``, ``score``.

    The vault is opened by the first search and stays open until ``close``, the end of a ``with``
    block, of the retriever or of the program. Searches work in any thread, and inside a running
    event loop as notebooks have it. Raises InputError and StorageError.
    """

    vault: str
    data_dir: str | None = None
    k: int = 10

    _opened: "_Opened | None" = PrivateAttr(default=None)
    _opening: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    @override
    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        opened = await asyncio.to_thread(self._open)
        return await asyncio.wrap_future(opened.begin(_documents(opened.brain, query, k or self.k)))

    @override
    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        opened = self._open()
        return opened.begin(_documents(opened.brain, query, k or self.k)).result()

    def _open(self) -> "_Opened":
        with self._opening:
            if self._opened is None:
                self._opened = _Opened(self.vault, self.data_dir)
                # Whoever collects garbage must not wait for it; at the program's end it just ends.
                finalize(self, self._opened.end).atexit = False
            return self._opened

    def close(self) -> None:
        """Let go of the vault; the next search opens it again, one under way is cancelled."""
        with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    @override
    def __copy__(self) -> Self:
        """A retriever of the same vault that opens and closes it for itself."""
        return type(self)(**{name: getattr(self, name) for name in type(self).model_fields})

    @override
    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**copy.deepcopy(fields, memo))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


class _Opened:
    """A Brain that is open on an event loop of its own, in a thread of its own."""

    def __init__(self, vault: str, data_dir: str | None) -> None:
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        opening = Future[Brain]()
        # A daemon: a program that never closes it ends all the same.
        self._thread = threading.Thread(
            target=self._run,
            args=(vault, data_dir, opening),
            name="brain-retriever",
            daemon=True,
        )
        self._thread.start()
        self.brain = opening.result()

    def _run(self, vault: str, data_dir: str | None, opening: Future[Brain]) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._stay(vault, data_dir, opening))

    async def _stay(self, vault: str, data_dir: str | None, opening: Future[Brain]) -> None:
        try:
            async with open_brain(vault, data_dir=data_dir) as brain:
                opening.set_result(brain)
                await self._ended.wait()
        except BaseException as error:
            if opening.done():
                raise
            opening.set_exception(error)

    def begin[T](self, work: Coroutine[None, None, T]) -> Future[T]:
        """Have the loop do it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def end(self) -> None:
        """Have the Brain closed, without waiting for it; again is nothing."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._ended.set)

    def close(self) -> None:
        """Have the Brain closed, and wait for it."""
        self.end()
        self._thread.join()


async def _documents(brain: Brain, query: str, k: int) -> list[Document]:
    found = [
        _document(result, excerpt)
        for result in await brain.search(query, limit=k)
        for excerpt in result.excerpts
    ]
    return found[:k]


def _document(result: Result, excerpt: Excerpt) -> Document:
    return Document(
        page_content=excerpt.text,
        metadata={
            "source": result.note_path,
            "note_path": result.note_path,
            "note_title": result.note_title,
            "line_start": excerpt.line_start,
            "line_end": excerpt.line_end,
            "heading": excerpt.heading,
            "score": result.composite_relevance,
        },
    )
