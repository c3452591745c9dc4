"""The notes that have the rare words of a text, by the text index."""

import math
from collections import Counter
from collections.abc import Mapping

from tools.text.stopwords import SEARCH_STOP
from tools.text.tokens import words_of
from tools.vault.catalog.best_passages import best_passages, term_statistics
from tools.vault.catalog.catalog import Catalog

_WORDS_COUNTED = 80
"""Words of a text, the most frequent first, whose rarity is looked up."""
_WORDS_ASKED = 16
"""The rarest and most frequent of them, for which passages are searched."""
_PASSAGES = 200
_SHORTEST_WORD = 2


def notes_alike(catalog: Catalog, text: str) -> Mapping[str, float]:
    """For each note found by the words that tell most of a text the BM25 of its best passage."""
    counts = Counter(
        word for word in words_of(text) if len(word) >= _SHORTEST_WORD and word not in SEARCH_STOP
    )
    frequent = {f'"{word}"': count for word, count in counts.most_common(_WORDS_COUNTED)}
    found = term_statistics(catalog, [*frequent])
    weights = {term: math.log1p(frequent[term]) * one.weight for term, one in found.items()}
    telling = sorted(weights, key=lambda term: -weights[term])[:_WORDS_ASKED]
    ranked = best_passages(catalog, {term: found[term] for term in telling}, limit=_PASSAGES)
    best: dict[str, float] = {}
    for row, path in catalog.inventory.notes_of_rows(ranked):
        best[path] = max(best.get(path, 0.0), ranked[row])
    return best
