"""What there is of the days a question names: notes of these days, and lines dated so in others."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from agents.interpreter.plan import moment
from agents.interpreter.search_targets import browses_days, years_alone
from graphs.core.deps import Deps
from graphs.query.retrieval.dated_sections import (
    LINES,
    is_section,
    passage_matches_dates,
    writing_in,
)
from graphs.query.retrieval.retriever import SearchScope
from tools.base.domain import Excerpt, Hit, Moment, Period, QueryPlan, Result
from tools.temporal.timeline import lies_within, timeline
from tools.vault.catalog.day_words import either, in_headings, in_lines
from tools.vault.catalog.records import Passage
from tools.vault.catalog.text import excerpt

_WRITTEN_THEN = 0.9
"""Score of a note that was written in these days; one that tells of them has 1."""
_PASSAGES = 3
"""Passages of a note of these days in which something to quote is looked for."""
_CANDIDATES = 1_000
_SECTIONED = 10
"""Notes of which sections are looked for."""
_NUMBER = re.compile(r"\d+")


async def notes_of_days(plan: QueryPlan, scope: SearchScope, *, limit: int) -> list[Hit]:
    """What ``of_days`` finds, in a thread; once for all searches that need it."""
    search = partial(of_days, plan, scope.deps, limit=limit)
    return await scope.shared((id(plan), "days"), search)


def of_days(plan: QueryPlan, deps: Deps, *, limit: int) -> list[Hit]:
    """The notes of the days that the question names, and those with lines of these days."""
    paths = deps.catalog.created_between(plan.start_date, plan.end_date)[:limit]
    dated = _dated(plan, deps)
    found = {path: own[:LINES] for path, own in dated.items()}
    for path, own in deps.catalog.passages_of(paths).items():
        found[path] = list(dict.fromkeys((*found.get(path, ()), *own[:_PASSAGES])))
    order = [path for path in dict.fromkeys((*dated, *paths)) if path in found]
    return [
        Hit(
            source="text",
            note_path=path,
            note_title=found[path][0].note_title,
            score=1.0 if path in dated else _WRITTEN_THEN,
            match_type="text",
            excerpts=tuple(map(excerpt, found[path])),
        )
        for path in order[:limit]
    ]


def with_sections(hits: Sequence[Hit], plan: QueryPlan, deps: Deps) -> list[Hit]:
    """The notes found, each with its sections on what is asked that stand under one of the days."""
    if plan.start_date is None or plan.end_date is None:
        return list(hits)
    paths = list(dict.fromkeys(hit.note_path for hit in hits))[:_SECTIONED]
    asked = either(in_headings(plan.start_date, plan.end_date))
    rows = deps.catalog.words.match_among(asked, deps.catalog.rows_of(paths))
    notes = deps.catalog.records(paths)
    sections: dict[str, list[Excerpt]] = {}
    for one in deps.catalog.passages(chunk_ids=rows).values():
        note, quoted = notes.get(one.note_path), excerpt(one)
        if note and is_section(quoted, writing_in(note), plan):
            sections.setdefault(note.path, []).append(quoted)

    def extended(hit: Hit) -> Hit:
        own = sorted(sections.get(hit.note_path, ()), key=lambda one: one.line_start)[:LINES]
        return replace(hit, excerpts=tuple(dict.fromkeys((*hit.excerpts, *own))))

    return list(map(extended, hits))


def of_time_alone(results: Sequence[Result], plan: QueryPlan) -> tuple[Result, ...]:
    """The results, none of them where the plan asks for nothing but a time that none tells of.

    Of years that are no period those that name one.
    """
    if years := years_alone(plan):
        return tuple(one for one in results if _names_one_of(years, one))
    if not browses_days(plan) or moment(plan) != Moment():  # what was so then is older
        return tuple(results)
    period = Period(start=plan.start_date, end=plan.end_date)
    written = (result.metadata.created_date for result in results)
    told = timeline(results, period, every=True) or any(
        one and lies_within(one, period) for one in written
    )
    return tuple(results) if told else ()


def _names_one_of(years: Sequence[str], result: Result) -> bool:
    said = (result.note_title, *(f"{one.heading or ''} {one.text}" for one in result.excerpts))
    return any(year in _NUMBER.findall(text) for year in years for text in said)


def _dated(plan: QueryPlan, deps: Deps) -> Mapping[str, Sequence[Passage]]:
    """By note the passages under a day of the period, or with a line that begins with one."""
    if plan.start_date is None or plan.end_date is None:
        return {}
    start, end = plan.start_date, plan.end_date
    rows = [
        row
        for asked in (*in_headings(start, end), in_lines(start, end))
        for row, _ in deps.catalog.words.match(asked, limit=_CANDIDATES)
    ]
    passages = deps.catalog.passages(chunk_ids=rows).values()
    notes = deps.catalog.records(one.note_path for one in passages)
    found: dict[str, list[Passage]] = {}
    for one in passages:
        note = notes.get(one.note_path)
        if note and passage_matches_dates(one, note, plan):
            found.setdefault(one.note_path, []).append(one)
    return {path: sorted(own, key=lambda one: one.line_start) for path, own in found.items()}
