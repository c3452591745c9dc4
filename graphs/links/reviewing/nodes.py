"""The nodes of the link graph, over their dependencies, in the order in which they run."""

import asyncio
from dataclasses import replace
from functools import partial

from langgraph.runtime import Runtime
from langgraph.types import Overwrite, interrupt

from graphs.core.deps import Deps
from graphs.core.ingest_report import IngestReport
from graphs.core.nodes import Update
from graphs.core.run_log import Observer
from graphs.ingest.runner import IngestRunner
from graphs.ingest.sync_graph import catch_up_with_graph
from graphs.links.find import find_note
from graphs.links.learn import decision_on, learn, withdraw
from graphs.links.reviewing.payload import review_payload
from graphs.links.reviewing.state import LinkState
from graphs.links.suggesting.suggest import LinkQuery, LinkSuggester
from graphs.links.writing.apply import apply, indexed
from graphs.links.writing.create import LinkPlanner
from graphs.links.writing.take_out import take_out
from tools.base.domain import SourceWarning
from tools.base.errors import InputError, StorageError
from tools.links.connections import NoteConnections, least_connected
from tools.links.review import Choice, Decided, Proposal, Reply, ReviewOptions, Tally, Wanted

_MOST_UNDONE = 20
"""Decisions that a review can go back: what is older stands in the journal."""


