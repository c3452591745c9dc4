"""Whether a note with a link put into it is still the note it was. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime

from tools.base.domain import Json, Link, Note
from tools.base.errors import InputError
from tools.text.normalize import fold_name
from tools.vault.notes.markdown import table_lines
from tools.vault.notes.notes import parse_note

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
_ELSEWHERE = "Choose another place in the note."


def read_as(path: str, raw: bytes) -> Note:
    """The note that these bytes are, without any date of its file."""
    return parse_note(path, raw, mtime=_UNDATED)


def check_read(before: Note, after: Note, name: str, relation: str | None) -> None:
    """Raise InputError unless a note is as before but for one link with this name and relation."""
    added = _one_more(list(map(_link, before.links)), list(map(_link, after.links)))
    if added is None or fold_name(added[0]) != fold_name(name):
        raise InputError(f"There a link would not be read as one. {_ELSEWHERE}")
    if relation is not None and added[1] != relation:
        raise InputError(f"There a link would not have its type. {_ELSEWHERE}")
    same = (
        _same(before) == _same(after)
        and _grown([one.text for one in before.headings], [one.text for one in after.headings])
        and _grown([one.key for one in before.fields], [one.key for one in after.fields])
        and _kept(before, after, relation)
    )
    if not same:
        raise InputError(f"A link there would change how the rest is read. {_ELSEWHERE}")


def _link(link: Link) -> tuple[str, str | None, str | None, str | None, bool]:
    """A link but for its place and for what it shows."""
    return link.target, link.relation, link.heading, link.block_id, link.embed


def _same(note: Note) -> tuple[object, ...]:
    """What no link changes, but for its lines."""
    return (
        note.title,
        note.aliases,
        note.tags,
        [(one.text, one.done) for one in note.tasks],
        [(one.kind, one.title) for one in note.callouts],
        [one.block_id for one in note.blocks],
        len(table_lines(note.text)),
        note.warnings,
    )


def _kept(before: Note, after: Note, relation: str | None) -> bool:
    """Whether the properties are as they were, that of the relation with one value more."""
    old, new = dict(before.frontmatter), dict(after.frontmatter)
    if old == new:
        return True
    had, has = _values(old.pop(relation or "", None)), _values(new.pop(relation or "", None))
    return old == new and has[:-1] == had


def _values(value: Json) -> list[Json]:
    if value is None:
        return []
    return [*value] if isinstance(value, list) else [value]


def _grown[T](before: Sequence[T], after: Sequence[T]) -> bool:
    return before == after or _one_more(before, after) is not None


def _one_more[T](before: Sequence[T], after: Sequence[T]) -> T | None:
    """What was put into a sequence, if that is one thing and all that happened to it."""
    at = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before)
    )
    return after[at] if len(after) == len(before) + 1 and after[at + 1 :] == before[at:] else None
