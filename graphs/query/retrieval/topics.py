"""What is seen of notes beside a topic: what its passages mean, and the words they have of it."""

from collections.abc import Iterable, Mapping

from graphs.core.deps import Deps
from tools.base.errors import BrainError
from tools.ranking.topics import Seen
from tools.text.stemming import stem
from tools.text.tokens import words_of
from tools.vault.catalog.best_passages import term_statistics
from tools.vault.catalog.text import text_query

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
    rarity = {term: one.weight for term, one in term_statistics(catalog, terms).items()}
    said = {term: catalog.inventory.with_all([term]).keys() for term in terms}
    headed = {term: catalog.inventory.with_all([term], headed=True).keys() for term in terms}
    total = sum(rarity.values()) or 1.0
    called = _called(topic, deps, turkish=turkish)
    return {
        path: Seen(
            similar=nearest.get(path, 0.0),
            said=sum(rarity[term] for term in terms if path in said[term]) / total,
            headed=max(
                sum(rarity[term] for term in terms if path in headed[term]) / total,
                called.get(path, 0.0),
            ),
        )
        for path in paths
    }


def stems_of(text: str, *, turkish: bool) -> frozenset[str]:
    """The stems of a text's words, without those that only ask."""
    words = text_query(text, turkish=turkish).words
    return frozenset(stem(word, turkish=turkish) for one in words for word in words_of(one))


def _called(topic: str, deps: Deps, *, turkish: bool) -> dict[str, float]:
    """The share of a topic's stems in the names of each note, that of its file among them."""
    sought = stems_of(topic, turkish=turkish)
    names: dict[str, frozenset[str]] = {}
    for name, path in deps.catalog.link_targets() if sought else ():
        own = stems_of(name.rsplit("/", 1)[-1], turkish=turkish)
        names[path] = names.get(path, frozenset()) | own
    return {path: len(sought & own) / len(sought) for path, own in names.items()}
