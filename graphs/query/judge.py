"""What the judging node does: the claims of the results against each other, and whose they are."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, zip_longest

from agents.interpreter.search_targets import evidence_terms
from agents.judge.judge import MOST_TOLD
from agents.judge.report import as_change
from graphs.core.deps import Deps
from graphs.core.nodes import Update
from graphs.core.notes_read import NotesRead
from graphs.core.state import QueryState
from graphs.query.cited_authors import with_cited_authors
from graphs.query.read import read_for
from tools.base.domain import (
    Change,
    Claim,
    Contradiction,
    ContradictionSide,
    Mode,
    QueryPlan,
    Result,
)
from tools.base.errors import BrainError
from tools.claims.report import Conflict, KnownConflicts, key_of, sides
from tools.evidence.coverage import covering
from tools.evidence.span_claims import span_claims
from tools.evidence.spans import spans_of
from tools.ranking.fusion import unwanted
from tools.text.voice import counted, translate, way

MOST_CLAIMS = 16
"""Claims compared with each other for one question."""
_MOST_OF_NOTE, _MOST_EARLIER = 8, 4
"""Of them: of one note, and of those that stand in earlier versions."""
_ON_SUBJECT = 0.5
"""Share of what is asked of which a pair must hold more, to be told, where neither side answers."""


async def find_contradictions(state: QueryState, deps: Deps, *, mode: Mode) -> Update:
    """Judge the claims of the results against each other."""
    plan = state["plan"]
    words = plan.concepts if plan.reading.clashes else evidence_terms(plan)
    covered = covering(words)
    read = await read_for(state, deps)
    claims = await asyncio.to_thread(claims_of, read, words)
    judgement = await deps.judge(claims, mode, asks_outright(plan))
    every = plan.reading.clashes and not words
    known = await _known(None if plan.reading.clashes else _paths(read.looked), deps)
    answers = _answers(read)

    def on_subject(one: Conflict) -> bool:
        told = any((side.path, side.claim) in answers for side in sides(one))
        return every or told or covered(_said(one)) > _ON_SUBJECT

    judged: Iterable[Conflict] = (*judgement.contradictions, *judgement.changes)
    clashes = [one for one in (*judged, *known.found) if on_subject(one)]
    if plan.reading.clashes:
        clashes = [one for one in clashes if _asked(one, plan)]
    kept = await asyncio.to_thread(with_cited_authors, _unique(clashes, known.dismissed), deps)
    if plan.asks_for_change:
        kept = [as_change(one) if isinstance(one, Contradiction) else one for one in kept]
    found = [one for one in kept if isinstance(one, Contradiction)]
    changes = [one for one in kept if isinstance(one, Change)]
    contradictions = found[:MOST_TOLD]
    more = len(found[MOST_TOLD:]) + len(changes[MOST_TOLD:])
    remarks = [*judgement.remarks]
    if more:
        untold = translate(
            "Not shown: {pairs}. {command} lists all.",
            pairs=counted(more, "pair"),
            command=way("`brain contradictions`", tool="`contradictions`"),
        )
        remarks.append(untold)
    if plan.reading.clashes:
        remarks.append(await asyncio.to_thread(_looked_through, known.compared, deps))
    # Only who insisted on the model misses it; otherwise the answer's own remark says enough.
    missed = judgement.warnings if mode == "llm" else ()
    return {
        # A model takes its time: what is told after it is read again, as it stands by then.
        "read": read if judgement.decided_by == "local" else None,
        "contradictions": tuple(contradictions),
        "changes": tuple(changes[:MOST_TOLD]),
        "warnings": list(missed),
        "remarks": remarks,
    }


def asks_outright(plan: QueryPlan) -> bool:
    """Whether a question asks for what changed, or for what clashes."""
    return plan.asks_for_change or plan.reading.clashes


def _answers(read: NotesRead) -> set[tuple[str, str]]:
    """Note and words of each span that the reader takes for an answer."""
    return {
        (one.candidate.note.path, one.candidate.span.text)
        for one in read.evidence.spans
        if one.logit is not None and one.logit > 0.0
    }


def _paths(results: Iterable[Result]) -> set[str]:
    return {result.note_path for result in results}


async def _known(paths: Collection[str] | None, deps: Deps) -> KnownConflicts:
    """What a scan has found between the notes, or in all; nothing where that cannot be read."""
    try:
        return await asyncio.to_thread(deps.known_conflicts, paths)
    except BrainError:
        return KnownConflicts()


def _looked_through(compared: int, deps: Deps) -> str:
    """How much of the vault a scan has seen."""
    command = way("`brain contradictions`", tool="`contradictions` with `compare`")
    if not compared:
        return translate(
            "Your notes were never compared with each other as a whole: {command} does that, and "
            "such questions are then answered from it.",
            command=command,
        )
    return translate(
        "{compared} of {notes} were compared with all others: {command} compares what is new or "
        "changed since.",
        command=command,
        compared=compared,
        notes=counted(deps.catalog.note_count(), "note"),
    )


def _asked(clash: Conflict, plan: QueryPlan) -> bool:
    """Whether a pair has a side of the time that is asked for, and none that shall not be found."""
    both, is_unwanted = sides(clash), unwanted(plan.excluded)
    if any(is_unwanted(side.title) for side in both):
        return False
    start, end = plan.start_date, plan.end_date
    if start is None and end is None:
        return True
    days = [day for side in both if (day := _day(side))]
    return any((not start or _iso(start) <= day) and (not end or day < _iso(end)) for day in days)


def _day(side: ContradictionSide) -> str:
    """The day that a side is of: the one it names, else that of its version or its note; ISO."""
    if side.speaks_of:  # a year or month, too: then its first day
        return f"{side.speaks_of}-01-01"[:10]
    return next(map(_iso, filter(None, (side.version, side.timestamp))), "")


def _iso(moment: datetime) -> str:
    return moment.date().isoformat()


def _said(clash: Conflict) -> str:
    return " ".join(f"{side.title} {side.claim}" for side in sides(clash))


def _unique(found: Iterable[Conflict], dismissed: frozenset[str]) -> list[Conflict]:
    """Each pair once, the first, in order, without those dismissed."""
    pairs: dict[str, Conflict] = {}
    for one in found:
        pairs.setdefault(key_of(one), one)
    return [one for key, one in pairs.items() if key not in dismissed]


def claims_of(read: NotesRead, words: Sequence[str]) -> list[Claim]:
    """The claims that answer best, the best first, with when their notes were superseded.

    Among them are some of what earlier versions of these notes said, with most of ``words`` first.
    """
    covered = covering(words)
    earlier = {(one.note_path, one.text): one for result in read.looked for one in _earlier(result)}
    shares = {key: covered(one.read_as) for key, one in earlier.items()}
    most = sorted(filter(shares.get, earlier), key=lambda key: -shares[key])[:_MOST_EARLIER]
    both = zip_longest(_answering(read), (earlier[key] for key in most))
    found: dict[tuple[str, datetime | None, str], Claim] = {}
    of_note = Counter[str]()
    for claim in filter(None, chain.from_iterable(both)):
        if of_note[claim.note_path] < _MOST_OF_NOTE:
            found.setdefault((claim.note_path, claim.version, claim.text), claim)
            of_note[claim.note_path] += 1
        if len(found) == MOST_CLAIMS:
            break
    return [*found.values()]


def _answering(read: NotesRead) -> Iterator[Claim]:
    """What the notes assert, in the order in which it answers."""
    known = {result.note_path: result for result in read.looked}
    for scored in read.evidence.spans:
        span, result = scored.candidate.span, known[scored.candidate.note.path]
        gone = result.superseded
        ended = {"ended": gone.timestamp, "ended_by": gone.successor} if gone else {}
        version = read.texts[result.note_path][span.part].version
        for claim in span_claims(
            [span],
            note_path=result.note_path,
            note_title=result.note_title,
            written=result.metadata.written,
        ):
            yield replace(claim, version=version, **ended)


def _earlier(result: Result) -> Iterator[Claim]:
    """What versions of the note said that it says no longer, as far as its events tell."""
    held_since = result.metadata.created_date
    for event in result.events:
        if event.removed and held_since is not None:
            for claim in span_claims(
                spans_of("\n\n".join(event.removed)),
                note_path=result.note_path,
                note_title=result.note_title,
                written=held_since,
            ):
                line = event.line or 1
                yield replace(claim, line=line, version=held_since, ended=event.timestamp)
        held_since = event.timestamp
