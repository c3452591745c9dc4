"""What one question tells of the first two levels of a walk."""

from collections.abc import Iterable, Sequence
from typing import cast

from tools.graph.backend import Row


class Ahead:
    """The rows of a question about ``starts`` and about where they lead on to.

    Each row begins with its level, 1 or 2, and the entities at its near and far end. The second
    level counts only if neither ``most`` rows nor ``frontier`` entities can have cut it short.
    """

    def __init__(
        self, rows: Sequence[Row], starts: Iterable[str], *, most: int, frontier: int
    ) -> None:
        self._rows: dict[str, list[Row]] = {uuid: [] for uuid in starts} if rows else {}
        first = [row for row in rows if row[0] == 1]
        second = [row for row in rows if row[0] == 2]
        reached = {cast("str", row[2]) for row in first}
        if len(second) < most and len(reached) < frontier:
            self._rows |= {uuid: [] for uuid in reached - self._rows.keys()}
            # Where an edge was written between two answers, it is not led on from.
            known = reached.difference(row[1] for row in first)
            first += [row for row in second if row[1] in known]
        for row in first:
            self._rows[cast("str", row[1])].append(row[1:])

    def rows(self, uuids: Iterable[str]) -> list[Row] | None:
        """What is next to these entities; None where not all of them were asked about."""
        if any(uuid not in self._rows for uuid in uuids):
            return None
        return [row for uuid in uuids for row in self._rows[uuid]]
