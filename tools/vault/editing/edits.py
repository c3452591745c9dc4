"""A link put into a note: from which bytes to which, and how it is found there later. Pure."""

import codecs
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tools.base.errors import InputError
from tools.vault.editing.insertions import Insertion, inserted, taken_out
from tools.vault.editing.places import NewLink, Place, insertions
from tools.vault.editing.reread import check_read, read_as

_BESIDE = 32
"""Bytes on either side by which one of several equal links is known."""
_LINE_END = (b"\n", b"\r")
_MARKS = (b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEdit:
    """What leads from a note with the SHA-256 ``before`` to one with ``after``, and back.

    ``surroundings`` are the note's bytes from the first insertion to the last, and a few on either
    side. ``draft`` is the hidden name that the new file has beside the note while it is written.
    """

    path: str
    name: str
    relation: str | None
    before: str
    after: str
    insertions: tuple[Insertion, ...]
    surroundings: bytes
    draft: str = ""


def planned_edit(path: str, raw: bytes, link: NewLink, place: Place) -> NoteEdit:
    """The edit that puts a link into a note. Raises InputError as ``insertions`` does."""
    made = insertions(path, raw, link, place)
    return _edit(
        NoteEdit(
            path=path,
            name=link.name,
            relation=link.relation,
            before="",
            after="",
            insertions=made,
            surroundings=b"",
        ),
        raw,
        inserted(raw, made),
    )


def relocated(edit: NoteEdit, raw: bytes) -> NoteEdit | None:
    """The edit as it led to a note that was changed since; None where that is not sure.

    The link has to stand there once as it was written, on lines of its own if it was, and be all
    that the note loses without it.
    """
    first, end = _span(edit.insertions)
    lead = min(first, _BESIDE)
    wanted = edit.surroundings[lead : lead + end - first]
    places = list(_places(raw, wanted))
    if len(places) > 1:
        places = [at for at in places if raw.startswith(edit.surroundings, max(at - lead, 0))]
    if len(places) != 1 or not _is_apart(edit.insertions, raw, places[0], len(wanted)):
        return None
    shift = places[0] - first
    moved = tuple(replace(one, at=one.at + shift) for one in edit.insertions)
    without = taken_out(raw, moved)
    if without is None:
        return None
    try:
        check_read(read_as(edit.path, without), read_as(edit.path, raw), edit.name, edit.relation)
    except InputError:
        return None
    return _edit(replace(edit, insertions=moved), without, raw)


def sha256(raw: bytes) -> str:
    """The digest by which a note's bytes are known."""
    return hashlib.sha256(raw).hexdigest()


def _edit(edit: NoteEdit, before: bytes, after: bytes) -> NoteEdit:
    first, end = _span(edit.insertions)
    return replace(
        edit,
        before=sha256(before),
        after=sha256(after),
        surroundings=after[max(first - _BESIDE, 0) : end + _BESIDE],
    )


def _span(made: Sequence[Insertion]) -> tuple[int, int]:
    """Where they begin and end in the note that has them."""
    return made[0].at, made[-1].at + sum(len(one.content) for one in made)


def _places(raw: bytes, wanted: bytes) -> Iterator[int]:
    at = raw.find(wanted)
    while at >= 0:
        yield at
        at = raw.find(wanted, at + 1)


def _is_apart(made: Sequence[Insertion], raw: bytes, at: int, size: int) -> bool:
    """Whether what was put in as lines still is lines: nobody wrote on in one of them."""
    if len(made) > 1:
        return True
    content = made[0].content.replace(b"\0", b"")
    after = raw[at + size : at + size + 2].replace(b"\0", b"")
    before = raw[max(at - 2, 0) : at].replace(b"\0", b"")
    is_first = raw[:at] in _MARKS
    if content.startswith(_LINE_END):
        return not after or after.startswith(_LINE_END)
    return not content.endswith(_LINE_END) or is_first or before.endswith(_LINE_END)