class LinkNodes:
    """Each node takes the state and gives what of it is new."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._suggester = LinkSuggester(deps)
        self._ingest = IngestRunner(deps, Observer(deps.settings, deps.catalog))

    async def begin(self, state: LinkState, runtime: Runtime[ReviewOptions]) -> Update:
        """Forget what an earlier review left in the thread. Raises InputError for no such note."""
        if note := state.get("note"):
            await catch_up_with_graph(self._deps)
            await asyncio.to_thread(find_note, self._deps, note, alone=True)
        return {
            "asked_with": runtime.context or ReviewOptions(),
            "reached": None,
            "passed": [],
            "source": None,
            "pending": [],
            "proposal": None,
            "reply": None,
            "decided": [],
            "tally": Tally(),
            "refused": [],
            "warnings": Overwrite([]),
        }

    async def choose(self, state: LinkState) -> Update:
        """Take the next note: the one that was named, or the least connected after the last."""
        await catch_up_with_graph(self._deps)
        return await asyncio.to_thread(self._chosen, state)

    def _chosen(self, state: LinkState) -> Update:
        order, reached = self._order(state), state["reached"]
        place = 0
        if reached is not None:
            is_behind = (at for at, one in enumerate(order) if one.order > reached.order)
            place = len(order) if state.get("note") else next(is_behind, len(order))
            while place < len(order) and order[place].path in state["passed"]:
                place += 1
        update: Update = {"tally": replace(state["tally"], notes=place, of=len(order))}
        if place == len(order):
            return {**update, "source": None}
        return {**update, "source": order[place].path, "reached": order[place]}

    def _order(self, state: LinkState) -> list[NoteConnections]:
        inventory = self._deps.catalog.inventory
        if note := state.get("note"):
            found = find_note(self._deps, note, alone=True)
            titles = {found.path: found.title}
        else:
            titles = {one.path: one.title for one in inventory.typed_notes()}
        return least_connected(inventory.link_graph(), titles)

    async def gather(self, state: LinkState) -> Update:
        """Look for all notes that anything speaks for."""
        asked = state["asked_with"]
        query = LinkQuery(
            note=state["source"] or "",
            limit=asked.limit,
            threshold=asked.threshold,
            either_way=asked.either_way,
        )
        try:
            found = await self._suggester.gather(query)
        except InputError as error:  # it vanished meanwhile, or cannot be read
            return {"found": None, "refused": [*state["refused"], str(error)]}
        return {"found": found, "warnings": list(found.warnings)}

    async def filter(self, state: LinkState) -> Update:
        """Leave out what is linked already or was rejected before."""
        found = state.get("found")
        return {} if found is None else {"found": await self._suggester.filter(found)}

    async def explain(self, state: LinkState) -> Update:
        """Rank the rest, and say of the likeliest what the link is, and why."""
        found, asked = state.get("found"), state["asked_with"]
        suggestions = () if found is None else await self._suggester.explain(found)
        pending = [
            Proposal(
                source=state["source"] or "",
                suggestion=one,
                wanted=Wanted(
                    relation=one.relation and one.relation.relation,
                    spot=asked.spot,
                    section=asked.section,
                ),
            )
            for one in suggestions
            if one.probability >= asked.least
        ]
        return {"found": None, "pending": pending, "proposal": None}

    async def propose(self, state: LinkState) -> Update:
        """Plan the proposal that is shown as it was edited, or else the next one."""
        shown = state["proposal"] or next(iter(state["pending"]), None)
        if shown is None:
            return {"proposal": None}
        return {"proposal": await self._planned(shown, one_way=state["asked_with"].one_way)}

    async def review(self, state: LinkState) -> Update:
        """Show the proposal and hear what becomes of it."""
        proposal = _shown(state)
        said = interrupt(review_payload(proposal, state["tally"], left=len(state["pending"])))
        reply = Reply.read(said)
        wanted = reply.changed(proposal.wanted)
        if reply.answer in ("accept", "edit") and wanted != proposal.wanted:
            # What was not shown is not written: it is shown first.
            edited = replace(proposal, wanted=wanted, remark="")
            return {"proposal": edited, "reply": replace(reply, answer="edit")}
        if reply.answer == "accept" and proposal.write is None:
            why = proposal.refused or "The link has no type yet: reply with e and one."
            reply = Reply(answer=None, refused=why)
        return {"proposal": replace(proposal, remark=reply.refused), "reply": reply}

    async def apply(self, state: LinkState) -> Update:
        """Write what was accepted into both notes or neither, and have all stores know of it."""
        proposal, settings = _shown(state), self._deps.settings
        passed = await asyncio.to_thread(self._passed, state)
        if proposal.write is None:
            raise RuntimeError("what was accepted was never planned")
        try:
            write, warnings = await indexed(partial(apply, settings, proposal.write), self._index)
        except (InputError, StorageError) as error:
            again = replace(proposal, write=None, remark=str(error))
            return {"proposal": again, "reply": Reply(answer="edit")}
        accepted = replace(proposal, write=write)
        return {"proposal": accepted, "passed": passed, "warnings": list(warnings)}

    async def learn(self, state: LinkState) -> Update:
        """Count the decision, and keep it for the suggestions to come."""
        proposal, answer = _shown(state), _answer(state)
        warnings = ()
        if answer in ("accept", "reject"):
            chosen = proposal.wanted.relation if answer == "accept" else None
            at = proposal.write.at if proposal.write and chosen else self._deps.clock()
            decision = decision_on(proposal.suggestion, of=proposal.source, chosen=chosen, at=at)
            warnings = await asyncio.to_thread(learn, self._deps.settings, [decision])
        number = proposal.write.id if proposal.write and answer == "accept" else None
        decided = Decided(proposal=proposal, answer=answer, number=number)
        return {
            "tally": state["tally"].counted(answer),
            "decided": [*state["decided"], decided][-_MOST_UNDONE:],
            "pending": state["pending"][1:],
            "proposal": None,
            "warnings": list(warnings),
        }

    async def undo(self, state: LinkState) -> Update:
        """Take the last decision back, and the link out of its notes; it is shown again."""
        proposal, settings = _shown(state), self._deps.settings
        if not state["decided"]:
            return {"proposal": replace(proposal, remark="Nothing was decided yet.")}
        last, warnings = state["decided"][-1], list[SourceWarning]()
        if last.number is not None:
            try:
                _, warned = await take_out(settings, last.number, self._index)
            except (InputError, StorageError) as error:
                return {"proposal": replace(proposal, remark=str(error))}
            warnings += warned
        if last.answer == "reject":
            ends = last.proposal.source, last.proposal.suggestion.note_path
            warnings += await asyncio.to_thread(withdraw, settings, *ends, accepted=False)
        again = replace(last.proposal, write=None, remark="")
        return {
            "tally": state["tally"].counted(last.answer, -1),
            "decided": state["decided"][:-1],
            "pending": [again, *state["pending"]],
            "proposal": None,
            "warnings": warnings,
        }

    async def _planned(self, proposal: Proposal, *, one_way: bool) -> Proposal:
        """The proposal with what it would change now, or why it cannot be."""
        bare = replace(proposal, write=None, changes=(), warnings=(), refused="")
        if proposal.wanted.relation is None:
            return bare
        try:
            request = proposal.request(one_way=one_way)
            plan = await LinkPlanner(self._deps).plan(request, by="review")
        except InputError as error:
            return replace(bare, refused=str(error))
        return replace(bare, write=plan.write, changes=plan.changes, warnings=plan.warnings)

    def _passed(self, state: LinkState) -> list[str]:
        """The notes behind the review with those to which the link is to be added."""
        proposal, reached = _shown(state), state["reached"]
        ends = dict.fromkeys((proposal.source, proposal.suggestion.note_path), "")
        known = least_connected(self._deps.catalog.inventory.link_graph(), ends)
        behind = (one.path for one in known if reached and one.order <= reached.order)
        return [*dict.fromkeys((*state["passed"], *behind))]

    async def _index(self) -> IngestReport:
        return await self._ingest.run(rebuild=False, on_progress=None)


def _shown(state: LinkState) -> Proposal:
    """The proposal under review: the nodes from ``review`` on run with one alone."""
    if (proposal := state["proposal"]) is None:
        raise RuntimeError("no link is under review")
    return proposal


def _answer(state: LinkState) -> Choice:
    reply = state["reply"]
    if reply is None or reply.answer is None:
        raise RuntimeError("nothing was replied")
    return reply.answer
