"""Proof that a quotation stands in the file, and where in it words stand. Pure."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate

from tools.base.domain import Excerpt


def verify(excerpt: Excerpt, lines: Sequence[str]) -> Excerpt | None:
    """Return the excerpt as it stands in the file now, moved if its lines moved, or None.

    ``lines`` are the file's present lines. White space is not compared.
    """
    wanted = _squeezed(excerpt.text)
    if not wanted:
        return None
    here = "\n".join(lines[excerpt.line_start - 1 : excerpt.line_end])
    # Nearly all stand there to the letter, and to squeeze a line without end takes long.
    if excerpt.text in here or wanted in _squeezed(here):
        return excerpt
    height = excerpt.line_end - excerpt.line_start + 1
    for start in range(len(lines) - height + 1):
        if wanted in _squeezed("\n".join(lines[start : start + height])):
            return replace(excerpt, line_start=start + 1, line_end=start + height)
    return None


class Places:
    """Where words stand in a file, given its present lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    @cached_property
    def _squeezed(self) -> tuple[str, list[int]]:
        """All of it without white space, and where in that each line begins."""
        squeezed = [_squeezed(line) for line in self._lines]
        return "".join(squeezed), list(accumulate(map(len, squeezed), initial=0))

    def locate(self, text: str, *, near: int) -> int | None:
        """Line at which the words begin, the one nearest to ``near``, or None.

        They may run over several lines; white space is not compared.
        """
        wanted = _squeezed(text)
        whole, starts = self._squeezed
        found: list[int] = []
        at = whole.find(wanted) if wanted else -1
        while at >= 0:
            found.append(bisect_right(starts, at))
            at = whole.find(wanted, at + 1)
        return min(found, key=lambda line: abs(line - near), default=None)


def _squeezed(text: str) -> str:
    return "".join(text.split())
