"""Values about the links of a whole vault."""

from collections.abc import Iterable
from dataclasses import dataclass

from tools.base.domain.sources import SourceWarning


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteConnections:
    """To how many notes one links, how many link to it, and how many there are of both together.

    A note at the other end of several links counts once.
    """

    path: str
    title: str
    links_out: int
    links_in: int
    neighbours: int

    @property
    def order(self) -> tuple[int, str]:
        """By this the least connected notes come first, those with as many neighbours by path."""
        return self.neighbours, self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkMap:
    """All notes by path, and their links as numbers of notes, from 0: source and target, once.

    ``communities`` has for each note the number of those it belongs with by its links, 0 for the
    most notes; None for one without a link.
    """

    notes: tuple[NoteConnections, ...]
    communities: tuple[int | None, ...]
    links: tuple[tuple[int, int], ...]
    warnings: tuple[SourceWarning, ...] = ()


def most_connected(notes: Iterable[NoteConnections]) -> list[NoteConnections]:
    """The notes with the most neighbours first, then by path; none without any."""
    linked = (note for note in notes if note.neighbours)
    return sorted(linked, key=lambda note: (-note.neighbours, note.path))
