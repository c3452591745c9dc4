"""Many hits from three sources → one ranked list of notes. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from tools.domain import (
    SOURCES,
    Event,
    Excerpt,
    GraphRelation,
    Hit,
    MatchType,
    NoteMetadata,
    Result,
    Source,
    Tier,
)

# How far each observation moves the score towards 1. The observations and their order of weight
# are the original design's; moving part of the way, instead of adding, keeps ranks distinct.
AGREEMENT_BOOST = 0.10
EXACT_PHRASE_BOOST = 0.10
STRONG_SEMANTIC_BOOST = 0.05
MAP_OF_CONTENT_BOOST = 0.10
GRAPH_BOOST = 0.08

STRONG_SEMANTIC = 0.8
_TIERS: tuple[tuple[float, Tier], ...] = (
    (0.8, "highly_relevant"),
    (0.6, "relevant"),
    (0.4, "somewhat_relevant"),
)


def merge(
    hits: Iterable[Hit], metadata: Mapping[str, NoteMetadata], *, limit: int
) -> tuple[Result, ...]:
    """One result per note (and per subject, when subjects are compared), best first.

    Everything the sources said is kept: sources, match types, excerpts, chains, events. Hits on
    notes without ``metadata`` are dropped: such a note is no longer there. ``limit`` counts per
    subject.
    """
    grouped: dict[tuple[str | None, str], list[Hit]] = {}
    for hit in hits:
        if hit.note_path in metadata:
            grouped.setdefault((hit.subject, hit.note_path), []).append(hit)
    results = [_merged(found, metadata[path]) for (_, path), found in grouped.items()]
    results.sort(key=lambda result: (-result.composite_relevance, result.note_path))
    kept: dict[str | None, int] = {}
    ranked: list[Result] = []
    for result in results:
        count = kept.get(result.subject, 0)
        if count < limit:
            ranked.append(result)
            kept[result.subject] = count + 1
    return tuple(ranked)


def tier(score: float) -> Tier:
    """Relevance tier of a composite score."""
    for bound, name in _TIERS:
        if score >= bound:
            return name
    return "low_relevance"


def _merged(hits: Sequence[Hit], metadata: NoteMetadata) -> Result:
    best = max(hits, key=lambda hit: hit.score)
    scores: dict[Source, float] = {}
    for hit in hits:
        scores[hit.source] = max(scores.get(hit.source, 0.0), hit.score)
    kinds: tuple[MatchType, ...] = tuple(dict.fromkeys(hit.match_type for hit in hits))
    composite = _composite(scores, kinds, metadata)
    return Result(
        note_path=best.note_path,
        note_title=best.note_title,
        relevance_score=best.score,
        composite_relevance=composite,
        tier=tier(composite),
        sources=tuple(source for source in SOURCES if source in scores),
        primary_source=best.source,
        match_types=kinds,
        excerpts=_excerpts(hits),
        metadata=metadata,
        subject=best.subject,
        chain=_longest_chain(hits),
        events=_events(hits),
    )


def _composite(
    scores: Mapping[Source, float], kinds: Sequence[MatchType], metadata: NoteMetadata
) -> float:
    """Start from the strongest source; every further observation closes part of the gap to 1."""
    score = max(scores.values())
    boosts = [AGREEMENT_BOOST * other for other in sorted(scores.values())[:-1]]
    if "exact_phrase" in kinds or "title" in kinds:
        boosts.append(EXACT_PHRASE_BOOST)
    if scores.get("semantic", 0.0) > STRONG_SEMANTIC:
        boosts.append(STRONG_SEMANTIC_BOOST)
    if metadata.building_block == "moc":
        boosts.append(MAP_OF_CONTENT_BOOST)
    if "graph" in scores:
        boosts.append(GRAPH_BOOST)
    for boost in boosts:
        score += (1.0 - score) * boost
    return min(1.0, max(0.0, score))


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
