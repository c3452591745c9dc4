"""Circular reasoning: notes that support, contradict or widen one another in a circle. Pure."""

from collections.abc import Iterable, Mapping, Set

from tools.links.rules import OTHER_SIDE

REASONING = frozenset(("supports", "contradicts", "generalizes", "specializes"))
"""Types that may close no circle; of the others one is only worth a warning."""

_TURNED = {other: kind for kind, other in OTHER_SIDE.items() if other != kind}
del _TURNED["generalizes"]

type Edge = tuple[str, str, str]
"""Source, type and target of a link."""
type Adjacency = Mapping[str, Set[str]]


def canonical(edge: Edge) -> Edge:
    """A link as it is said from its one side: supported_by is supports the other way round.

    What specializes a note is generalized by it; contradicts has one direction, as it is written.
    """
    source, kind, target = edge
    return (target, _TURNED[kind], source) if kind in _TURNED else edge


def adjacency(edges: Iterable[Edge], types: Set[str] = REASONING) -> Adjacency:
    """The targets of each source by links of some types, each ``canonical``."""
    found: dict[str, set[str]] = {}
    for source, kind, target in map(canonical, edges):
        if kind in types:
            found.setdefault(source, set()).add(target)
    return found


def circle(edges: Adjacency, new: Edge) -> list[str] | None:
    """The notes of the circle that a new link would close, the first once more at the end."""
    source, _, target = canonical(new)
    return path_back(edges, source, target)


def path_back(edges: Adjacency, source: str, target: str) -> list[str] | None:
    """The shortest circle that an edge from source to target would close, or None.

    It begins and ends with the source. Of circles as short one is taken by the alphabet.
    """
    levels, seen = [{target}], {target}
    while source not in levels[-1]:
        further = set[str]().union(*(edges.get(note, ()) for note in levels[-1])) - seen
        if not further:
            return None
        levels.append(further)
        seen |= further
    found = [source]
    for level in reversed(levels[:-1]):
        found.append(min(note for note in level if found[-1] in edges.get(note, ())))
    return [source, *reversed(found)]
