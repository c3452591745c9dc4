"""A typed link between two notes: checked and planned, to be shown before it is written."""

import asyncio
import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from graphs.core.deps import Deps
from graphs.links.find import find_note
from graphs.links.writing.apply import edit_of
from tools.base.domain import Note
from tools.base.errors import InputError
from tools.links.cycles import REASONING, Adjacency, Edge, adjacency, circle
from tools.links.planned import LinkRequest, LinkSide, NoteChange, PlannedLink
from tools.links.rules import (
    OTHER_SIDE,
    check_context,
    check_count,
    check_heading,
    check_new,
    check_type,
    wikilink_name,
)
from tools.vault.disk.files import read_bytes
from tools.vault.disk.replace import changed
from tools.vault.editing.edits import NoteEdit, sha256
from tools.vault.editing.insertions import inserted
from tools.vault.editing.places import AsField, InSection, NewLink, Place
from tools.vault.editing.reread import read_as
from tools.vault.notes.links import LinkNames
from tools.vault.notes.notes import decode
from tools.vault.storage.link_journal import LinkWrite

_MOST_SHOWN = 12
"""Notes of a circle that are named."""
_AROUND = 1
"""Lines shown before and behind a change."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """The two notes as they are, or as earlier links that were planned leave them."""

    source: Note
    target: Note


class LinkPlanner:
    """Plans links one after another, each as if those before it were written; nothing is."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        self._contents: dict[str, bytes] = {}
        self._edges: set[Edge] = set()
        self._known: dict[frozenset[str], Adjacency] = {}

    async def plan(self, request: LinkRequest, *, by: str) -> PlannedLink:
        """Check the link against all rules and say what would be written.

        Raises InputError for a link that may not be, and StorageError. The graph is not asked:
        what notes say of one another is in the catalog, too.
        """
        return await asyncio.to_thread(self._plan, request, by)

    def _plan(self, request: LinkRequest, by: str) -> PlannedLink:
        relation, context = check_type(request.relation), check_context(request.context)
        back = request.back and _place(request.back)
        request = replace(request, context=context, place=_place(request.place), back=back)
        ends = self._ends(request)
        warnings = [*_many(ends, both=back is not None)]
        warnings += self._circles((ends.source.path, relation, ends.target.path))
        planned = self._planned(request, ends, by)
        warnings += _without_context(planned.sides)
        self._edges.update(_edges(planned))
        return replace(planned, warnings=tuple(warnings))

    def _ends(self, request: LinkRequest) -> _Ends:
        source = self._as_planned(find_note(self._deps, request.source, alone=True))
        target = self._as_planned(find_note(self._deps, request.target, alone=True))
        check_new(source, target, self._names.note)
        return _Ends(source, target)

    def _circles(self, edge: Edge) -> Iterator[str]:
        """What to say of a circle that the link would close; one of reasons raises InputError."""
        relation = edge[1]
        kinds = REASONING if relation in REASONING else frozenset((relation,))
        around = circle(edge, self._links(kinds), adjacency(self._edges, kinds))
        if around is None:
            return
        if relation in REASONING:
            raise InputError(f"The link would close a circle of reasoning: {_shown(around)}.")
        yield f"The link closes a circle: {_shown(around)}."

    def _links(self, kinds: frozenset[str]) -> Adjacency:
        """The links of these types that the notes have."""
        if kinds not in self._known:
            links = self._deps.catalog.inventory.typed_links()
            edges = ((path, relation.lower(), to) for path, relation, to in links)
            self._known[kinds] = adjacency(edges, kinds)
        return self._known[kinds]

    def _as_planned(self, note: Note) -> Note:
        content = self._contents.get(note.path)
        return note if content is None else read_as(note.path, content)

    def _planned(self, request: LinkRequest, ends: _Ends, by: str) -> PlannedLink:
        sides = tuple(self._sides(request, ends))
        notes = {note.path: note for note in (ends.source, ends.target)}
        contents, edits, changes = dict[str, bytes](), list[NoteEdit](), list[NoteChange]()
        for side in sides:
            raw = self._content(side.path, seen=notes[side.path].content_hash)
            edit = edit_of(self._deps.settings, side.path, raw, side.link, side.place)
            contents[side.path] = inserted(raw, edit.insertions)
            edits.append(edit)
            changes.append(_change(side.path, raw, contents[side.path]))
        write = LinkWrite(
            at=self._deps.clock(),
            by=by,
            source=ends.source.path,
            target=ends.target.path,
            relation=request.relation,
            context=request.context,
            edits=tuple(edits),
        )
        self._contents.update(contents)
        return PlannedLink(write=write, sides=sides, changes=tuple(changes))

    def _sides(self, request: LinkRequest, ends: _Ends) -> Iterator[LinkSide]:
        back = OTHER_SIDE[request.relation]
        for note, to, relation, place in (
            (ends.source, ends.target, request.relation, request.place),
            (ends.target, ends.source, back, request.back),
        ):
            if place is not None:
                name = wikilink_name(to.path, self._names)
                link = NewLink(name=name, relation=relation, context=request.context)
                yield LinkSide(path=note.path, link=link, place=place)

    def _content(self, path: str, *, seen: str) -> bytes:
        """The note's bytes, which have to be those ``seen``. Raises InputError."""
        raw = self._contents.get(path)
        if raw is None:
            settings = self._deps.settings
            try:
                raw = read_bytes(settings.vault, path, max_bytes=settings.max_note_bytes)
            except FileNotFoundError as error:  # since it was found a moment ago
                raise InputError(str(error)) from None
        if sha256(raw) != seen:
            raise changed(path)
        return raw

    @property
    def _names(self) -> LinkNames:
        return self._deps.catalog.inventory.link_names()


def _edges(planned: PlannedLink) -> Iterator[Edge]:
    ends = planned.write.source, planned.write.target
    for side in planned.sides:
        other = ends[side.path == ends[0]]
        yield side.path, side.link.relation or "", other


def _many(ends: _Ends, *, both: bool) -> Iterator[str]:
    for note in (ends.source, ends.target) if both else (ends.source,):
        if warning := check_count(len(note.links)):
            yield f"{note.path}: {warning}"


def _place(place: Place) -> Place:
    """The place, if the heading of a section is plain words. Raises InputError."""
    if isinstance(place, InSection):
        return InSection(heading=check_heading(place.heading))
    return place


def _without_context(sides: Iterable[LinkSide]) -> Iterator[str]:
    """Where a context that is wanted does not go into all of the notes, where it does."""
    room = {
        side.path: isinstance(side.place, InSection | AsField)
        for side in sides
        if side.link.context
    }
    if not all(room.values()):
        into = ", ".join(path for path, has_room in room.items() if has_room)
        alone = f"into {into} alone" if into else "nowhere"
        yield f"The context is written {alone}: a mention and a property have no room for it."


def _shown(around: Sequence[str]) -> str:
    """The notes of a circle in a line, of a long one the first and the last."""
    if len(around) <= _MOST_SHOWN:
        return " → ".join(around)
    half = _MOST_SHOWN // 2
    between = f"({len(around) - 2 * half} more)"
    return " → ".join((*around[:half], between, *around[-half:]))


def _change(path: str, before: bytes, after: bytes) -> NoteChange:
    # What ends a note is no line of its own.
    old, new = (decode(one)[0].removesuffix("\n").split("\n") for one in (before, after))
    lines = difflib.unified_diff(old, new, n=_AROUND, lineterm="")
    return NoteChange(path=path, diff=tuple(lines)[2:])
