"""What the reading node does: the notes found as they stand in their files, and what answers."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import PurePosixPath

from agents.interpreter.plan import moment
from agents.interpreter.search_targets import asks_for_period, wanted
from graphs.core.deps import Deps
from graphs.core.notes_read import NotesRead
from graphs.core.state import QueryState
from graphs.query.evidence.evidence import (
    candidate_notes,
    evidence_query,
    find_evidence,
    note_texts,
    passage_texts,
)
from tools.base.domain import GraphRelation, Moment, QueryPlan, Result
from tools.evidence.quotation_check import verify
from tools.graph.causal_chains import without_irrelevant_chains
from tools.ranking import fusion
from tools.text.markdown.tables import columns_over
from tools.text.normalize import fold
from tools.vault.catalog.text import text_query
from tools.vault.notes.lines import read_lines

_LIST_LINES = 12
"""A frontmatter list may name the linked note this many lines below its key."""


async def read_for(state: QueryState, deps: Deps) -> NotesRead:
    """What was read of the notes found, or where no node has, read now."""
    read = state.get("read")
    return read if isinstance(read, NotesRead) else await read_notes(state, deps)


async def read_notes(state: QueryState, deps: Deps) -> NotesRead:
    """Read every note found again; keep, move or drop each quotation, and rank what they say."""
    plan, hits = state["plan"], state["hits"]
    lines, results, beside = await _stand(state, state.get("behind", ()), deps)
    sought = await asyncio.to_thread(evidence_query, plan, deps)
    if quotes_found_passages_only(plan):
        looked, texts = results, await asyncio.to_thread(passage_texts, results)
    else:
        looked = candidate_notes(results, beside, hits)
        texts = await asyncio.to_thread(note_texts, sought, looked, lines, hits)
    evidence = await find_evidence(sought, fusion.each_once(looked), texts, hits, deps)
    return NotesRead(
        results=results, behind=beside, lines=lines, looked=looked, texts=texts, evidence=evidence
    )


def quotes_found_passages_only(plan: QueryPlan) -> bool:
    """Whether a question is answered by what was found of the notes alone, not by all of them.

    It stands in a past version, or tells of the days that are asked for.
    """
    return moment(plan) != Moment() or asks_for_period(plan)


def cited_paths(results: Sequence[Result]) -> set[str]:
    """Paths of all notes that are quoted, by a result or a step of its chain."""
    return {
        *(result.note_path for result in results),
        *(step.note_path for result in results for step in result.chain),
    }


async def standing_results(state: QueryState, deps: Deps) -> Sequence[Result]:
    """The notes found, with what is quoted of them as their files have it now."""
    _, results, _ = await _stand(state, (), deps)
    return results


async def _stand(
    state: QueryState, behind: Sequence[Result], deps: Deps
) -> tuple[Mapping[str, Sequence[str]], Sequence[Result], Sequence[Result]]:
    """The lines of the notes found and of those ``behind``, and what still stands of both."""
    merged = state["merged"]
    lines = await asyncio.to_thread(  # nothing is quoted of what is gone or unreadable
        read_lines,
        cited_paths((*merged, *behind)),
        root=deps.settings.vault,
        max_bytes=deps.settings.max_note_bytes,
    )
    return lines, *await asyncio.to_thread(_standing, state["plan"], merged, behind, lines, deps)


def _standing(
    plan: QueryPlan,
    merged: Sequence[Result],
    behind: Sequence[Result],
    lines: Mapping[str, Sequence[str]],
    deps: Deps,
) -> tuple[Sequence[Result], Sequence[Result]]:
    """What still stands of the notes found, and of those ``behind``."""
    names = deps.catalog.names_of(
        path
        for result in merged
        for step in result.chain
        for path in (step.source_path, step.target_path)
        if path
    )
    results = [r for r in merged if r.note_path in lines]
    beside: list[Result] = []
    if moment(plan) == Moment():  # what was is as it was: versions do not change
        results = [_verified(r, lines, names) for r in results]
        own = (r for r in behind if r.note_path in lines)
        beside = [r for r in (_verified(one, lines, names) for one in own) if r.excerpts]
    if plan.intent == "causal":
        results = without_irrelevant_chains(results, text_query(wanted(plan)).words)
    # A note whose every quotation is gone says nothing that could be traced.
    said = [r for r in results if r.excerpts or r.chain or r.events]
    return said, beside


def _verified(
    result: Result, lines: Mapping[str, Sequence[str]], names: Mapping[str, Set[str]]
) -> Result:
    own = lines[result.note_path]
    standing = (e for e in (verify(x, own) for x in result.excerpts) if e is not None)
    # A long table is more than one passage: what its columns are called stands in the first.
    excerpts = tuple(replace(e, columns=columns_over(own, e.line_start - 1)) for e in standing)
    whole = all(_links(step, lines.get(step.note_path, ()), names) for step in result.chain)
    return replace(result, excerpts=excerpts, chain=result.chain if whole else ())


def _links(step: GraphRelation, lines: Sequence[str], names: Mapping[str, Set[str]]) -> bool:
    """Say whether the note still names the other end at, or in the list below, the line.

    ``names`` has the folded names that a link may call a note by.
    """
    ends = ((step.source_path, step.source_title), (step.target_path, step.target_title))
    called = {fold(title) for path, title in ends if path != step.note_path}
    for path, _ in ends:
        if path is not None and path != step.note_path:
            called |= {fold(PurePosixPath(path).stem), *names.get(path, ())}
    # Almost always the line itself has it, and those below need not be looked at.
    for end in (step.line, step.line + _LIST_LINES):
        here = fold(" ".join(lines[step.line - 1 : end]))
        if any(name in here for name in called if name):
            return True
    return False
