"""The nodes of a question's graph: each takes the state and gives what it changes of it."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from langgraph.types import Overwrite, interrupt

from agents.answerer.answerer import Material
from agents.interpreter.conversation import context_of_answer
from agents.interpreter.search_targets import answer_format
from graphs.core.deps import Deps
from graphs.core.inferred_facts import inferred_warnings
from graphs.core.nodes import Node, Update
from graphs.core.state import QueryContext, QueryState
from graphs.query import answer as answering
from graphs.query import asking_back, replies, thread_state
from graphs.query import interpret as interpreting
from graphs.query.freshness_warnings import freshness_warnings
from graphs.query.judge import find_contradictions
from graphs.query.listing import list_vault
from graphs.query.merge import merge_hits
from graphs.query.progress import Draft
from graphs.query.read import read_notes, standing_results
from graphs.query.retrieval.retriever import Retriever, search_scope
from graphs.query.retrieval.retrievers import RETRIEVERS, with_route
from graphs.query.routing import context_of, searches_now
from graphs.query.verify_citations import verify_results
from graphs.stores.index_lock import is_interrupted
from tools.base import guards
from tools.base.domain import Mode, SourceWarning
from tools.base.errors import InputError, QuestionError
from tools.runtime.tracing import part
from tools.vault.indexing.indexing import Freshness


class QueryNodes:
    """The nodes over what they depend on; the graph gives each the state and its runtime."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._scope = search_scope(deps)

    async def guard(self, state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        """Refuse what cannot be asked; see what is on disk while the servers wake."""
        context = context_of(runtime)
        with _refused():
            guards.limit(context.limit)
            question = guards.question(state.get("question", ""))
        self._deps.foresee(question)
        looked = asyncio.to_thread(self._look)
        (fresh, unreadable, interrupted), _ = await asyncio.gather(looked, self._wake())
        stale = freshness_warnings(
            fresh, interrupted=interrupted, read_only=self._deps.settings.read_only
        )
        return {
            **thread_state.reset_state(question),
            "asked_with": context,
            "stale": fresh.stale,
            "warnings": Overwrite([*stale, *unreadable]),
        }

    def _look(self) -> tuple[Freshness, tuple[SourceWarning, ...], bool]:
        with part("catch_up"):
            fresh = self._deps.catch_up()
        unreadable = inferred_warnings(self._deps.inferred)
        # Only now: catching up holds the same lock as a run that is under way.
        return fresh, unreadable, is_interrupted(self._deps.settings, self._deps.catalog)

    async def _wake(self) -> None:
        with part("wake"):
            await self._deps.wake()

    async def interpret(self, state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        """Read the question; where it is clear the searches that can begin at once do."""
        context = context_of(runtime)
        with _refused():
            update = await interpreting.interpret_question(
                state, self._deps, context, self._scope.nearest
            )
        plan = with_route(update["plan"])
        if searches_now(plan, context):
            for retriever in RETRIEVERS:
                if retriever.begin and retriever.source in plan.route:
                    retriever.begin(plan, self._scope)
        return {**update, "plan": plan}

    async def clarify(self, state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        """Ask back, and read the question by the reply."""
        with _refused():
            update = await interpreting.clarify(state, self._deps, context_of(runtime))
        return {**update, "plan": with_route(update["plan"])}

    async def confirm(self, state: QueryState) -> Update:
        """Show what would be searched, until that is agreed to or declined."""
        payload = asking_back.confirmation_payload(state["plan"])
        agreed = replies.agreed(interrupt(payload))
        while agreed is None:
            agreed = replies.agreed(interrupt(payload))
        return {"declined": not agreed}

    def search(self, retriever: Retriever) -> Node:
        """The node of one search; of a comparison it runs for each part."""

        async def search(state: QueryState) -> Update:
            hits = await retriever.search(state["plan"], state.get("part"), self._scope)
            gaps = await asyncio.to_thread(retriever.gaps, self._deps) if retriever.gaps else []
            return {"hits": hits, "answered_sources": [retriever.source], "warnings": gaps}

        return search

    async def merge(self, state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        """Rank what the searches found."""
        return await merge_hits(state, self._deps, mode=self._mode(runtime))

    async def verify(self, state: QueryState) -> Update:
        """Keep of the notes found what their files still say, where that is all that is wanted."""
        return {"merged": tuple(await standing_results(state, self._deps))}

    async def read(self, state: QueryState) -> Update:
        """Read the notes found."""
        return {"read": await read_notes(state, self._deps)}

    async def judge(self, state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        """Hold what they say against each other."""
        return await find_contradictions(state, self._deps, mode=self._mode(runtime))

    async def answer(self, state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        """Write the answer of what is still in the files."""
        context, mode = context_of(runtime), self._mode(runtime)
        verified = await verify_results(state, self._deps, mode=mode)
        shown = answer_format(state["plan"], context.format)
        written = await self._deps.write(
            Material(plan=state["plan"], format=shown, results=verified.shown_results, mode=mode),
            on_draft=Draft(runtime.stream_writer),
        )
        return await answering.build_answer(
            state, self._deps, verified, written, context.format, whole=context.whole
        )

    async def catalog(self, state: QueryState, runtime: Runtime[QueryContext]) -> Update:
        """Answer what is asked of the vault itself."""
        return await list_vault(state, self._deps, whole=context_of(runtime).whole)

    async def finish(
        self, state: QueryState, config: RunnableConfig, runtime: Runtime[QueryContext]
    ) -> Update:
        """Give the result; of the state only what the thread's next question may lean on stays."""
        thread = str(config.get("configurable", {}).get("thread_id", ""))
        result = answering.finalize(state, thread, chosen_format=context_of(runtime).format)
        told = {} if state["declined"] else {"before": context_of_answer(result, state["plan"])}
        return {"result": result, **told, **thread_state.cleared_state()}

    def _mode(self, runtime: Runtime[QueryContext]) -> Mode:
        return context_of(runtime).mode or self._deps.settings.mode


@contextmanager
def _refused() -> Generator[None]:
    """Tell of what cannot be asked so that LangGraph's server passes it on."""
    try:
        yield
    except InputError as error:
        if type(error) is not InputError:
            raise
        raise QuestionError(str(error)) from error
