"""What the judging node does: the claims of the results against each other, and whose they are."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, zip_longest

from agents.clashes import as_change, cited_from
from agents.contexts import ON_SUBJECT
from agents.judge import MOST_TOLD
from agents.pairing import pairable
from graphs.deps import Deps
from graphs.nodes import Update
from graphs.state import QueryState
from graphs.verifying import asked_words
from tools.claims.assertions import Statement, Telling, extract_claims
from tools.clashes import Clash, KnownClashes, key_of, sides
from tools.domain import (
    Change,
    Claim,
    Contradiction,
    ContradictionSide,
    Event,
    Excerpt,
    Mode,
    QueryPlan,
    Result,
)
from tools.errors import BrainError
from tools.evidence import covering
from tools.ranking import unwanted
from tools.text.voice import counted, say
from tools.vault.authors import read_authors

MOST_CLAIMS = 120
"""Claims compared with each other for one question."""
MOST_STATEMENTS = 200
"""Sentences looked at for one question; about six in ten assert something."""
_MOST_EARLIER = 50


async def find_contradictions(state: QueryState, deps: Deps, *, mode: Mode) -> Update:
    """Judge the claims of the results against each other."""
    plan = state["plan"]
    words = plan.concepts if plan.reading.clashes else asked_words(plan)
    covered = covering(words)
    claims = claims_of(state["merged"], words, by_meaning=mode == "llm")
    judgement = await deps.judge(claims, mode, covered)
    every = plan.reading.clashes and not words
    known = await _known(None if plan.reading.clashes else _paths(state["merged"]), deps)
    asked = [one for one in known.found if every or covered(_said(one)) > ON_SUBJECT]
    clashes: list[Clash] = [*asked, *judgement.contradictions, *judgement.changes]
    if plan.reading.clashes:
        clashes = [one for one in clashes if _asked(one, plan)]
    kept = _unique(clashes, known.dismissed)
    if plan.reading.change:
        kept = [as_change(one) if isinstance(one, Contradiction) else one for one in kept]
    found = [one for one in kept if isinstance(one, Contradiction)]
    changes = [one for one in kept if isinstance(one, Change)]
    contradictions = found[:MOST_TOLD]
    more = len(found[MOST_TOLD:]) + len(changes[MOST_TOLD:])
    remarks = [*judgement.remarks]
    if more:
        untold = say(
            "Not shown: {pairs}. `brain contradictions` lists all.", pairs=counted(more, "pair")
        )
        remarks.append(untold)
    authors: Mapping[str, str] = {}
    if contradictions:
        authors = await asyncio.to_thread(_authors, contradictions, deps)
    # Only who insisted on the model misses it; otherwise the answer's own remark says enough.
    missed = judgement.warnings if mode == "llm" else ()
    return {
        "contradictions": tuple(cited_from(one, authors) for one in contradictions),
        "changes": tuple(changes[:MOST_TOLD]),
        "warnings": list(missed),
        "remarks": remarks,
    }


def _paths(results: Iterable[Result]) -> set[str]:
    return {result.note_path for result in results}


async def _known(paths: Collection[str] | None, deps: Deps) -> KnownClashes:
    """What a scan has found between the notes, or in all; nothing where that cannot be read."""
    try:
        return await asyncio.to_thread(deps.known_clashes, paths)
    except BrainError:
        return KnownClashes()


def _asked(clash: Clash, plan: QueryPlan) -> bool:
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


def _said(clash: Clash) -> str:
    return " ".join(f"{side.title} {side.claim}" for side in sides(clash))


def _unique(found: Iterable[Clash], dismissed: frozenset[str]) -> list[Clash]:
    """Of each two lines one pair, the first, in order, without those dismissed."""
    pairs: dict[frozenset[tuple[object, ...]], Clash] = {}
    for one in found:
        if key_of(one) not in dismissed:
            lines = frozenset((side.path, side.line, side.version) for side in sides(one))
            pairs.setdefault(lines, one)
    return [*pairs.values()]


def claims_of(
    results: Sequence[Result], words: Sequence[str], *, by_meaning: bool = False
) -> list[Claim]:
    """The results' claims on what is asked that may clash, with when their notes were superseded.

    Those on it have one of ``words``, or stand in a note or below a heading that has one. What
    earlier versions of the notes said comes first, then every result's first excerpt; what comes
    after ``MOST_STATEMENTS`` or ``MOST_CLAIMS`` is left out. Unless pairs are sought ``by_meaning``
    too, only sentences are read that have the words of another's in common.
    """
    covered = covering(words)
    earlier = [
        claim
        for result in results
        for claim in _earlier(result)
        if covered(f"{result.note_title} {claim.text}")
    ][:_MOST_EARLIER]
    told = _told(results, covered)
    if not by_meaning:
        texts = [*(one.text for one in earlier), *(one.text for one, _ in told)]
        places = [(one.note_path, one.version) for one in earlier]
        places += [(one.told.note_path, version) for one, version in told]
        worth = pairable(texts, places)[len(earlier) :]
        told = [one for one, may_clash in zip(told, worth, strict=True) if may_clash]
    gone = {result.note_path: result.superseded for result in results}
    present = (
        _dated(claim, version, gone[claim.note_path])
        for statement, version in told
        if (claim := statement.claim()) is not None
    )
    return [*earlier, *islice(present, MOST_CLAIMS - len(earlier))]


def _told(
    results: Sequence[Result], covered: Callable[[str], float]
) -> list[tuple[Statement, datetime | None]]:
    """What the notes say on what is asked, each sentence once, with the version that says it."""
    titled = {result.note_path: covered(result.note_title) > 0 for result in results}
    found: dict[tuple[str, str], tuple[Statement, datetime | None]] = {}
    for excerpts in zip_longest(*(_quoted(result) for result in results)):
        for result, excerpt in filter(None, excerpts):
            named = titled[result.note_path] or covered(excerpt.heading or "") > 0
            telling = Telling(
                excerpt.text,
                line_start=excerpt.line_start,
                note_path=result.note_path,
                note_title=result.note_title,
                timestamp=result.metadata.written,
            )
            on_subject = None if named else covered
            for one in telling.statements(heading=excerpt.heading, on_subject=on_subject):
                found.setdefault((result.note_path, one.sentence.text), (one, excerpt.version))
                if len(found) == MOST_STATEMENTS:
                    return [*found.values()]
    return [*found.values()]


def _earlier(result: Result) -> list[Claim]:
    """What versions of the note said that it says no longer, as far as its events tell."""
    claims: list[Claim] = []
    held_since = result.metadata.created_date
    for event in result.events:
        if event.removed and held_since is not None:
            said = extract_claims(
                "\n\n".join(event.removed),
                line_start=1,
                note_path=result.note_path,
                note_title=result.note_title,
                timestamp=held_since,
            )
            claims += [
                replace(claim, line=event.line or 1, version=held_since, ended=event.timestamp)
                for claim in said
            ]
        held_since = event.timestamp
    return claims


def _quoted(result: Result) -> list[tuple[Result, Excerpt]]:
    return [(result, excerpt) for excerpt in result.excerpts]


def _dated(claim: Claim, version: datetime | None, gone: Event | None) -> Claim:
    if gone is None:
        return claim if version is None else replace(claim, version=version)
    return replace(claim, version=version, ended=gone.timestamp, ended_by=gone.successor)


def _authors(found: Iterable[Contradiction], deps: Deps) -> Mapping[str, str]:
    """The authors of those among the notes that tell what somebody else wrote."""
    paths = {side.path for one in found for side in (one.note_a, one.note_b)}
    kinds = {path: record.note_type for path, record in deps.catalog.records(paths).items()}
    return read_authors(kinds, root=deps.settings.vault, max_bytes=deps.settings.max_note_bytes)
