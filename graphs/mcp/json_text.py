"""Edits of a JSON document as text: what is not edited stays as it was written, byte for byte."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

BOM = "\ufeff"
_BLANK = " \t\r\n"
_SPACE = re.compile(f"[{_BLANK}]*")
_START = re.compile(f"{BOM}?[{_BLANK}]*")
_STRING = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=[{_BLANK}]*[}}\]])", re.DOTALL)
_UNIT = "  "


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object: where its key begins, its value begins, and its value ends."""

    key: str
    start: int
    value: int
    end: int


def parse(text: str) -> Any:
    """What a document holds. Raises ValueError for anything but strict JSON."""
    try:
        return json.loads(text.removeprefix(BOM), parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def parse_with_comments(text: str) -> Any:
    """The same for a document that may hold comments and commas before a closing bracket."""
    bare = _COMMENT.sub(lambda found: found[1] or " ", text)
    return parse(_TRAILING_COMMA.sub(lambda found: found[1] or "", bare))


def same(one: str, other: str) -> bool:
    """Whether two documents hold the same, in the same order. Raises ValueError for broken ones."""
    return _ordered(one) == _ordered(other)


def top(text: str) -> int:
    """Where the outermost value of a valid document begins."""
    found = _START.match(text)
    return found.end() if found else 0


def members(text: str, at: int) -> list[Member]:
    """The members of the object that begins at ``at`` in a valid document."""
    decoder = json.JSONDecoder()
    found: list[Member] = []
    here = _skip(text, at + 1)
    while text[here] != "}":
        key, end = decoder.raw_decode(text, here)
        value = _skip(text, _skip(text, end) + 1)
        _, end = decoder.raw_decode(text, value)
        found.append(Member(key, here, value, end))
        here = _skip(text, end)
        here = _skip(text, here + 1) if text[here] == "," else here
    return found


def with_member(text: str, at: int, key: str, value: object) -> str:
    """The text with one more member, the last, in the object that begins at ``at``.

    It is indented as its siblings are; in an object on one line it goes onto that line.
    """
    found = members(text, at)
    name = json.dumps(key, ensure_ascii=False)
    if found:
        last = found[-1]
        indent = _indent(text, last.start)
        lead = " " if indent is None else _newline(text) + indent
        added = f",{lead}{name}: {_written(text, value, indent)}"
        return text[: last.end] + added + text[last.end :]
    closing = _skip(text, at + 1)
    outer = _indent_of_line(text, at)
    if _unit(text) is None:
        inside = f"{name}: {json.dumps(value, ensure_ascii=False)}"
    else:
        indent = outer + (_unit(text) or "")
        newline = _newline(text)
        inside = f"{newline}{indent}{name}: {_written(text, value, indent)}{newline}{outer}"
    return text[: at + 1] + inside + text[closing:]


def without_member(text: str, at: int, key: str) -> str:
    """The text without that member of the object that begins at ``at``; undoes ``with_member``."""
    found = members(text, at)
    place = next(place for place, member in enumerate(found) if member.key == key)
    if len(found) == 1:
        return text[: at + 1] + text[_skip(text, found[0].end) :]
    if place:
        return text[: found[place - 1].end] + text[found[place].end :]
    return text[: found[0].start] + text[found[1].start :]


def with_values(text: str, at: int, values: Mapping[str, object]) -> str:
    """The text with these values in the object that begins at ``at``; equal ones stay."""
    for key, value in values.items():
        member = next((member for member in members(text, at) if member.key == key), None)
        if member is None:
            text = with_member(text, at, key, value)
        elif json.loads(text[member.value : member.end]) != value:
            written = _written(text, value, _indent(text, member.start))
            text = text[: member.value] + written + text[member.end :]
    return text


def document(value: object) -> str:
    """A new document."""
    return json.dumps(value, indent=_UNIT, ensure_ascii=False) + "\n"


def _written(text: str, value: object, indent: str | None) -> str:
    """A value as the document would have it, in a member indented so; None is on one line."""
    if indent is None:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, indent=_unit(text) or "", ensure_ascii=False).split("\n")
    return (_newline(text) + indent).join(lines)


def _unit(text: str) -> str | None:
    """What one level is indented by; None where the document is on one line."""
    found = members(text, top(text))
    return _indent(text, found[-1].start) if found else _UNIT


def _indent(text: str, start: int) -> str | None:
    """What stands before a key on its line; None where something else does."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return None if before.strip(" \t") else before


def _indent_of_line(text: str, at: int) -> str:
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _ordered(text: str) -> str:
    """What a document holds, told apart by order and kind: 1 is neither 1.0 nor true."""
    try:
        return repr(json.loads(text.removeprefix(BOM), object_pairs_hook=tuple))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
