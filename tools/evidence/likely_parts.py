"""What is read of a note for an answer: a short one, and of a long one the likeliest parts. Pure.

The parts are chosen by the letters that stand in them: to take a long note apart into what it says
costs more than all the rest of an answer.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tools.evidence.spans import FENCE
from tools.text.markdown.tables import is_rule
from tools.text.normalize import fold

_PART = 800
"""Characters from which on a blank line ends a part."""
_LONGEST, _LINE = 24_000, 40
"""Characters from which on any line ends a part, and what a line counts for beside its own.

No person writes so much without a gap: of 13,576 parts of four vaults the longest has 13,023.
"""
_BEGINS = 4
"""Letters by which a stem is found in a word: those behind them change with its endings."""
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")


class Room(NamedTuple):
    """Characters up to which a note is read as a ``whole``, and those read ``of_longer`` ones."""

    whole: int
    of_longer: int


ROOM = Room(6000, 4000)
"""Of the notes found first."""
LITTLE_ROOM = Room(2000, 1500)
"""Of the others: a quarter less is taken apart, and no evidence lost (PERFORMANCE.md)."""

type Place = tuple[int, int, float]
"""First and last line (1-based), and a similarity in [0, 1]."""


class _Part(NamedTuple):
    """Lines from and to (0-based, half-open), and the heading that they stand under.

    ``over`` and ``under`` are what a part needs around it where it is cut out of a table or of
    code: the head of the table, the marks of the code.
    """

    first: int
    end: int
    heading: str
    over: tuple[str, ...] = ()
    under: str = ""


def likely_parts(
    lines: Sequence[str],
    weights: Mapping[str, float],
    places: Iterable[Place] = (),
    *,
    room: Room = ROOM,
) -> str:
    """A note's text, in which lines are empty that are not read.

    Read are its headings, how it begins, and what holds most of the stems asked for, by their
    ``weights``, or lies in one of the ``places`` that meaning found. Of a table or code without end
    a part is read, with what says of it that it is one in the lines around it.
    """
    if sum(map(len, lines)) + len(lines) <= room.whole:
        return "\n".join(lines)
    begins: dict[str, float] = {}
    for stem, weight in weights.items():
        begins[stem[:_BEGINS]] = begins.get(stem[:_BEGINS], 0.0) + weight
    total = sum(weights.values()) or 1.0
    similar = list(places)

    def likely(part: _Part) -> float:
        text = fold("\n".join((part.heading, *lines[part.first : part.end])))
        said = sum(weight for begin, weight in begins.items() if begin in text)
        near = (one for first, last, one in similar if first <= part.end and last > part.first)
        return said / total + max(near, default=0.0)

    parts = list(_parts(lines))
    read = [""] * len(lines)
    for part in parts:  # a heading begins one; within code its mark is none
        if not part.over and _HEADING.match(lines[part.first]):
            read[part.first] = lines[part.first]
    left = room.of_longer
    chosen: list[_Part] = []
    for part in (parts[0], *sorted(parts[1:], key=likely, reverse=True)):
        read[part.first : part.end] = lines[part.first : part.end]
        chosen.append(part)
        left -= sum(map(len, lines[part.first : part.end]))
        if left <= 0 and len(chosen) > 1:  # how it begins may fill the room alone
            break
    firsts, ends = {part.first for part in chosen}, {part.end for part in chosen}
    for part in chosen:
        if part.first not in ends:
            read[part.first - len(part.over) : part.first] = part.over
        if part.under and part.end not in firsts:
            read[part.end] = part.under
    return "\n".join(read)


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """The lines between the places where a note may be cut: headings and, outside code, gaps."""
    first = size = 0
    heading = fence = ""
    head: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    for at, line in enumerate(lines):
        endless = size + _LINE * (at - first) > _LONGEST and not is_rule(line)
        if endless and at > first:
            yield _Part(first, at, heading, over, under=fence)
            first, size, over = at, 0, (fence,) if fence else head
        if mark := FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        heads = not fence and _HEADING.match(line) is not None
        full = size > _PART and not fence and not line.strip()
        if (heads or full) and at > first:
            yield _Part(first, at, heading, over)
            first, size, over = at, 0, ()
        if heads:
            heading = line
        if is_rule(line) and at:
            head = (lines[at - 1], line)
        elif "|" not in line:
            head = ()
        size += len(line)
    yield _Part(first, len(lines), heading, over)
