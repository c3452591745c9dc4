"""The Python way in: a vault to ask, search and index."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from graphs.checkpoints.deferred_saver import DeferredSaver
from graphs.contradictions.report import (
    VaultConflicts,
    compare_notes,
    dismiss,
    known_conflicts,
    mark_seen,
    scan_for_conflicts,
)
from graphs.core.deps import Deps
from graphs.core.graph_backends import graph_for
from graphs.core.inferred_facts import inferred_warnings
from graphs.core.ingest_report import IngestReport
from graphs.core.run_log import Observer
from graphs.core.state import (
    QueryContext,
    QueryInput,
    Until,
)
from graphs.ingest.graph import Progress
from graphs.ingest.runner import IngestRunner
from graphs.ingest.sync_graph import catch_up_with_graph
from graphs.query import replies
from graphs.query.freshness_warnings import freshness_warnings
from graphs.query.interpret import question_context
from graphs.query.progress import QueryProgress
from graphs.query.retrieval import facts as recall
from graphs.query.retrieval.evolution import find_evolution
from graphs.query.retrieval.facts import Connection, Facts
from graphs.query.retrieval.retrievers import with_route
from graphs.query.runner import QueryRun, QueryRunner
from graphs.stores.index_lock import is_interrupted
from tools.base import guards
from tools.base.domain import (
    Answer,
    Evolution,
    Intent,
    Moment,
    Neighbourhood,
    Period,
    QueryPlan,
    Result,
    SourceWarning,
)
from tools.base.errors import InputError
from tools.graph.access.secrets import Login
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.changes_over_time import within
from tools.graph.store import NOW
from tools.settings.settings import Settings

if TYPE_CHECKING:
    from graphs.links.links import VaultLinks


class Brain:
    """A vault to ask. Made by ``open_brain``; bound to the event loop it was opened in."""

    def __init__(self, deps: Deps, *, saver: BaseCheckpointSaver[str]) -> None:
        self._deps = deps
        self._threads = saver
        self._saver = DeferredSaver(saver)
        self._by_login: dict[str, tuple[str, Brain, GraphitiStore]] = {}
        observer = Observer(deps.settings, deps.catalog)
        self._query = QueryRunner(deps, self._saver, observer, keep=self._saver.keep)
        self._ingest = IngestRunner(deps, observer)

    @property
    def settings(self) -> Settings:
        return self._deps.settings

    @property
    def deps(self) -> Deps:
        """The stores and decisions, for tools that look nodes and notes up."""
        return self._deps

    @cached_property
    def links(self) -> "VaultLinks":
        """Links between the notes: suggested, looked at, written and taken out again."""
        from graphs.links.links import VaultLinks  # what only asks loads none of it

        return VaultLinks(self._deps, self._threads, index=self.index, catch_up=self._catch_up)

    async def with_login(self, login: Login) -> "Brain":
        """The same vault, whose graph is asked with a caller's own login; one for each user.

        What changed in the vault is still written to the graph with the program's.
        """
        known = self._by_login.get(login.user)
        if known is not None and known[0] == login.secret:
            return known[1]
        graph = GraphitiStore(graph_for(self.settings, login))
        own = Brain(replace(self._deps, graph=graph), saver=self._threads)
        self._by_login[login.user] = login.secret, own, graph
        if known is not None:
            await known[2].close()
        return own

    async def close_logins(self) -> None:
        """End the connections that ``with_login`` made."""
        for _, _, graph in self._by_login.values():
            await graph.close()
        self._by_login.clear()

    async def ask(
        self,
        question: str,
        *,
        intent: Intent | None = None,
        thread_id: str | None = None,
        context: QueryContext | None = None,
        on_progress: Callable[[QueryProgress], None] | None = None,
    ) -> Answer:
        """Answer a question, or ask back.

        When it asks back, ``status`` is ``needs_clarification`` or ``needs_confirmation`` and
        ``resume`` goes on. ``on_progress`` hears of steps, and a model's words as it writes them.
        Raises InputError.
        """
        asked: QueryInput = {"question": question, "intent": intent}
        run = QueryRun(
            asked=asked,
            thread=guards.thread_id(thread_id) if thread_id else secrets.token_hex(4),
            context=context or QueryContext(),
            on_progress=on_progress,
        )
        if not thread_id:  # nobody can go on with it unless it asks back
            self._saver.defer(run.thread)
        try:
            return await self._query.run(run)
        finally:
            self._saver.drop(run.thread)

    async def resume(
        self,
        thread_id: str,
        reply: str,
        *,
        context: QueryContext | None = None,
        on_progress: Callable[[QueryProgress], None] | None = None,
    ) -> Answer:
        """Go on with a question that asked back. ``reply`` is an option's number, or a subject.

        Without a ``context`` it goes on as it was asked. Raises InputError when the thread has no
        open question or the number is out of range; the question then stays open.
        """
        thread = guards.thread_id(thread_id)
        payload = await self._query.open_question(thread)
        if payload is None:
            raise InputError(
                f"No question is waiting in thread {thread!r}: ask again; what asks back names the "
                "thread that waits."
            )
        confirmed = payload["kind"] == "confirmation" and replies.agreed(reply) is not None
        if payload["options"] and not confirmed:
            replies.check_number(reply, options=len(payload["options"]))
        run = QueryRun(
            asked=Command(resume=reply),
            thread=thread,
            context=context or await self.query_context(thread),
            on_progress=on_progress,
        )
        return await self._query.run(run)

    async def query_context(self, thread_id: str) -> QueryContext:
        """Give the knobs of the thread's last question; the defaults where it has none."""
        return await self._query.context(guards.thread_id(thread_id))

    async def wake(self) -> None:
        """Start the local servers, or use them, so that they do not end. Raises SourceError."""
        await self._deps.wake()
        await self._deps.index.status()
        await self._deps.graph.status()

    async def interpret(self, question: str, *, intent: Intent | None = None) -> QueryPlan:
        """Read a question without searching. Raises InputError."""
        return await read_question(self._deps, question, intent=intent)

    async def search(self, words: str, *, limit: int = 10) -> tuple[Result, ...]:
        """Notes for some words, from all searches, best first, excerpts verified."""
        return (await self.answer_of_search(words, limit=limit)).results

    async def answer_of_search(
        self, words: str, *, limit: int = 10, until: Until = "read"
    ) -> Answer:
        """The same as an answer, which says what failed besides. Raises InputError.

        It is only ``found`` in a third of the time: the first note is right a little less often.
        """
        context = QueryContext(interactive=False, limit=limit, mode="local", until=until)
        answer = await self.ask(words, intent="exploratory", context=context)
        return replace(answer, results=answer.results[:limit])

    async def facts(self, subject: str, *, at: Moment = NOW, ever: bool = False) -> Facts:
        """What a note, or what is said about a thing, holds at a moment; ``ever``: at any time.

        Raises InputError for a subject without words, SourceError when the graph does not answer.
        """
        lacking = await self._catch_up()
        found = await recall.find_facts(self._deps, guards.subject(subject), at=at, ever=ever)
        return replace(found, warnings=lacking)

    async def evolution(
        self, concept: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> Evolution:
        """What happened to the notes about a concept from ``since`` to ``until``, oldest first.

        Raises InputError for a concept without words, SourceError when the graph does not answer.
        """
        lacking = await self._catch_up()
        found = await find_evolution(self._deps, guards.subject(concept))
        return replace(within(found, Period(start=since, end=until)), warnings=lacking)

    async def neighbourhood(
        self, name: str, *, hops: int = 1, limit: int = 200, at: Moment | None = NOW
    ) -> Neighbourhood:
        """What lies within ``hops`` (1..4) of the things called ``name``; None is at any time.

        Raises InputError and SourceError.
        """
        lacking = await self._catch_up()
        subject = guards.subject(name)
        paths = await asyncio.to_thread(recall.notes_by_name, self._deps, subject)
        found = await self._deps.graph.around(paths, [subject], hops=hops, limit=limit, at=at)
        return replace(found, warnings=lacking)

    async def connection(
        self, start: str, end: str, *, hops: int = 4, at: Moment = NOW
    ) -> Connection:
        """The way of at most ``hops`` (1..4) edges between two notes that tells most, at a moment.

        Raises InputError and SourceError.
        """
        lacking = await self._catch_up()
        names = guards.subject(start), guards.subject(end)
        found = await recall.find_connection(self._deps, *names, hops=hops, at=at)
        return replace(found, warnings=lacking)

    async def contradictions(
        self, *, unsure: bool = False, on_progress: Callable[[Progress], None] | None = None
    ) -> VaultConflicts:
        """What the whole vault contradicts itself in, and what changed; the first time takes long.

        ``unsure`` adds what is less sure. An interrupted run goes on where it was. Raises
        BusyError, SourceError and StorageError.
        """
        await self.compare_notes(on_progress)
        found = await self.known_contradictions(unsure=unsure)
        await asyncio.to_thread(mark_seen, self._deps, found.found)
        return found

    async def compare_notes(self, on_progress: Callable[[Progress], None] | None = None) -> None:
        """Look through the vault, or what is new in it, as ``contradictions`` does before it tells.

        Raises BusyError, SourceError and StorageError.
        """
        await self._catch_up()
        await compare_notes(self._deps, on_progress or (lambda _: None))

    async def known_contradictions(self, *, unsure: bool = False) -> VaultConflicts:
        """The same as is known by now, at once; it stays new. Raises StorageError."""
        return await known_conflicts(self._deps, unsure=unsure)

    async def scan_contradictions(self) -> None:
        """Compare what is not compared yet, for one who holds ``only_scan``.

        Raises SourceError and StorageError.
        """
        await self._catch_up()
        await scan_for_conflicts(self._deps, lambda _: None)

    async def dismiss_contradictions(self, keys: Sequence[str]) -> int:
        """Never tell of these again; how many were told of until now. Raises InputError."""
        return await asyncio.to_thread(dismiss, self._deps, keys)

    async def index(
        self,
        *,
        rebuild: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Bring text index, graph and vectors up to date with the vault.

        One run at a time: raises InputError when another is under way.
        """
        return await self._ingest.run(rebuild=rebuild, on_progress=on_progress)

    async def _catch_up(self) -> tuple[SourceWarning, ...]:
        """Bring the graph to what is on disk, as far as a question can wait; say what it lacks."""
        fresh, unreadable, _ = await asyncio.gather(
            catch_up_with_graph(self._deps),
            asyncio.to_thread(inferred_warnings, self._deps.inferred),
            self._deps.wake(),
        )
        # Only now: catching up holds the same lock as a run that is under way.
        interrupted = await asyncio.to_thread(is_interrupted, self.settings, self._deps.catalog)
        read_only = self.settings.read_only
        return (
            *freshness_warnings(fresh, interrupted=interrupted, read_only=read_only),
            *unreadable,
        )


async def read_question(deps: Deps, question: str, *, intent: Intent | None = None) -> QueryPlan:
    """Read a question as the graph would. Raises InputError."""
    asked = await asyncio.to_thread(question_context, deps, QueryContext(), intent=intent)
    return with_route(await deps.interpret(guards.question(question), asked))
