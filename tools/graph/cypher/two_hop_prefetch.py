"""What one question tells of the first two levels of a walk."""

from collections.abc import Iterable, Sequence
from typing import Protocol


class DirectedEdge(Protocol):
    """Something that leads from the entity ``near`` to the entity ``far``."""

    @property
    def near(self) -> str: ...

    @property
    def far(self) -> str: ...


class TwoHopPrefetch[T: DirectedEdge]:
    """What a question about ``starts`` found next to them and next to where that leads.

    It is ``found`` with its level, 1 or 2. The second level counts only if neither ``most`` rows
    nor ``frontier`` entities can have cut it short. Raises LookupError where the first does not
    begin at the starts, ValueError for another level.
    """

    def __init__(
        self,
        found: Sequence[tuple[object, T]],
        starts: Iterable[str],
        *,
        most: int,
        frontier: int,
    ) -> None:
        self._around: dict[str, list[T]] = {uuid: [] for uuid in starts} if found else {}
        first = [led for level, led in found if level == 1]
        second = [led for level, led in found if level == 2]
        if len(first) + len(second) < len(found):
            raise ValueError("no level")
        for led in first:
            self._around[led.near].append(led)
        reached = {led.far for led in first}
        if len(second) < most and len(reached) < frontier:
            self._around |= {uuid: [] for uuid in reached - self._around.keys()}
            # Where an edge was written between two answers, it is not led on from.
            known = reached.difference(led.near for led in first)
            for led in second:
                if led.near in known:
                    self._around[led.near].append(led)

    def around(self, uuids: Iterable[str]) -> list[T] | None:
        """What is next to these entities; None where not all of them were asked about."""
        if any(uuid not in self._around for uuid in uuids):
            return None
        return [led for uuid in uuids for led in self._around[uuid]]
