"""Provenance put into a note's own frontmatter; the rest of it stays as it is written. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

import yaml

from tools.base.domain import Json, Note
from tools.base.errors import InputError
from tools.graph.provenance import KEYS, Provenance, folded_key, provenance_of
from tools.vault.notes.frontmatter import yaml_events
from tools.vault.notes.notes import parse_note

_OURS = frozenset(map(folded_key, KEYS))
_FENCE = "---\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What is put in; ``at`` only where the note does not say when it was written."""

    provenance: Provenance
    at: datetime


def stamped(path: str, text: str, stamp: Stamp) -> str:
    r"""The note with this provenance in place of any that it claims; lines end with ``\n``.

    Raises InputError for frontmatter that cannot be read, and so not be put right.
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    given = _parsed(path, text, stamp)
    lines = text.split("\n")
    body = "\n".join(lines[given.body_line - 1 :])
    source = "\n".join(lines[1 : max(1, given.body_line - 2)])
    others = {key: value for key, value in given.frontmatter.items() if not _is_ours(key)}
    ours: dict[str, Json] = {
        key: value for key, value in asdict(stamp.provenance).items() if value is not None
    }
    if given.stated_created is None and not any(key.casefold() == "created" for key in others):
        ours = {"created": stamp.at.isoformat(timespec="seconds"), **ours}
    whole = _FENCE + _without_ours(source, others) + _dumped(ours) + _FENCE + body
    made = _parsed(path, whole, stamp)
    kept = {key: value for key, value in made.frontmatter.items() if key not in ours}
    same_body = "\n".join(whole.split("\n")[made.body_line - 1 :]) == body
    rest = {key: value for key, value in others.items() if key not in ours}
    if not same_body or kept != rest or provenance_of(made.frontmatter) != stamp.provenance:
        raise _unusable("is unusual YAML")
    return whole


def _parsed(path: str, text: str, stamp: Stamp) -> Note:
    try:
        note = parse_note(path, text.encode(), mtime=stamp.at)
    except UnicodeEncodeError:
        raise InputError("The note holds broken Unicode: send it as plain text.") from None
    for warning in note.warnings:
        if warning.startswith("The frontmatter "):
            raise _unusable(warning.removeprefix("The frontmatter ").partition(";")[0])
    return note


def _without_ours(source: str, others: Mapping[str, Json]) -> str:
    """The lines of the properties that are not ours, as they are written where that can be."""
    try:
        begins = list(_keys(source))
    except yaml.YAMLError:  # what comes after the first value is not read as properties
        raise _unusable("is unusual YAML") from None
    if source.lstrip().startswith("{"):  # nothing can stand below a mapping in braces
        return _dumped(others) if others else ""
    lines = source.split("\n") if source else []
    for at, (line, key) in reversed([*enumerate(begins)]):
        if _is_ours(key):
            end = begins[at + 1][0] if at + 1 < len(begins) else len(lines)
            del lines[line:end]
    return "".join(f"{line}\n" for line in lines)


def _keys(source: str) -> Iterator[tuple[int, str]]:
    """The names of the properties and the lines on which they begin."""
    depth, is_key = 0, True
    for event in yaml_events(source):
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth == 1 and isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            if is_key and isinstance(event, yaml.ScalarEvent):
                yield event.start_mark.line, str(event.value)
            if not isinstance(event, yaml.CollectionStartEvent):
                is_key = not is_key
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1


def _is_ours(key: str) -> bool:
    return folded_key(key) in _OURS


def _dumped(properties: Mapping[str, Json]) -> str:
    return yaml.safe_dump(
        dict(properties),
        allow_unicode=True,
        sort_keys=False,
        width=10_000,
        default_flow_style=False,
    )


def _unusable(why: str) -> InputError:
    return InputError(
        f"The note's frontmatter {why}, so nothing can be added to it: send it as plain properties "
        "(key: value), or without."
    )
