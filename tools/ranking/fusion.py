"""Many hits from several sources → one ranked list of notes. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from decimal import ROUND_DOWN, Decimal
from itertools import groupby

from tools.base.domain import (
    Event,
    Excerpt,
    GraphRelation,
    Hit,
    MatchType,
    NoteMetadata,
    QueryPlan,
    Result,
    Source,
    Tier,
)
from tools.text.normalize import fold

_AVERAGED: Sequence[Source] = ("semantic", "text")
"""On two public collections weights of meaning from 0.4 to 0.6 are about as good, and all ahead of
rank fusion (docs/PERFORMANCE.md)."""
SUPERSEDED = 0.7
"""Share of its score that a note keeps when a later one took its place."""
ALONE = 0.5
"""Share of its score for which a note counts that neither meaning nor words found."""

_RELEVANT, _NEGLIGIBLE = 0.6, 0.2
_TIERS: tuple[tuple[float, Tier], ...] = (
    (0.8, "highly_relevant"),
    (0.6, "relevant"),
    (0.4, "somewhat_relevant"),
)
_HUNDREDTH = Decimal("0.01")


def may_find(hit: Hit) -> bool:
    """Whether a hit finds its note, or only says how similar one is that another source found."""
    return hit.source != "semantic" or bool(hit.excerpts)


def leave_out(hits: Sequence[Hit], excluded: Sequence[str]) -> list[Hit]:
    """The hits without the notes whose title holds a phrase the question does not want.

    A chain over such a note is cut there; what only the cut part connected is no hit.
    """
    if not excluded:
        return list(hits)
    is_unwanted = unwanted(excluded)
    left: list[Hit] = []
    for hit in hits:
        chain = _longest_without(hit.chain, is_unwanted)
        lost = hit.source == "graph" and hit.chain and not chain
        if not is_unwanted(hit.note_title) and not lost:
            left.append(replace(hit, chain=chain))
    return left


def unwanted(excluded: Sequence[str]) -> Callable[[str], bool]:
    """Whether a title holds one of the phrases, as whole words."""
    words = "|".join(re.escape(fold(phrase)) for phrase in excluded)
    held = re.compile(rf"\b(?:{words})\b")
    return lambda title: bool(excluded) and held.search(fold(title)) is not None


def _longest_without(
    chain: Sequence[GraphRelation], left_out: Callable[[str], bool]
) -> tuple[GraphRelation, ...]:
    """The longest stretch of a chain with no such title in it, the first of two as long."""
    stretches = groupby(chain, key=lambda s: left_out(s.source_title) or left_out(s.target_title))
    kept = [tuple(steps) for is_out, steps in stretches if not is_out]
    return max(kept, key=len, default=())


def merge(
    hits: Iterable[Hit],
    metadata: Mapping[str, NoteMetadata],
    *,
    plan: QueryPlan,
    limit: int,
    unembedded: Set[str] = frozenset(),
) -> tuple[Result, ...]:
    """One result per note (and per subject, when subjects are compared), best first.

    Everything the sources said is kept: sources, match types, excerpts, chains, events. Hits on
    notes without ``metadata`` are dropped: such a note is no longer there. A semantic hit below the
    plan's threshold, or without an excerpt, finds no note by itself, but counts for one that
    another source found. ``limit`` counts per subject. Notes that are ``unembedded`` could not be
    found by meaning, which does not count against them. Where something is relevant, what hardly is
    is left out.
    """
    grouped: dict[tuple[str | None, str], list[Hit]] = {}
    given = list(hits)
    for hit in given:
        if hit.note_path in metadata:
            grouped.setdefault((hit.subject, hit.note_path), []).append(hit)
    unseen = _unseen(given)

    def one(subject: str | None, path: str, found: Sequence[Hit]) -> Result | None:
        able: list[Source] = [s for s in plan.route if s != "semantic" or path not in unembedded]
        return _merged(found, metadata[path], plan, able, unseen.get(subject, 0.0))

    merged = (one(subject, path, found) for (subject, path), found in grouped.items())
    results = [result for result in merged if result is not None]
    results.sort(key=lambda result: (-result.composite_relevance, result.note_path))
    if results and results[0].composite_relevance >= _RELEVANT:
        results = [r for r in results if r.composite_relevance >= _NEGLIGIBLE]
    return first(results, limit)


def first(results: Iterable[Result], limit: int) -> tuple[Result, ...]:
    """Keep the first ``limit`` results of each subject."""
    kept: dict[str | None, int] = {}
    ranked: list[Result] = []
    for result in results:
        count = kept.get(result.subject, 0)
        if count < limit:
            ranked.append(result)
            kept[result.subject] = count + 1
    return tuple(ranked)


def nearest(results: Iterable[Result], hits: Iterable[Hit]) -> list[Result]:
    """Those of the results that meaning found, the most similar first; equals keep their order."""
    similar: dict[str, float] = {}
    for hit in hits:
        if hit.source == "semantic":
            score = round(hit.score, 3)  # what differs less is equally near
            similar[hit.note_path] = max(score, similar.get(hit.note_path, 0.0))
    near = [one for one in results if one.note_path in similar]
    return sorted(near, key=lambda one: -similar[one.note_path])


def by_whole(results: Sequence[Result]) -> tuple[Result, ...]:
    """The results of compared things in the order of those that the whole question found.

    Which subject a note is found for depends on how its name is cut out of the question; what is
    asked of it does not. What only a subject's own search found comes after.
    """
    whole = {one.note_path: one.composite_relevance for one in results if one.subject is None}
    least = min(whole.values(), default=1.0)

    def placed(one: Result) -> Result:
        score = whole.get(one.note_path, least * one.composite_relevance)
        return replace(one, composite_relevance=score, tier=tier(score))

    own = [placed(one) for one in results if one.subject is not None]
    return tuple(sorted(own, key=lambda one: (-one.composite_relevance, one.note_path)))


def put_first(results: Sequence[Result], paths: Sequence[str]) -> tuple[Result, ...]:
    """The results of these notes first, in the order of the paths; the others keep theirs."""
    places = {path: place for place, path in enumerate(paths)}
    return tuple(sorted(results, key=lambda one: places.get(one.note_path, len(places))))


def each_once(results: Iterable[Result]) -> tuple[Result, ...]:
    """Each note once, in the order in which notes first come: as where it stands highest.

    All that is quoted of it is kept. Only a comparison has a note several times.
    """
    notes: dict[str, Result] = {}
    for result in results:
        known = notes.get(result.note_path)
        if known is None:
            notes[result.note_path] = result
            continue
        best, other = sorted((known, result), key=lambda one: -one.composite_relevance)
        quoted = tuple(dict.fromkeys((*best.excerpts, *other.excerpts)))
        notes[result.note_path] = replace(best, excerpts=quoted)
    return tuple(notes.values())


def demote(results: Iterable[Result], replaced: Mapping[str, Event]) -> tuple[Result, ...]:
    """Put notes that another took the place of further down, and say so among their events."""
    marked = [
        _demoted(result, replaced[result.note_path]) if result.note_path in replaced else result
        for result in results
    ]
    return tuple(sorted(marked, key=lambda result: -result.composite_relevance))


def _demoted(result: Result, event: Event) -> Result:
    score = result.composite_relevance * SUPERSEDED
    return replace(
        result, composite_relevance=score, tier=tier(score), events=(*result.events, event)
    )


def tier(score: float) -> Tier:
    """Relevance tier of a composite score."""
    for bound, name in _TIERS:
        if score >= bound:
            return name
    return "low_relevance"


def score_in_words(score: float) -> str:
    """Two digits of a score, never rounded up: "0.79" of 0.796, which is below the tier of 0.8."""
    return f"{Decimal(str(score)).quantize(_HUNDREDTH, ROUND_DOWN):.2f}"


def _merged(
    hits: Sequence[Hit],
    metadata: NoteMetadata,
    plan: QueryPlan,
    asked: Sequence[Source],
    unseen: float,
) -> Result | None:
    least = plan.similarity_threshold
    finders = [h for h in hits if may_find(h) and (h.source != "semantic" or h.score >= least)]
    if not finders:
        return None
    best = max(finders, key=lambda hit: hit.score)
    kinds: tuple[MatchType, ...] = tuple(dict.fromkeys(hit.match_type for hit in finders))
    found_by = {hit.source for hit in finders}
    sources: tuple[Source, ...] = tuple(source for source in plan.route if source in found_by)
    composite = _composite(hits, asked, unseen)
    return Result(
        note_path=best.note_path,
        note_title=best.note_title,
        relevance_score=best.score,
        composite_relevance=composite,
        tier=tier(composite),
        sources=sources,
        primary_source=best.source,
        match_types=kinds,
        excerpts=_excerpts(hits),
        metadata=metadata,
        subject=best.subject,
        chain=_longest_chain(hits),
        events=_events(hits),
    )


def _strongest(hits: Sequence[Hit], source: Source, *, default: float = 0.0) -> float:
    return max((hit.score for hit in hits if hit.source == source), default=default)


def _unseen(hits: Sequence[Hit]) -> dict[str | None, float]:
    """By subject the similarity to expect of a note that search by meaning did not reach.

    It is less than the least that was reached, by how much nobody knows. Among thousands of notes
    that are alike to the encoder, words tell which one is meant.
    """
    least: dict[str | None, float] = {}
    for hit in hits:
        if hit.source == "semantic":
            least[hit.subject] = min(hit.score, least.get(hit.subject, 1.0))
    return {subject: score / 2 for subject, score in least.items()}


def _composite(hits: Sequence[Hit], asked: Sequence[Source], unseen: float) -> float:
    """Mean of meaning and words, where they were asked, or half of another's word if it is more."""
    scores = [
        _strongest(hits, source, default=unseen if source == "semantic" else 0.0)
        for source in _AVERAGED
        if source in asked
    ]
    mean = sum(scores) / len(scores) if scores else 0.0
    other = max((hit.score for hit in hits if hit.source not in _AVERAGED), default=0.0)
    return max(mean, ALONE * other)


def _excerpts(hits: Sequence[Hit]) -> tuple[Excerpt, ...]:
    """Every distinct passage, in the order of the hits that found it."""
    ordered = sorted(hits, key=lambda hit: -hit.score)
    unique: dict[tuple[int, int, str], Excerpt] = {}
    for hit in ordered:
        for excerpt in hit.excerpts:
            unique.setdefault((excerpt.line_start, excerpt.line_end, excerpt.text), excerpt)
    return tuple(unique.values())


def _longest_chain(hits: Sequence[Hit]) -> tuple[GraphRelation, ...]:
    return max((hit.chain for hit in hits), key=len, default=())


def _events(hits: Sequence[Hit]) -> tuple[Event, ...]:
    found = {event: None for hit in hits for event in hit.events}
    return tuple(sorted(found, key=lambda event: event.timestamp))
