"""What the notes said at a moment: quotations from the versions of then, and what held then."""

import asyncio
from collections.abc import Mapping, Sequence

from graphs.deps import Deps
from graphs.recall import notes_called
from graphs.verifying import asked_words
from tools.domain import Excerpt, Hit, Moment, Note, QueryPlan
from tools.evidence import coverage
from tools.vault.chunks import chunk_note
from tools.vault.past import read_past
from tools.vault.text import search_text, text_query
from tools.versions import Dated, date, last_at

_NOTES = 30
_PASSAGES = 3
_CALLED = 1.0
"""The score of a note whose name is asked for."""


async def past_hits(plan: QueryPlan, deps: Deps, at: Moment) -> list[Hit]:
    """The notes about what is asked, quoted as they were then; none that was not there yet."""

    def run() -> list[Hit]:
        found = _about(plan, deps)
        speaking = _speaking(deps, list(found), at)
        words = asked_words(plan)
        notes = read_past(
            (dated.version for dated in speaking.values()),
            root=deps.settings.vault,
            history=deps.history,
            max_bytes=deps.settings.max_note_bytes,
        )
        return [
            Hit(
                source="text",
                note_path=path,
                note_title=note.title,
                score=found[path].score,
                match_type="version",
                excerpts=_quoted(note, dated, words),
            )
            for path, dated in speaking.items()
            if (note := notes.get(dated.version.key)) is not None
        ]

    return await asyncio.to_thread(run)


async def past_facts(plan: QueryPlan, deps: Deps, at: Moment) -> list[Hit]:
    """What the graph holds of these notes as of then."""
    found = await asyncio.to_thread(_about, plan, deps)
    facts = await deps.graph.facts(list(found), at=at)
    hits: list[Hit] = []
    for path, hit in found.items():
        # A note may have said it under a former path.
        own = tuple(f for f in facts if f.source_path == path and f.relation != "TAGGED")
        if own:
            hits.append(
                Hit(
                    source="graph",
                    note_path=path,
                    note_title=hit.note_title,
                    score=hit.score,
                    match_type="version",
                    chain=own,
                )
            )
    return hits


def _about(plan: QueryPlan, deps: Deps) -> Mapping[str, Hit]:
    """The notes of today that are about it, by their words or by a name they had."""
    names = plan.subjects or plan.concepts
    query = text_query(" ".join(names) or plan.query, names)
    hits = search_text(deps.catalog, query, names=names, limit=max(_NOTES, plan.limit))
    found = {hit.note_path: hit for hit in hits}
    called = {path for name in names for path in notes_called(deps, name)} - found.keys()
    for path, record in deps.catalog.records(called).items():
        found[path] = Hit(
            source="text",
            note_path=path,
            note_title=record.title,
            score=_CALLED,
            match_type="version",
        )
    return found


def _speaking(deps: Deps, paths: Sequence[str], at: Moment) -> dict[str, Dated]:
    """For each note the version that speaks at the moment, if there is one."""
    found: dict[str, Dated] = {}
    for path, versions in deps.history.versions(paths).items():
        dated = last_at(date(versions), as_of=at.as_of, known_at=at.known_at)
        if dated is not None and dated.version.said is not None:
            found[path] = dated
    return found


def _quoted(note: Note, dated: Dated, words: Sequence[str]) -> tuple[Excerpt, ...]:
    """The passages that say most of what is asked, the first ones of a note that says none."""
    passages = sorted(chunk_note(note), key=lambda passage: -coverage(passage.text, words))
    return tuple(
        Excerpt(
            text=chunk.text,
            line_start=chunk.line_start,
            line_end=chunk.line_end,
            heading=chunk.heading_path[-1] if chunk.heading_path else None,
            block_id=chunk.block_id,
            version=dated.valid_at,
        )
        for chunk in passages[:_PASSAGES]
    )
