"""Ranked full-text search over the catalog: words, exact phrases and note names."""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tools.domain import Chunk, Excerpt, Hit, MatchType
from tools.folding import fold
from tools.vault.catalog import Catalog, Passage
from tools.words import SEARCH_STOP

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_CANDIDATES = 60
"""Passages BM25 proposes before they are scored and grouped by note."""
_PASSAGES_PER_NOTE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TextQuery:
    """Words to look for (any of them) and phrases (exact, worth more)."""

    words: tuple[str, ...]
    phrases: tuple[str, ...]


def text_query(question: str, concepts: Sequence[str] = ()) -> TextQuery:
    """Content words of the question and its concepts; a concept of several words is a phrase."""
    words: dict[str, None] = {}
    phrases: list[str] = []
    for text in (*concepts, question):
        tokens = _WORD.findall(fold(text))
        content = [token for token in tokens if token not in SEARCH_STOP and len(token) > 1]
        words.update(dict.fromkeys(content))
        if text != question and len(content) > 1:
            phrases.append(" ".join(tokens))
    if not words:  # nothing but small words: they are then what is asked about
        words.update(dict.fromkeys(_WORD.findall(fold(question))))
    return TextQuery(words=tuple(words)[:24], phrases=tuple(dict.fromkeys(phrases)))


def search_text(
    catalog: Catalog, query: TextQuery, *, names: Sequence[str] = (), limit: int
) -> list[Hit]:
    """Notes by how much of the query they hold, best first.

    The score is the share of the query's words that the passage has, each weighted by its rarity
    (inverse document frequency, Robertson and Spärck Jones), times the root of its BM25 over the
    best passage's. A note whose name is one of ``names`` leads with 0.95.
    """
    weights = _weights(catalog, query.words)
    ranked = catalog.match(_expression(query), limit=_CANDIDATES) if query.words else []
    rows = [row for row, _ in ranked]
    with_phrase = {
        row
        for phrase in query.phrases
        for row, _ in catalog.match(_quote(phrase), limit=_CANDIDATES)
    }
    named = {path: None for name in names for path in catalog.resolve(name)}
    passages = catalog.passages(chunk_ids=[*rows, *with_phrase])
    best = max((bm25 for _, bm25 in ranked), default=0.0)
    scores: dict[int, float] = {}
    for row, bm25 in [*ranked, *((row, best) for row in with_phrase if row not in set(rows))]:
        if row not in passages:  # its note was written again since it matched
            continue
        coverage = _coverage(passages[row], weights)
        closeness = math.sqrt(bm25 / best) if best > 0 else 1.0
        bonus = 0.1 if row in with_phrase else 0.0
        scores[row] = min(1.0, coverage * closeness + bonus)
    grouped: dict[str, list[Passage]] = defaultdict(list)
    for row in sorted(scores, key=lambda row: (-scores[row], row)):
        grouped[passages[row].note_path].append(passages[row])
    for path in named:
        if path not in grouped:
            grouped[path] = catalog.passages_of([path]).get(path, [])[:1]
    hits = [
        _hit(found, scores=scores, with_phrase=with_phrase, named=path in named)
        for path, found in grouped.items()
        if found
    ]
    hits.sort(key=lambda hit: (-hit.score, hit.note_path))
    return hits[:limit]


def excerpt(passage: Passage | Chunk) -> Excerpt:
    """Quote the whole passage."""
    return Excerpt(
        text=passage.text,
        line_start=passage.line_start,
        line_end=passage.line_end,
        heading=passage.heading_path[-1] if passage.heading_path else None,
        block_id=passage.block_id,
    )


def _hit(
    found: Sequence[Passage], *, scores: dict[int, float], with_phrase: set[int], named: bool
) -> Hit:
    first = found[0]
    kind: MatchType = "text"
    if named:
        kind = "title"
    elif any(passage.chunk_id in with_phrase for passage in found):
        kind = "exact_phrase"
    score = scores.get(first.chunk_id, 0.0)
    return Hit(
        source="text",
        note_path=first.note_path,
        note_title=first.note_title,
        score=max(score, 0.95) if named else score,
        match_type=kind,
        excerpts=tuple(excerpt(passage) for passage in found[:_PASSAGES_PER_NOTE]),
    )


def _weights(catalog: Catalog, words: Sequence[str]) -> dict[str, float]:
    total = max(1, catalog.passage_count())
    weights: dict[str, float] = {}
    for word in words:
        frequency = catalog.document_frequency(_quote(word))
        weights[word] = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
    return weights


def _coverage(passage: Passage, weights: dict[str, float]) -> float:
    total = sum(weights.values())
    if total <= 0:
        return 0.0
    stems = {word: _stem(word) for word in weights}
    text = fold(" ".join((passage.note_title, *passage.heading_path, passage.text)))
    alike = tuple(stems.values())
    present = {_stem(token) for token in _WORD.findall(text) if token.startswith(alike)}
    return sum(weight for word, weight in weights.items() if stems[word] in present) / total


def _stem(word: str) -> str:
    """Cut an English ending; crude, for counting only: the index itself stems by Porter's rules."""
    for ending in ("ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _expression(query: TextQuery) -> str:
    return " OR ".join(_quote(term) for term in (*query.phrases, *query.words))


def _quote(term: str) -> str:
    """Make one FTS5 string of a term, so that no character in it is an operator."""
    return '"' + term.replace('"', " ") + '"'
