"""Where an answer about one sense of a name comes from: its notes, and what links with them."""

from collections.abc import Sequence, Set

from graphs.core.deps import Deps
from tools.base.domain import Hit, QueryPlan


def within_sense(hits: Sequence[Hit], plan: QueryPlan, deps: Deps) -> list[Hit]:
    """The hits of the sense that was chosen, and of notes that link to it or that it links to.

    All of them where none was chosen. It reads the catalog, and blocks.
    """
    if plan.sense is None:
        return list(hits)
    own = frozenset(plan.sense.notes)
    others = {hit.note_path for hit in hits} - own
    kept = own | _linked(own, others, deps) | {hit.note_path for hit in hits if _reaches(hit, own)}
    return [hit for hit in hits if hit.note_path in kept]


def _reaches(hit: Hit, own: Set[str]) -> bool:
    """Whether an edge of the graph joins the note that was found with one of these."""
    ends = ({step.source_path, step.target_path} for step in hit.chain)
    return any(hit.note_path in both and not own.isdisjoint(both) for both in ends)


def _linked(own: Set[str], others: Set[str], deps: Deps) -> set[str]:
    links = [(link.path, link.to) for link in deps.catalog.inventory.links((*own, *others))]
    reached = {to for path, to in links if path in own and to in others}
    return {path for path, to in links if to in own and path in others}.union(filter(None, reached))
