"""Ranked full-text search over the catalog: words, exact phrases and note names."""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tools.base.domain import Chunk, Excerpt, Hit, MatchType
from tools.text.language import is_turkish
from tools.text.normalize import fold
from tools.text.stopwords import SEARCH_STOP
from tools.vault.catalog.best_passages import any_of, best_passages, greatest, term_statistics
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.records import Passage

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_CANDIDATES = 120
"""Passages BM25 proposes before they are scored and grouped by note."""
_MOST_WORDS = 64
"""Words of a long question that are looked for."""
_PASSAGES_PER_NOTE = 3
_STEM = 5
"""Letters that Turkish suffixes leave as they are, of most words."""
_SHORTEST_STEM = 4
"""Letters below which too many other words begin like one."""
_PHRASE = 0.05
"""Share of the way to 1 by which an exact phrase moves a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextQuery:
    """Words to look for (any of them) and phrases (exact, worth more).

    ``inflected`` words are found in every form that begins alike, as Turkish needs it.
    """

    words: tuple[str, ...]
    phrases: tuple[str, ...]
    inflected: bool = False

    def terms(self) -> list[str]:
        """Each word as FTS5 is asked for it, whose own stems are English."""
        return [begins(word) if self.inflected else _quote(word) for word in self.words]


def begins(word: str) -> str:
    """What FTS5 is asked for a word whose endings may differ: the letters that most forms share."""
    return f"{_quote(word[:_STEM])}*" if len(word) >= _SHORTEST_STEM else _quote(word)


def text_query(
    question: str, concepts: Sequence[str] = (), *, turkish: bool | None = None
) -> TextQuery:
    """Content words of the question and its concepts; a concept of several words is a phrase.

    ``turkish`` tells the language of what is only a part of a question; else its words do.
    """
    words: dict[str, None] = {}
    phrases: list[str] = []
    for text in (*concepts, question):
        tokens = _WORD.findall(fold(text))
        content = [token for token in tokens if token not in SEARCH_STOP and _tells(token)]
        words.update(dict.fromkeys(content))
        if text != question and len(content) > 1:
            phrases.append(" ".join(tokens))
    if not words:  # nothing but small words: they are then what is asked about
        words.update(dict.fromkeys(_WORD.findall(fold(question))))
    return TextQuery(
        words=tuple(words)[:_MOST_WORDS],
        phrases=tuple(dict.fromkeys(phrases)),
        inflected=is_turkish(question) if turkish is None else turkish,
    )


def _tells(word: str) -> bool:
    """Whether it is more than a letter, or a number: "room 7" is not "room 8"."""
    return len(word) > 1 or word.isdigit()


def search_text(
    catalog: Catalog, query: TextQuery, *, names: Sequence[str] = (), limit: int
) -> list[Hit]:
    """Notes by how well a passage of theirs matches the query, best first.

    The score is the root of the passage's BM25 over the greatest that the query allows, so it can
    be compared between queries: a passage that lacks a rare word stays low, also as the best one.
    A note whose name is one of ``names`` leads with 0.95.
    """
    terms = term_statistics(catalog, query.terms())
    ranked = best_passages(catalog, terms, limit=_CANDIDATES)
    with_phrase = {
        row
        for phrase in query.phrases
        for row, _ in catalog.words.match(_quote(phrase), limit=_CANDIDATES)
    }
    ranked |= catalog.words.match_among(any_of(terms), with_phrase - ranked.keys())
    named = {path: None for name in names for path in catalog.resolve(name)}
    passages = catalog.passages(chunk_ids=ranked)
    most = greatest(terms)
    scores = {
        row: _score(bm25 / most, phrase=row in with_phrase)
        for row, bm25 in ranked.items()
        if row in passages  # else its note was written again since it matched
    }
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
    *over, heading = passage.heading_path or (None,)
    return Excerpt(
        text=passage.text,
        line_start=passage.line_start,
        line_end=passage.line_end,
        heading=heading,
        block_id=passage.block_id,
        over=tuple(over),
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


def _score(share: float, *, phrase: bool) -> float:
    score = math.sqrt(min(1.0, max(0.0, share)))
    return score + (1.0 - score) * _PHRASE if phrase else score


def _quote(term: str) -> str:
    """Make one FTS5 string of a term, so that no character in it is an operator."""
    return '"' + term.replace('"', " ") + '"'
