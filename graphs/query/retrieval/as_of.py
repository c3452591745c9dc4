"""What the notes said at a moment: quotations from the versions of then, and what held then."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.interpreter.search_targets import evidence_terms, wanted
from graphs.core.deps import Deps
from graphs.query.retrieval.facts import notes_by_name
from tools.base.domain import Chunk, Excerpt, Hit, Moment, QueryPlan
from tools.evidence.coverage import coverage
from tools.graph.versions import Dated, Version, date, last_at
from tools.vault.catalog.records import Passage
from tools.vault.catalog.text import excerpt, search_text, text_query
from tools.vault.history.past import read_past
from tools.vault.notes.chunks import chunk_note

_NOTES = 30
_PASSAGES = 3
_SPARE = 5
"""So many more notes are read than may be shown, for some are left out or ranked down."""
_CALLED = 1.0
"""The score of a note whose name is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """A note's title and passages at a moment."""

    title: str
    passages: Sequence[Passage | Chunk]


async def retrieve_as_of(plan: QueryPlan, deps: Deps, at: Moment) -> list[Hit]:
    """The notes about what is asked, quoted as they were then; none that was not there yet."""

    def run() -> list[Hit]:
        found = _about(plan, deps)
        speaking = _speaking(deps, list(found), at)
        best = sorted(speaking, key=lambda path: -found[path].score)[: plan.limit + _SPARE]
        pages = _pages(deps, {path: speaking[path].version for path in best})
        words = evidence_terms(plan)
        return [
            Hit(
                source="text",
                note_path=path,
                note_title=page.title,
                score=found[path].score,
                match_type="version",
                excerpts=_quoted(page, speaking[path], words),
            )
            for path, page in pages.items()
        ]

    return await asyncio.to_thread(run)


async def graph_hits_as_of(plan: QueryPlan, deps: Deps, at: Moment) -> list[Hit]:
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
    text = " ".join(names) or wanted(plan)
    query = text_query(text, names, turkish=plan.reading.turkish)
    hits = search_text(deps.catalog, query, names=names, limit=max(_NOTES, plan.limit))
    found = {hit.note_path: hit for hit in hits}
    called = {path for name in names for path in notes_by_name(deps, name)} - found.keys()
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


def _pages(deps: Deps, versions: Mapping[str, Version]) -> dict[str, _Page]:
    """The passages of each version, from the index where the note still says the same."""
    records = deps.catalog.records(versions)
    unchanged = [
        path for path, now in records.items() if now.content_hash == versions[path].content_hash
    ]
    indexed = deps.catalog.passages_of(unchanged)
    past = read_past(
        (version for path, version in versions.items() if path not in indexed),
        root=deps.settings.vault,
        history=deps.history,
        max_bytes=deps.settings.max_note_bytes,
    )
    pages: dict[str, _Page] = {}
    for path, version in versions.items():
        if path in indexed:
            pages[path] = _Page(title=records[path].title, passages=indexed[path])
        elif (note := past.get(version.key)) is not None:
            pages[path] = _Page(title=note.title, passages=chunk_note(note))
    return pages


def _quoted(page: _Page, dated: Dated, words: Sequence[str]) -> tuple[Excerpt, ...]:
    """The passages that say most of what is asked, the first ones of a note that says none."""
    passages = sorted(page.passages, key=lambda passage: -coverage(passage.text, words))
    return tuple(
        replace(excerpt(passage), version=dated.valid_at) for passage in passages[:_PASSAGES]
    )
