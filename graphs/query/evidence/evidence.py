"""The evidence of an answer: of all that the notes found say, the spans that answer best."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain

from agents.interpreter.search_targets import wanted
from graphs.core.deps import Deps
from graphs.core.encoder_choice import named_encoder
from graphs.core.notes_read import Evidence, Texts
from graphs.query.evidence.exact_title import exact_title_matches
from graphs.query.evidence.glossed_spans import with_gloss
from tools.base.domain import Excerpt, Hit, Marked, QueryPlan, QuestionReading, Result
from tools.evidence.confidence import answerable, confidence
from tools.evidence.features import (
    Candidate,
    Found,
    QueryTerms,
    candidates,
    notes_with_content,
    persons_in,
    query_terms,
    without_other_names,
)
from tools.evidence.likely_parts import LITTLE_ROOM, ROOM, Place, likely_parts
from tools.evidence.ranking import (
    Scored,
    contender_count,
    first_ranked,
    list_of,
    ranked,
    ranked_alone,
    without_overlaps,
)
from tools.evidence.spans import Span, SpanKind, continued, spans_in, spans_of
from tools.evidence.windows import Piece, first_windows, logits_of, span_input
from tools.ranking import fusion
from tools.semantic import e5
from tools.text.language import is_turkish
from tools.text.markdown.quotes import LONGEST, quote
from tools.text.markdown.sentences import Sentence, SentenceKind, split
from tools.text.tokens import stems_in
from tools.vault.catalog.best_passages import term_statistics
from tools.vault.catalog.text import text_query

_NOTES = 12
"""Of so many notes the spans are looked at: what is read of twenty is no likelier to answer."""
NEAREST = 4
"""So many of them for what they mean alone."""
_READ_AT_LENGTH = 3
"""Of so many of them longer parts, where they are long."""
_LOOKED_AT = 1000
"""Characters of a note that tell its language."""
_CONTINUED = 200
"""Characters that the best sentence may have with what follows it on its line."""
_KINDS: Mapping[SpanKind, SentenceKind] = {
    "prose": "prose",
    "item": "item",
    "list": "item",
    "row": "cell",
    "property": "field",
    "code": "prose",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceQuery:
    """What evidence is looked for: what is asked, and the notes whose name is all of it.

    ``english`` is the same for notes in English, where it is asked in Turkish; ``unwanted`` are the
    stems of each thing that is excluded. A reader of many languages (``multilingual``) has learned
    to read a question behind others.
    """

    asked: QueryTerms
    named: Collection[str]
    english: QueryTerms | None = None
    multilingual: bool = False
    unwanted: Collection[frozenset[str]] = ()

    def for_note(self, note: Found) -> QueryTerms:
        """What is asked in the language of a note."""
        return self.asked if note.turkish else self.english or self.asked

    def window_inputs(self, windows: Iterable[Piece]) -> list[Marked]:
        """What the reader is given of windows, each beside the question in its language."""
        return [one.marked(self._read_as(one.candidates[0].note)) for one in windows]

    def span_inputs(self, spans: Iterable[Candidate]) -> list[Marked]:
        """The same of spans by themselves."""
        return [span_input(one, self._read_as(one.note)) for one in spans]

    def _read_as(self, note: Found) -> str:
        reading = self.for_note(note).reading
        if self.multilingual:
            return reading.read_as
        # The reader of English has not learned what a question behind others is.
        return reading.question if reading.before else reading.wanted


def note_texts(
    sought: EvidenceQuery,
    results: Iterable[Result],
    lines: Mapping[str, Sequence[str]],
    hits: Iterable[Hit],
) -> Texts:
    """What the notes found say, from the ``lines`` of their files; of long ones what is likely."""
    places = _places(hits)
    weights = {**(sought.english or sought.asked).weights, **sought.asked.weights}
    found: dict[str, Sequence[Excerpt]] = {}
    for rank, path in enumerate(dict.fromkeys(one.note_path for one in results)):
        room = ROOM if rank < _READ_AT_LENGTH else LITTLE_ROOM
        text = likely_parts(lines[path], weights, places.get(path, ()), room=room)
        found[path] = (Excerpt(text=text, line_start=1, line_end=len(lines[path])),)
    return found


def passage_texts(results: Sequence[Result]) -> Texts:
    """What was found of notes: of a past version, or of the days that are asked for."""
    found: dict[str, list[Excerpt]] = {}
    for result in results:
        found.setdefault(result.note_path, []).extend(result.excerpts)
    return {path: tuple(dict.fromkeys(own)) for path, own in found.items()}


def evidence_query(plan: QueryPlan, deps: Deps) -> EvidenceQuery:
    """What is looked for; it reads the catalog, and blocks."""
    reading, english = plan.reading, None
    if reading.english:
        own = replace(reading, wanted=reading.english, turkish=False, before=None)
        english = _asked(own, reading.english, deps)
    asked = _asked(reading, wanted(plan), deps)
    return EvidenceQuery(
        asked=asked,
        named=exact_title_matches(plan, deps),
        english=english,
        multilingual=named_encoder(deps.settings) == e5.NAME,
        unwanted=[own for one in plan.excluded if (own := frozenset(stems_in(one)))],
    )


def _asked(reading: QuestionReading, text: str, deps: Deps) -> QueryTerms:
    """What a question asks for, each of its words weighed by its rarity in the vault."""
    query = text_query(text, turkish=reading.turkish)
    terms = query.terms()
    known = term_statistics(deps.catalog, terms)
    return query_terms(reading, query.words, [known[term].weight for term in terms])


def candidate_notes(
    merged: Sequence[Result], behind: Sequence[Result], hits: Sequence[Hit]
) -> list[Result]:
    """The notes that evidence is looked for in, of each thing compared the first.

    What was merged keeps its order: what is behind comes before those that all score less. The last
    places are for those nearest in meaning: words lead astray where none is shared.
    """
    scores = [one.composite_relevance for one in reversed(merged)]
    places = [*list(accumulate(scores, max))[::-1], *(one.composite_relevance for one in behind)]
    order = sorted(zip(places, (*merged, *behind), strict=True), key=lambda one: -one[0])
    found = [one for _, one in order]
    best = fusion.first(found, _NOTES - NEAREST)
    left = [one for one in found if not any(one is other for other in best)]
    near = fusion.nearest(left, hits)
    every = {id(one): one for one in (*best, *near, *left)}
    return list(fusion.first(every.values(), _NOTES))


def candidate_spans(
    sought: EvidenceQuery,
    results: Sequence[Result],
    texts: Texts,
    hits: Sequence[Hit],
) -> list[Candidate]:
    """The spans of the ``texts`` of the notes found, but those of others called alike.

    Nor those that name what is excluded, or stand under its heading. What is asked in English is
    held against the gloss of Turkish spans, too.
    """
    found: list[Candidate] = []
    places = _places(hits)
    spans = {
        path: [span for part, text in enumerate(texts[path]) for span in spans_in(text, part)]
        for path in {result.note_path for result in results}
    }
    persons = persons_in(sought.asked, chain.from_iterable(spans.values()))
    for rank, result in enumerate(results):
        note = Found(
            path=result.note_path,
            title=result.note_title,
            rank=rank,
            score=result.composite_relevance,
            relevance=result.relevance_score,
            passages=places.get(result.note_path, ()),
            turkish=_is_turkish(texts[result.note_path]),
        )
        own = spans[result.note_path]
        foreign = note.turkish and not sought.asked.reading.turkish
        read = list(map(with_gloss, own)) if foreign else own
        seen = candidates(sought.for_note(note), note, read, persons=persons)
        found += (replace(one, span=span) for one, span in zip(seen, own, strict=True))
    if sought.unwanted:
        found = [one for one in found if not _is_unwanted(one.span, sought.unwanted)]
    return without_other_names(sought.asked, found)


def _is_unwanted(span: Span, unwanted: Collection[frozenset[str]]) -> bool:
    own = {*stems_in(" ".join((*span.headings, span.lead, span.text)))}
    return any(stems <= own for stems in unwanted)


def _places(hits: Iterable[Hit]) -> Mapping[str, Sequence[Place]]:
    """Where meaning found something in each note."""
    found: dict[str, list[Place]] = {}
    for hit in hits:
        found.setdefault(hit.note_path, []).extend(hit.places)
    return found


def _is_turkish(texts: Sequence[Excerpt]) -> bool:
    """Whether a note is in Turkish, by how it begins."""
    return is_turkish(" ".join(one.text for one in texts)[:_LOOKED_AT])


async def find_evidence(
    sought: EvidenceQuery,
    results: Sequence[Result],
    texts: Texts,
    hits: Sequence[Hit],
    deps: Deps,
) -> Evidence:
    """Rank the spans of the notes found: by what they share with the question, then as read.

    Without the reader the first ranking is the last.
    """

    def first() -> tuple[Collection[str], list[Candidate], list[Piece]]:
        spans = candidate_spans(sought, results, texts, hits)
        told = notes_with_content(spans, sought.named)
        best = first_ranked(spans, told)
        return told, best, first_windows(spans, best)

    told, found, windows = await asyncio.to_thread(first)
    scores = await deps.weigh(sought.window_inputs(windows), "together") if windows else None
    spans = ranked(found, logits_of(found, windows, scores or ()))
    spans.sort(key=lambda one: one.candidate.note.path not in told)
    if scores:
        spans = await _looked_at(sought, spans, deps)
        spans.sort(key=lambda one: one.candidate.note.path not in told)
    asked = sought.for_note(spans[0].candidate.note) if spans else sought.asked
    likely = answerable(asked, spans, named=sought.named) if scores else None
    sure = confidence(asked, spans, named=told) if scores else None
    taken = [one.candidate for one in spans if one.logit is not None and one.logit > 0.0]
    whole = list_of(asked, spans[0].candidate, taken, found) if spans else None
    if whole:
        others = [one for one in spans if one.candidate is not whole]
        spans = [replace(spans[0], candidate=whole), *others]
    return Evidence(
        asked=asked,
        spans=spans,
        answerable=likely,
        confidence=sure,
        named=sought.named,
        told=told,
    )


async def _looked_at(sought: EvidenceQuery, spans: Sequence[Scored], deps: Deps) -> list[Scored]:
    """The spans after the reader has looked at the best of those that it has read once more."""
    places = [at for at, one in enumerate(spans) if one.together is not None]
    places = places[: contender_count(spans[at].score for at in places)]
    scores = await deps.weigh(sought.span_inputs(spans[at].candidate for at in places), "alone")
    logits = {at: own[0] for at, own in zip(places, scores or (), strict=False)}
    return ranked_alone(spans, [logits.get(at) for at in range(len(spans))])


def with_evidence(
    results: Sequence[Result],
    evidence: Evidence,
    texts: Texts,
    *,
    ordered: bool = False,
) -> tuple[Result, ...]:
    """The results with the spans that answer best as their excerpts, the best one's note first.

    A note that was not read keeps its excerpts and its place behind the others; one that says
    nothing is quoted with a heading. Behind them come those that another took the place of.
    ``ordered``: the order of the notes stays.
    """
    scored: dict[str, list[Scored]] = {}
    for one in evidence.spans:
        scored.setdefault(one.candidate.note.path, []).append(one)
    places = {path: at for at, path in enumerate(scored)}
    shown = {id(one) for one in without_overlaps(one.candidate for one in evidence.spans)}
    read: list[Result] = []
    for result in results:
        own = scored.get(result.note_path)
        if own is None:
            unread = any(spans_of(one.text) for one in result.excerpts)
            only = result.excerpts if unread else _heading(result.excerpts, evidence.asked)
            read.append(replace(result, excerpts=only))
            continue
        chosen = [one for one in own if id(one.candidate) in shown] or own[:1]
        pointing = result.note_path in evidence.named and result.note_path not in evidence.told
        # A note that is asked for and only points elsewhere comes first, with nothing to quote.
        chosen = [] if pointing else chosen
        parts = texts[result.note_path]
        quoted = [one.candidate.span for one in chosen]
        excerpts = [_quoted(one, parts[one.part], evidence.asked) for one in quoted]
        if chosen and chosen[0] is evidence.spans[0]:
            excerpts[0] = _continued(excerpts[0], quoted[0], parts[quoted[0].part].text)
        read.append(replace(result, excerpts=tuple(excerpts)))
    if not ordered:
        read.sort(
            key=lambda one: (
                one.superseded is not None,
                one.note_path not in evidence.named,
                places.get(one.note_path, len(places)),
            )
        )
    return tuple(read)


def _heading(texts: Sequence[Excerpt], asked: QueryTerms) -> tuple[Excerpt, ...]:
    """Of a note that says nothing else the heading that has most of what is asked, if any."""
    found = [(text, one) for text in texts for one in split(text.text) if one.kind == "heading"]
    if not found:
        return ()

    def shared(own: tuple[Excerpt, Sentence]) -> float:
        return sum(asked.weights.get(one, 0.0) for one in {*stems_in(own[1].text)})

    text, best = max(found, key=shared)
    return (quote(text, best, columns=(), weights=asked.weights),)


def _quoted(span: Span, text: Excerpt, asked: QueryTerms) -> Excerpt:
    *over, heading = span.headings or (None,)
    whole = replace(text, heading=heading, over=tuple(over))
    sentence = Sentence(span.text, span.start, span.end, _KINDS[span.kind])
    columns = span.columns or whole.columns
    quoted = quote(whole, sentence, columns=columns, weights=asked.weights)
    match span.kind:
        case "code":
            return replace(quoted, reads=f"`{span.text}`")
        case "list":
            return replace(quoted, reads=span.text[:LONGEST])
        case _ if span.lead and (span.speaker or span.lead.endswith(":")):
            # Torn from it a reply, and an item, says little by itself.
            return replace(quoted, reads=f"{span.lead} {quoted.reads or quoted.text}")
        case _:
            return quoted


def _continued(quoted: Excerpt, span: Span, text: str) -> Excerpt:
    """The best sentence as it reads with those after it: what was planned, then what came of it."""
    if quoted.reads:
        return quoted
    end = continued(text, span, room=_CONTINUED)
    return replace(quoted, reads=text[span.start : end].strip()) if end > span.end else quoted
