"""The local servers as questions and indexing runs need them: woken, waited for, set right."""

import asyncio
from collections.abc import Sequence

from graphs.core.encoder_choice import named_encoder
from graphs.stores.store_marks import set_aside
from tools.base.domain import Marked, Reading, Scores
from tools.base.errors import BrainError, InputError, SourceError
from tools.graph.store import GraphStore
from tools.runtime.services import (
    ensure,
    graph_service,
    is_running,
    local_services,
    semantic_service,
    stop,
)
from tools.semantic.client import SemanticClient
from tools.settings.settings import Settings

WAKE_SECONDS = 5.0
"""How long a question waits for a server that is starting, before it goes on without."""
_FIRST_START_SECONDS = 120.0
"""How long indexing waits for the semantic server: the first start ever builds the encoder."""


class LocalServers:
    """The semantic server behind ``index``, and the embedded graph's behind ``store``."""

    def __init__(self, settings: Settings, index: SemanticClient, store: GraphStore) -> None:
        self._settings, self._index, self._store = settings, index, store
        self._embedded = settings.graph_uri is None
        self._woken = False

    def patience(self) -> float:
        """Seconds that a question is waited for to be read; nobody waits twice for a start."""
        started = self._index.ready or self._woken
        return self._settings.source_timeout if started else WAKE_SECONDS

    async def wake(self) -> None:
        """Wait until both answer; one that cannot be started says so when it is asked."""
        services = local_services(self._settings)
        running = await asyncio.to_thread(lambda: all(map(is_running, services)))
        # A server that accepts connections may still be loading.
        if not (self._index.ready and running):
            # What a first use imports and opens is no part of a search's time limit either.
            await asyncio.gather(
                self._index.embed(["warm up"], timeout=WAKE_SECONDS),
                self._index.status(timeout=WAKE_SECONDS),  # makes contact with a Chroma server
                self._graph_answers(),
                return_exceptions=True,
            )
            self._woken = True

    async def _graph_answers(self) -> None:
        if self._embedded:
            await ensure(graph_service(self._settings), timeout=WAKE_SECONDS)
        async with asyncio.timeout(WAKE_SECONDS):
            await self._store.superseded([])

    async def weigh(self, texts: Sequence[Marked], reading: Reading) -> Scores | None:
        """The logits that texts answer a question; None where the reader cannot be asked.

        A server that is not there has been told of by the search that needs it, too.
        """
        try:
            return await self._index.weigh(texts, reading, timeout=self._settings.source_timeout)
        except BrainError:
            return None

    async def use_encoder(self) -> None:
        """Have the semantic server run the encoder of the settings. Raises SourceError."""
        named = await asyncio.to_thread(named_encoder, self._settings)
        if await self._running_encoder() != named:
            await stop(semantic_service(self._settings))  # questions must not change that
            await self._index.status(timeout=_FIRST_START_SECONDS)

    async def _running_encoder(self) -> str | None:
        """None for a server that was told another setting."""
        try:
            return (await self._index.status(timeout=_FIRST_START_SECONDS)).encoder
        except InputError:
            return None

    async def empty_graph(self) -> None:
        """Forget the graph, even one whose file its server cannot read. Raises SourceError."""
        try:
            await self._store.reset()
        except SourceError:
            if not self._embedded:
                raise
            await stop(graph_service(self._settings))
            await asyncio.to_thread(set_aside, self._settings.graph_dir)
            await self._store.reset()
