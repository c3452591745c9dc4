"""The way from one entity to another that tells the most for its length."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tools.graph.cypher.port import Row
from tools.graph.cypher.rows import text_of
from tools.graph.cypher.walk import FRONTIER, check_hops
from tools.graph.relations import is_action_relation


class Link(NamedTuple):
    """That an edge of this relation leads from ``near`` to ``far``, either way."""

    near: str
    far: str
    relation: str


def link_of(row: Row) -> Link:
    """The link whose row ends with its two ends and its relation; see ``rows`` for other rows."""
    return Link._make(map(text_of, row[-3:]))


type Ends = Callable[[Sequence[str]], Awaitable[Iterable[Link]]]
"""The links at some entities."""

type _Telling = Mapping[str, Mapping[str, bool]]
"""For each entity the ones beside it, and whether a link between the two says how they belong."""


async def walk_path(ends: Ends, start: str, goal: str, *, hops: int) -> list[str]:
    """The entities on the way, both ends included; empty when none is within ``hops``.

    A link that does not say how its ends belong together counts as two. Only ways of one step
    more than the shortest are compared with it. The walk grows from both ends, the smaller side
    first.
    """
    check_hops(hops)
    beside: dict[str, dict[str, bool]] = defaultdict(dict)
    known = ({start}, {goal})
    edges: list[list[str]] = [[start], [goal]]
    longest = hops
    done = 0
    while done < longest and all(edges):
        side = 0 if len(edges[0]) <= len(edges[1]) else 1
        reached: set[str] = set()
        for near, far, relation in await ends(edges[side]):
            telling = beside[near].get(far, False) or is_action_relation(relation)
            beside[near][far] = beside[far][near] = telling
            reached.add(far)
        reached -= known[side]
        met = not known[0].isdisjoint(known[1])
        known[side].update(reached)
        done += 1
        if not met and not reached.isdisjoint(known[1 - side]):
            longest = min(done + 1, hops)
        edges[side] = sorted(reached)[:FRONTIER]
    return _most_telling(beside, start, goal, hops=longest)


def _most_telling(beside: _Telling, start: str, goal: str, *, hops: int) -> list[str]:
    """The best way of at most ``hops`` steps; of two as good the one with more telling links."""
    none: list[str] = []
    ways: dict[str, tuple[int, int, list[str]]] = {start: (0, 0, [start])}
    best = (2 * hops + 1, 0, none)
    for _ in range(hops):
        longer: dict[str, tuple[int, int, list[str]]] = {}
        for near, (length, bare, nodes) in ways.items():
            for far, telling in beside.get(near, {}).items():
                if far in nodes:
                    continue
                way = length + 2 - telling, bare + 1 - telling, [*nodes, far]
                if far not in longer or way < longer[far]:
                    longer[far] = way
        best = min(best, longer.pop(goal, best))
        ways = longer
    return best[2]
