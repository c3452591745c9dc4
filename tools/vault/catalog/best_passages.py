"""The passages that hold some words best, by BM25: those with common words alone are not scored.

FTS5 scores a passage in ten times the time that it takes to find it, and a common word is in half
of all passages. But no passage scores more than the rarities of its words allow: where enough
passages with rare words score more than all the common ones together could give, none of the others
is among the best (MaxScore: Turtle and Flood, 1995, https://doi.org/10.1016/0306-4573(95)00020-H).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.vault.catalog.catalog import Catalog

_BM25_K1 = 1.2
"""How soon a word that is said again counts no more: a constant of FTS5's ``bm25``."""
_LEAST_RARITY = 1e-6
_FARTHER = 2
"""So many times the passages a second try has, that tries in vain cost less than the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermStatistics:
    """How many passages a term is in, and what FTS5's ``bm25`` makes of that."""

    passages: int
    weight: float


def term_statistics(catalog: Catalog, terms: Sequence[str]) -> dict[str, TermStatistics]:
    """The rarity of each term, an FTS5 expression, as FTS5 counts it.

    Source of the formula: https://www.sqlite.org/fts5.html#the_bm25_function.
    """
    total = catalog.passage_count() if terms else 0
    found: dict[str, TermStatistics] = {}
    for term, passages in catalog.words.document_frequencies(terms).items():
        weight = math.log((total - passages + 0.5) / (passages + 0.5))
        found[term] = TermStatistics(passages=passages, weight=max(_LEAST_RARITY, weight))
    return found


def greatest(terms: Mapping[str, TermStatistics]) -> float:
    """The BM25 that a passage comes near which says every one of the terms again and again."""
    return (_BM25_K1 + 1.0) * max(_LEAST_RARITY, _weight(terms))


def best_passages(
    catalog: Catalog, terms: Mapping[str, TermStatistics], *, limit: int
) -> dict[int, float]:
    """Rows of the ``limit`` passages that match any of the terms best, and the BM25 of each."""
    fewest = limit
    rare, common = (
        dict[str, TermStatistics](),
        dict(sorted(terms.items(), key=lambda one: one[1].passages)),
    )
    while len(common) > 1:
        term = next(iter(common))
        rare[term] = common.pop(term)
        passages = sum(one.passages for one in rare.values())
        # The last of the best seldom says more than every rare word once.
        if passages < fewest or greatest(common) >= _weight(rare):
            continue
        found = dict(catalog.words.match(any_of(rare), limit=limit))
        if len(found) == limit and min(found.values()) > greatest(common):
            # Those with common words, too, score more than the rare ones alone tell.
            both = f"({any_of(rare)}) AND ({any_of(common)})"
            found |= catalog.words.match(both, limit=limit)
            return dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:limit])
        fewest = _FARTHER * passages
    return dict(catalog.words.match(any_of(terms), limit=limit)) if terms else {}


def any_of(terms: Mapping[str, TermStatistics]) -> str:
    """The FTS5 expression for passages with at least one of the terms."""
    return " OR ".join(terms)


def _weight(terms: Mapping[str, TermStatistics]) -> float:
    return sum(one.weight for one in terms.values())
