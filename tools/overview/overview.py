"""An overview: which statements are shown, under what, and how many notes speak of it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tools.base.domain import Excerpt, OverviewKind, Result

Side = Literal["for", "against"]
"""What a line speaks for or against is what an overview is asked of."""
SIDES: tuple[Side, ...] = ("for", "against")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that is shown: the note as it was found, and the words with their place."""

    result: Result
    excerpt: Excerpt


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Lines that belong together: of a note, or, under a ``title``, of a part or a side."""

    lines: Sequence[Line]
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What is shown of all there is; ``notes`` speak of it, or the one has so many ``lines``.

    ``read_to`` is the last line that was read of a note too long to be read whole.
    """

    kind: OverviewKind
    groups: Sequence[Group]
    notes: int
    lines: int = 0
    read_to: int | None = None

    @property
    def shown(self) -> list[Line]:
        """Every line that is shown, in order."""
        return [line for group in self.groups for line in group.lines]

    @property
    def results(self) -> list[Result]:
        """The notes of these lines, each once, with them as its excerpts."""
        found: dict[str, list[Line]] = {}
        for line in self.shown:
            found.setdefault(line.result.note_path, []).append(line)
        return [
            replace(own[0].result, excerpts=tuple(one.excerpt for one in own))
            for own in found.values()
        ]
