"""Reviews of suggested links: each is a thread that waits for replies, also after an end."""

import asyncio
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from graphs.core.deps import Deps
from graphs.core.nodes import compiled, run
from graphs.links.reviewing import graph
from graphs.links.writing.journal import written
from tools.base.domain import SourceWarning
from tools.base.errors import InputError
from tools.links.review import Decided, Proposal, ReviewOptions, Tally
from tools.vault.storage.link_journal import LinkWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStep:
    """Where a review stands: the proposal that waits for a reply, or None where it has ended.

    ``left`` are the suggestions of its note that wait, it included. ``undoes`` is the link that a
    reply of u takes out. ``refused`` says of links why they could not be looked at.
    """

    thread_id: str
    proposal: Proposal | None
    left: int
    tally: Tally
    undoes: LinkWrite | None = None
    refused: tuple[str, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()


class LinkReviewer:
    """Carries out reviews of one vault's links."""

    def __init__(self, deps: Deps, saver: BaseCheckpointSaver[str]) -> None:
        self._deps, self._saver = deps, saver
        self._graph = compiled(graph.build(deps), saver=saver)

    async def begin(self, note: str | None, *, options: ReviewOptions, thread: str) -> ReviewStep:
        """Begin anew in a thread. Raises InputError where no note is called so."""
        await self._saver.adelete_thread(thread)
        return await self._run(thread, {"note": note}, options)

    async def waiting(self, thread: str) -> ReviewStep | None:
        """The review that waits in a thread, or None.

        What was accepted and written, but not noted down before the process was killed, is noted.
        One that an error stopped goes on where it was; raises the error where it comes again.
        """
        state = await self._graph.aget_state(_config(thread))
        if state.next and not state.interrupts and "asked_with" in state.values:
            return await self._run(thread, None, state.values["asked_with"])
        step = await self._step(thread)
        if step.proposal is None or step.proposal.write is None:
            return step if step.proposal else None
        done = await asyncio.to_thread(written, self._deps.settings, step.proposal.write)
        return step if done is None else await self.reply(thread, "y")

    async def reply(self, thread: str, said: object) -> ReviewStep:
        """Go on with what was replied. Raises InputError where nothing waits in the thread."""
        state = await self._graph.aget_state(_config(thread))
        if not state.interrupts:
            raise InputError("No link waits in this review: begin it anew.")
        said = said or ""  # LangGraph takes nothing, or an empty mapping, for no reply at all
        return await self._run(thread, Command(resume=said), state.values["asked_with"])

    async def _run(self, thread: str, asked: object, options: ReviewOptions) -> ReviewStep:
        await run(self._graph, asked, config=_config(thread), context=options, durability="exit")
        step = await self._step(thread)
        if step.proposal is None:
            await self._saver.adelete_thread(thread)
        return step

    async def _step(self, thread: str) -> ReviewStep:
        values = (await self._graph.aget_state(_config(thread))).values
        last: Decided | None = next(reversed(values.get("decided", ())), None)
        return ReviewStep(
            thread_id=thread,
            proposal=values.get("proposal"),
            left=len(values.get("pending", ())),
            tally=values.get("tally", Tally()),
            undoes=last.proposal.write if last is not None and last.number else None,
            refused=tuple(values.get("refused", ())),
            warnings=tuple(values.get("warnings", ())),
        )


def _config(thread: str) -> RunnableConfig:
    # A vault without a suggestion is looked through in one run: no number of steps is too large.
    return {"configurable": {"thread_id": thread}, "recursion_limit": 1_000_000}
