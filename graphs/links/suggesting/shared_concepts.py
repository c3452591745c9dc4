"""What a note has in common with others, in words that tell something in this vault."""

import math
from collections.abc import Iterable, Mapping, Sequence

from tools.links.concepts import NoteConcepts, as_written, shared_concepts, words_by_stem
from tools.text.likeness import frequency_rank
from tools.text.tokens import stem, words_of
from tools.vault.catalog.best_passages import term_statistics
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.link_graph import LinkGraph

_EVERYDAY = 1500
"""The words that English uses most: they tell little of any subject."""
_COMMON = 0.05
"""The share of a vault from which on a word, tag, heading or link is a habit of the vault."""
_FEW = 5
"""So many notes or passages may have it in any vault."""


def concepts_shared_with(
    catalog: Catalog, graph: LinkGraph, path: str, others: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """What a note shares with each of some others, best first; it blocks.

    Raises StorageError.
    """
    concepts = _concepts(catalog, graph, [path, *others])
    own = concepts[path]
    common = frozenset[str]().union(*(own.words.keys() & concepts[o].words.keys() for o in others))
    telling = _telling(catalog, {key: as_written(own.words[key]) for key in common})
    return {other: shared_concepts(own, concepts[other], rarity=telling) for other in others}


def _telling(catalog: Catalog, words: Mapping[str, str]) -> dict[str, float]:
    """How much each word tells, by its stem: the rarer in English and in the vault the more."""
    ranks = {key: frequency_rank(stem(key)) for key in words}
    terms = {_phrase(words[key]): key for key, rank in ranks.items() if rank > _EVERYDAY}
    rare = {terms[term]: weight for term, weight in _rare(catalog, terms).items()}
    return {key: weight * math.log(ranks[key]) for key, weight in rare.items()}


def _rare(catalog: Catalog, terms: Iterable[str]) -> dict[str, float]:
    """The weights of those FTS5 expressions that few passages match."""
    most = max(_FEW, _COMMON * catalog.passage_count())
    found = term_statistics(catalog, [*terms])
    return {term: one.weight for term, one in found.items() if one.passages <= most}


def _concepts(catalog: Catalog, graph: LinkGraph, paths: Sequence[str]) -> dict[str, NoteConcepts]:
    """What each note is about, as it was indexed, but for what much of the vault has."""
    passages, tags = catalog.passages_of(paths), catalog.inventory.tags_of(paths)
    most = max(_FEW, _COMMON * catalog.note_count())
    targets = frozenset[str]().union(*(graph.targets(path) for path in paths))
    rare = [target for target in targets if len(graph.sources(target)) <= most]
    titles = {target: one.title for target, one in catalog.records(rare).items()}
    used = catalog.inventory.notes_by_tag()
    own = {heading for one in passages.get(paths[0], ()) for heading in one.heading_path}
    telling = _rare(catalog, [f"{{headings}} : {_phrase(heading)}" for heading in own])
    return {
        path: NoteConcepts(
            linked=[titles[to] for to in sorted(graph.targets(path)) if to in titles],
            tags=[tag for tag in tags.get(path, ()) if used.get(tag, 0) <= most],
            headings=[
                heading
                for one in passages.get(path, ())
                for heading in one.heading_path
                if f"{{headings}} : {_phrase(heading)}" in telling
            ],
            words=words_by_stem("\n".join(one.text for one in passages.get(path, ()))),
        )
        for path in paths
    }


def _phrase(words: str) -> str:
    """The FTS5 expression for these words one after the other."""
    return f'"{" ".join(words_of(words))}"'
