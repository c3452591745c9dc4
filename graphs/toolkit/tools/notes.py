"""Tools over notes: find them by words and meaning, read one, see what is new."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import Field

from graphs.core.deps import Deps
from graphs.query.retrieval.facts import notes_by_name
from graphs.query.retrieval.semantic_search import gaps
from graphs.toolkit.arguments import Cursor, Limit, NodeId, Text, Types
from graphs.toolkit.nodes.references import is_of_type, note_type, unknown
from graphs.toolkit.paging import page
from graphs.toolkit.readiness import bring_up_to_date
from graphs.toolkit.tool import Arguments, Session, tool
from tools.base.domain import Heading, SourceWarning
from tools.base.errors import InputError
from tools.text.normalize import fold
from tools.vault.catalog.inventory import ListedNote
from tools.vault.disk.files import read_bytes
from tools.vault.notes.notes import parse_note

_SNIPPET = 200
_MOST_FOUND = 100
_MOST_LINES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchNotes(Arguments):
    query: Text
    """Words to search for: by meaning, by the words themselves and over links."""
    limit: Limit = 10
    """Notes on a page."""
    cursor: Cursor = None
    """Where to go on, as the page before said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    text: str
    heading: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundNote:
    path: str
    title: str
    score: float
    sources: tuple[str, ...]
    snippets: tuple[Snippet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundNotes:
    """``warnings`` say what is lacking."""

    notes: tuple[FoundNote, ...]
    warnings: tuple[SourceWarning, ...] = ()
    next_cursor: str | None = None


@tool("Search the notes", next_steps=("read_note", "get_node"), looks_itself=True)
async def search_notes(session: Session, given: SearchNotes) -> FoundNotes:
    """Find notes for some words, the best first, with the passages that fit.

    Use it to see which notes there are; for an answer to a question use ask.
    """
    answer = await session.brain.answer_of_search(given.query, limit=_MOST_FOUND, until="found")
    found, following = page(
        answer.results, ("search_notes", given.query), cursor=given.cursor, limit=given.limit
    )
    return FoundNotes(
        notes=tuple(
            FoundNote(
                path=one.note_path,
                title=one.note_title,
                score=round(one.composite_relevance, 3),
                sources=one.sources,
                snippets=tuple(
                    Snippet(
                        text=excerpt.text,
                        heading=" > ".join((*excerpt.over, *filter(None, [excerpt.heading]))),
                        line_start=excerpt.line_start,
                        line_end=excerpt.line_end,
                    )
                    for excerpt in one.excerpts[:3]
                ),
            )
            for one in found
        ),
        warnings=answer.warnings,
        next_cursor=following,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticSearch(Arguments):
    query: Text
    """What the passages are to be like in meaning."""
    node_types: Types = ()
    """Only notes of these types, such as Note or Project."""
    limit: Limit = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarNote:
    """A note's most similar passage; the score is a calibrated similarity (0 to 1)."""

    id: str
    name: str
    type: str
    content_snippet: str
    line_start: int
    line_end: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarNotes:
    """``warnings`` say what is lacking."""

    results: tuple[SimilarNote, ...]
    warnings: tuple[SourceWarning, ...] = ()


@tool("Search by meaning alone", next_steps=("read_note", "get_node"))
async def semantic_search(session: Session, given: SemanticSearch) -> SimilarNotes:
    """Find passages that mean something similar, whatever their words; quick, without the graph."""
    deps = session.deps
    near = await deps.index.search(given.query, limit=given.limit * 8)
    found, lacking = await asyncio.to_thread(lambda: (_similar(deps, near), gaps(deps)))
    kept = [one for one in found if is_of_type(one.type, given.node_types)]
    return SimilarNotes(results=tuple(kept[: given.limit]), warnings=tuple(lacking))


def _similar(deps: Deps, near: list[tuple[str, float]]) -> list[SimilarNote]:
    passages = deps.catalog.passages_by_vector(dict(near))
    best = {
        passage.note_path: (passage, score)
        for vector, score in reversed(near)
        for passage in passages.get(vector, ())
    }
    records = deps.catalog.records(best)
    found = [
        SimilarNote(
            id=path,
            name=passage.note_title,
            type=note_type(records[path].note_type),
            content_snippet=passage.text[:_SNIPPET],
            line_start=passage.line_start,
            line_end=passage.line_end,
            score=round(score, 3),
        )
        for path, (passage, score) in best.items()
        if path in records
    ]
    return sorted(found, key=lambda one: (-one.score, one.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNote(Arguments):
    note: NodeId
    """The note's path in the vault, its title or an alias."""
    section: Annotated[str, Field(max_length=500)] | None = None
    """Only what stands below this heading, with its subsections."""
    line_start: Annotated[int, Field(ge=1)] = 1
    """The first line to give."""
    line_end: Annotated[int, Field(ge=1)] | None = None
    """The last line to give; at most 2,000 lines are given at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    heading: str
    level: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """The lines of a note as they are on disk; ``truncated`` where there is more than was given."""

    path: str
    title: str
    text: str
    line_start: int
    line_end: int
    total_lines: int
    sections: tuple[Section, ...]
    truncated: bool


@tool("Read a note", next_steps=("get_node", "timeline"), looks_itself=True)
async def read_note(session: Session, given: ReadNote) -> NoteText:
    """Read a note as it is on disk now: all of it, one section, or some lines."""
    if not _is_path(given.note):
        await bring_up_to_date(session.deps)
    return await asyncio.to_thread(_read, session.deps, given)


def _is_path(note: str) -> bool:
    """Whether it is found without the index."""
    return PurePosixPath(note).suffix == ".md"


def _read(deps: Deps, given: ReadNote) -> NoteText:
    found = [given.note] if _is_path(given.note) else notes_by_name(deps, given.note)
    if not found:
        raise unknown(given.note)
    path, settings = found[0], deps.settings
    try:
        raw = read_bytes(settings.vault, path, max_bytes=settings.max_note_bytes)
    except FileNotFoundError:
        raise InputError(f"There is no note {path!r}: look for it with search_notes.") from None
    note = parse_note(path, raw, mtime=deps.clock())
    lines = note.text.split("\n")
    first, last = given.line_start, given.line_end or len(lines)
    if given.section is not None:
        first, last = _section(note.headings, given.section, len(lines), path)
    if first > len(lines) or last < first:
        raise InputError(f"{path!r} has {len(lines)} lines: ask for lines among them.")
    end = min(last, len(lines), first + _MOST_LINES - 1)
    return NoteText(
        path=path,
        title=note.title,
        text="\n".join(lines[first - 1 : end]),
        line_start=first,
        line_end=end,
        total_lines=len(lines),
        sections=tuple(
            Section(heading=one.text, level=one.level, line=one.line) for one in note.headings
        ),
        truncated=end < min(last, len(lines)),
    )


def _section(headings: Sequence[Heading], wanted: str, total: int, path: str) -> tuple[int, int]:
    """The first and last line of a section. Raises InputError where there is none."""
    for at, heading in enumerate(headings):
        if fold(heading.text) == fold(wanted.lstrip("# ")):
            after = (one.line for one in headings[at + 1 :] if one.level <= heading.level)
            return heading.line, next(after, total + 1) - 1
    known = ", ".join(repr(one.text) for one in headings[:20])
    raise InputError(f"{path!r} has no section {wanted!r}; it has {known or 'no headings'}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentNotes(Arguments):
    by: Literal["changed", "written"] = "changed"
    """Whether by when notes changed last, or by when they were written first."""
    limit: Limit = 10
    """Notes on a page."""
    cursor: Cursor = None
    """Where to go on, as the page before said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentNote:
    """A note; ``dated`` says that more than its file's own time tells when it was written."""

    path: str
    title: str
    written: datetime
    changed: datetime
    dated: bool
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    total: int
    notes: tuple[RecentNote, ...]
    next_cursor: str | None = None


@tool("What is new in the notes", next_steps=("read_note", "timeline"))
async def recent_notes(session: Session, given: RecentNotes) -> Recent:
    """List notes, the last changed or the last written first."""
    inventory = session.deps.catalog.inventory
    notes = await asyncio.to_thread(inventory.notes, tagged=False)

    def when(note: ListedNote) -> tuple[datetime, str]:
        return note.modified if given.by == "changed" else note.created, note.path

    found, following = page(
        sorted(notes, key=when, reverse=True),
        ("recent_notes", given.by),
        cursor=given.cursor,
        limit=given.limit,
    )
    tags = await asyncio.to_thread(inventory.tags_of, [one.path for one in found])
    return Recent(
        total=len(notes),
        notes=tuple(
            RecentNote(
                path=one.path,
                title=one.title,
                written=one.created,
                changed=one.modified,
                dated=one.dated,
                tags=tags.get(one.path, ()),
            )
            for one in found
        ),
        next_cursor=following,
    )
