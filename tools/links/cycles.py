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


def circle(new: Edge, *links: Adjacency) -> list[str] | None:
    """The notes of the circle that a new link would close with these; the first ends it, too."""
    source, _, target = canonical(new)
    return path_back(source, target, *links)


def path_back(source: str, target: str, *links: Adjacency) -> list[str] | None:
    """The shortest circle that a link from source to target would close with these, or None.

    It begins and ends with the source. Of circles as short one is taken by the alphabet.
    """
    levels, seen = [{target}], {target}
    while source not in levels[-1]:
        nexts = (each.get(note, ()) for each in links for note in levels[-1])
        further = set[str]().union(*nexts) - seen
        if not further:
            return None
        levels.append(further)
        seen |= further
    found = [source]
    for level in reversed(levels[:-1]):
        last = found[-1]
        leading = (one for one in level if any(last in each.get(one, ()) for each in links))
        found.append(min(leading))
    return [source, *reversed(found)]
