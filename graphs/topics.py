"""What is seen of notes beside a topic: what its passages mean, and the words they have of it."""

from collections.abc import Iterable, Mapping

from graphs.deps import Deps
from tools.errors import BrainError
from tools.vault.best_passages import rarities
from tools.vault.text import text_query
from tools.vault.topics import Seen

_PASSAGES = 400


async def similarities(topic: str, deps: Deps) -> dict[str, float]:
    """The similarity of passages, by their vectors; none where meaning cannot be searched by."""
    try:
        return dict(await deps.index.search(topic, limit=_PASSAGES))
    except BrainError:
        return {}


def seen_of(
    topic: str,
    paths: Iterable[str],
    similar: Mapping[str, float],
    deps: Deps,
    *,
    turkish: bool,
) -> dict[str, Seen]:
    """What is seen of each note; it reads the catalog, and blocks."""
    catalog = deps.catalog
    nearest: dict[str, float] = {}
    for vector, places in catalog.places_by_vector(similar).items():
        for path, _, _ in places:
            nearest[path] = max(similar[vector], nearest.get(path, 0.0))
    terms = text_query(topic, turkish=turkish).terms()
    rarity = {term: one.weight for term, one in rarities(catalog, terms).items()}
    said = {term: catalog.inventory.with_all([term]).keys() for term in terms}
    headed = {term: catalog.inventory.with_all([term], headed=True).keys() for term in terms}
    total = sum(rarity.values()) or 1.0
    return {
        path: Seen(
            similar=nearest.get(path, 0.0),
            said=sum(rarity[term] for term in terms if path in said[term]) / total,
            headed=sum(rarity[term] for term in terms if path in headed[term]) / total,
        )
        for path in paths
    }
