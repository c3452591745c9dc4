"""Walks over the graph, shared by every store.

They ask for one step at a time, so no question can enumerate the paths of a dense graph, and cycles
end by themselves.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from tools.base.domain import DatedEdge, Direction, GraphNode, GraphRelation, Neighbourhood
from tools.base.errors import InputError
from tools.graph.cypher.edge_steps import RelationCache, Step, to_graph_relation
from tools.graph.model import note_id
from tools.graph.relations import REVERSED
from tools.graph.store import Neighbour

MAX_HOPS = 4
SHARED_DEGREE = 50
"""A tag or placeholder that more notes share says too little to connect them."""

FRONTIER = 200
"""Entities that a walk goes on from after each step, strongest first."""


@dataclass(slots=True)
class _Reach:
    paths_count: int
    strength: float
    via: tuple[Step, ...]
    relations: set[str]


type Expand = Callable[[Sequence[str], Sequence[str]], Awaitable[Iterable[Step]]]
"""Steps from notes and from shared entities (tags and placeholders)."""

type ExpandAll = Callable[[Sequence[str]], Awaitable[Iterable[Step]]]
type _Chain = tuple[tuple[str, ...], tuple[Step, ...]]
"""The entities of a chain from where it began, and its edges."""


async def walk_neighbours(
    expand: Expand, paths: Sequence[str], *, hops: int, limit: int
) -> list[Neighbour]:
    """Breadth first from all ``paths`` at once; the strongest of each level go on."""
    check_hops(hops)
    level = {note_id(path): _Reach(1, 1.0, (), set()) for path in paths}
    visited = set(level)
    found: list[_Reach] = []
    for _ in range(hops):
        going_on = sorted(level, key=lambda uuid: (-level[uuid].strength, uuid))[:FRONTIER]
        shared = [uuid for uuid in going_on if _is_shared(level[uuid])]
        notes = [uuid for uuid in going_on if not _is_shared(level[uuid])]
        reached: dict[str, _Reach] = {}
        for step in sorted(await expand(notes, shared), key=_step_order):
            if step.far not in visited:
                _reach(reached, step, level[step.near])
        visited |= reached.keys()
        found += [reach for reach in reached.values() if reach.via[-1].path is not None]
        level = reached
        if not level:
            break
    found.sort(key=lambda r: (-r.strength, len(r.via), -r.paths_count, r.via[-1].path))
    tell = RelationCache()
    return [_neighbour(reach, tell) for reach in found[: max(limit, 0)]]


async def walk_chains(
    expand: ExpandAll,
    paths: Sequence[str],
    *,
    direction: Direction,
    limit: int,
    depth: int,
) -> list[tuple[GraphRelation, ...]]:
    """Paths along the direction of causation, longest extension of each.

    One that comes back to an entity of its own ends there: it is a circle.
    """
    check_hops(depth)
    wanted = (True, False) if direction == "both" else (direction == "effects",)
    start: list[_Chain] = [((note_id(path),), ()) for path in dict.fromkeys(paths)]
    ends = dict.fromkeys(wanted, start)
    chains: list[tuple[Step, ...]] = []
    for _ in range(depth):
        # Both directions by one question: half of its steps are for one of them.
        last = dict.fromkeys(nodes[-1] for found in ends.values() for nodes, _ in found)
        if not last:
            break
        steps: dict[tuple[str, bool], list[Step]] = {}
        for step in sorted(await expand(list(last)), key=_step_order):
            downstream = step.forward != (step.relation in REVERSED)
            steps.setdefault((step.near, downstream), []).append(step)
        for downstream, found in ends.items():
            longer: list[_Chain] = []
            for nodes, chain in found:
                onward = steps.get((nodes[-1], downstream), ())
                extensions = [step for step in onward if step.far not in nodes]
                longer += [((*nodes, s.far), (*chain, s)) for s in extensions]
                ended = [(*chain, step) for step in onward if step.far in nodes[:-1]]
                if chain and not extensions:
                    ended = ended or [chain]
                chains += [one if downstream else one[::-1] for one in ended]
            ends[downstream] = sorted(longer, key=lambda end: _chain_order(end[1]))[:FRONTIER]
    for downstream, found in ends.items():
        chains += [chain if downstream else chain[::-1] for _, chain in found if chain]
    tell = RelationCache()
    best: dict[tuple[GraphRelation, ...], None] = {}
    for chain in sorted(chains, key=_chain_order):
        if len(best) >= limit:
            break
        best[tuple(map(tell, chain))] = None  # once, if found from both its ends
    return list(best)


async def walk_around(
    expand: ExpandAll, centres: Iterable[GraphNode], *, name: str, hops: int, limit: int
) -> Neighbourhood:
    """At most ``limit`` entities within ``hops`` of the centres and all edges among them.

    Only notes, and where it starts, lead on.
    """
    check_hops(hops)
    nodes = {node.uuid: node for node in centres}
    steps: list[Step] = []
    level = list(nodes)
    for hop in range(1, hops + 1):
        reached = sorted(await expand(level), key=lambda step: (-step.strength, step.far))
        steps += reached
        level.clear()
        for step in reached:
            if step.far not in nodes and len(nodes) < limit:
                nodes[step.far] = _far_node(step, hop)
                if step.kind == "note":
                    level.append(step.far)
        if not level:
            break
    edges = dict.fromkeys(
        DatedEdge(
            source=step.near if step.forward else step.far,
            target=step.far if step.forward else step.near,
            relation=to_graph_relation(step),
        )
        for step in steps
        if step.near in nodes and step.far in nodes
    )
    return Neighbourhood(name=name, nodes=tuple(nodes.values()), edges=tuple(edges))


def _far_node(step: Step, hops: int) -> GraphNode:
    return GraphNode(
        uuid=step.far,
        title=step.name,
        kind=step.kind,
        hops=hops,
        path=step.path,
        note_type=step.note_type,
    )


def check_hops(hops: int) -> None:
    """Raise InputError unless ``hops`` is an integer in 1..4."""
    if type(hops) is not int or not 1 <= hops <= MAX_HOPS:
        raise InputError(f"A walk through the graph takes 1 to {MAX_HOPS} hops, not {hops}.")


def _is_shared(reach: _Reach) -> bool:
    return bool(reach.via) and reach.via[-1].kind != "note"


def _reach(reached: dict[str, _Reach], step: Step, origin: _Reach) -> None:
    """Note one more way to where ``step`` leads."""
    strength = origin.strength * step.strength
    known = reached.get(step.far)
    if known is None:
        via = (*origin.via, step)
        reached[step.far] = _Reach(origin.paths_count, strength, via, {step.relation})
        return
    known.paths_count += origin.paths_count
    known.relations.add(step.relation)
    if strength > known.strength:
        known.strength, known.via = strength, (*origin.via, step)


def _neighbour(reach: _Reach, tell: RelationCache) -> Neighbour:
    last = reach.via[-1]
    return Neighbour(
        path=cast("str", last.path),
        title=last.name,
        hops=len(reach.via),
        paths_count=reach.paths_count,
        strength=reach.strength,
        relations=tuple(sorted(reach.relations)),
        via=tuple(map(tell, reach.via)),
    )


def _step_order(step: Step) -> tuple[str, int, str, str, str]:
    return step.note_path, step.line, step.relation, step.far, step.near


def _chain_order(chain: Sequence[Step]) -> tuple[float, int, list[tuple[str, int, str]]]:
    mean = sum(step.strength for step in chain) / len(chain)
    places = [(step.note_path, step.line, step.name) for step in chain]
    return -mean, -len(chain), places
