"""A typed link between two notes: checked and planned, shown to the person, then written."""

import asyncio
import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graphs.core.deps import Deps
from graphs.links.apply import planned
from graphs.links.find import find_note
from tools.base.domain import Note
from tools.base.errors import InputError
from tools.links.cycles import REASONING, adjacency, canonical, circle
from tools.links.rules import (
    OTHER_SIDE,
    check_context,
    check_count,
    check_new,
    check_type,
    wikilink_name,
)
from tools.vault.disk.files import read_bytes
from tools.vault.editing.edits import NoteEdit
from tools.vault.editing.insertions import inserted
from tools.vault.editing.places import InSection, NewLink, Place
from tools.vault.notes.links import resolver
from tools.vault.notes.notes import decode
from tools.vault.storage.link_journal import LinkWrite

AT_END_OF_SECTION = InSection()
_MOST_STEPS = 12
"""Links of a circle that is looked for: a longer one is no argument that a person follows."""
_AROUND = 1
"""Lines shown before and behind a change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRequest:
    """The link that is wanted, of one of the seven types.

    ``place`` is where it goes in the source, ``back`` where the other side goes in the target;
    with None nothing is written there.
    """

    source: str
    target: str
    relation: str
    context: str = ""
    place: Place = AT_END_OF_SECTION
    back: Place | None = AT_END_OF_SECTION


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChange:
    """What a note would be: its path, and the lines that come, with those around them."""

    path: str
    diff: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLink:
    """A link that would be written, what that changes, and what to think of first."""

    write: LinkWrite
    changes: tuple[NoteChange, ...]
    warnings: tuple[str, ...] = ()


async def plan_link(deps: Deps, request: LinkRequest, *, by: str) -> PlannedLink:
    """Check the link against all rules and say what would be written; nothing is.

    Raises InputError for a link that may not be, and SourceError where the graph, which knows of
    circles, does not answer.
    """
    relation, context = check_type(request.relation), check_context(request.context)
    source, target = await asyncio.to_thread(_both, deps, request)
    names = await asyncio.to_thread(deps.catalog.link_targets)
    check_new(source, target, resolver(names))
    warnings = [*_many(source, target, both=request.back is not None)]
    around = await _circle(deps, source.path, relation, target.path)
    if around is not None:
        told = " → ".join(around)
        if relation in REASONING:
            raise InputError(f"The link would close a circle of reasoning: {told}.")
        warnings.append(f"The link closes a circle: {told}.")
    sides = [
        (source, NewLink(name=wikilink_name(target.path, names), relation=relation), request.place),
        (
            target,
            NewLink(name=wikilink_name(source.path, names), relation=OTHER_SIDE[relation]),
            request.back,
        ),
    ]
    edits: list[NoteEdit] = []
    for note, link, place in sides:
        if place is not None:
            wanted = replace(link, context=context)
            seen = note.content_hash
            edits.append(
                await asyncio.to_thread(planned, deps.settings, note.path, wanted, place, seen=seen)
            )
    write = LinkWrite(
        at=deps.clock(),
        by=by,
        source=source.path,
        target=target.path,
        relation=relation,
        context=context,
        edits=tuple(edits),
    )
    changes = await asyncio.to_thread(lambda: tuple(_change(deps, edit) for edit in edits))
    return PlannedLink(write=write, changes=changes, warnings=tuple(warnings))


def _both(deps: Deps, request: LinkRequest) -> tuple[Note, Note]:
    source = find_note(deps, request.source, alone=True)
    return source, find_note(deps, request.target, alone=True)


def _many(source: Note, target: Note, *, both: bool) -> Iterator[str]:
    for note in (source, target) if both else (source,):
        if warning := check_count(len(note.links)):
            yield f"{note.path}: {warning}"


async def _circle(deps: Deps, source: str, relation: str, target: str) -> list[str] | None:
    """The notes of the circle that the link would close, as far as the graph knows."""
    kinds = REASONING if relation in REASONING else frozenset((relation,))
    start, _, end = canonical((source, relation, target))
    links = await asyncio.to_thread(deps.catalog.inventory.link_graph)
    edges: set[tuple[str, str, str]] = set()
    level, seen = {end}, {end}
    for _ in range(_MOST_STEPS):
        # The other side alone may say it: supported_by stands in the note that is supported.
        asked = level.union(*(links.sources(path) for path in level))
        for fact in await deps.graph.facts(sorted(asked)):
            if fact.source_path and fact.target_path:
                kind = fact.relation.lower()
                edges.add(canonical((fact.source_path, kind, fact.target_path)))
        known = adjacency(edges, kinds)
        if start in level:
            break
        level = {to for path in level for to in known.get(path, ())} - seen
        seen |= level
        if not level:
            return None
    return circle(adjacency(edges, kinds), (source, relation, target))


def _change(deps: Deps, edit: NoteEdit) -> NoteChange:
    settings = deps.settings
    raw = read_bytes(settings.vault, edit.path, max_bytes=settings.max_note_bytes)
    before, after = (
        decode(content)[0].split("\n") for content in (raw, inserted(raw, edit.insertions))
    )
    lines = difflib.unified_diff(before, after, n=_AROUND, lineterm="")
    return NoteChange(path=edit.path, diff=tuple(lines)[2:])
