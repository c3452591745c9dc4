"""What there is of the days a question names: notes of these days, and lines dated so in others."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from agents.planning import moment
from agents.targets import browses_days, years_alone
from graphs.days_told import LINES, is_section, tells_of_days, writing_in
from graphs.deps import Deps
from tools.date_words import MONTHS
from tools.domain import Excerpt, Hit, Moment, Period, QueryPlan, Result
from tools.timeline import lies_within, timeline
from tools.vault.catalog import Passage
from tools.vault.text import excerpt

_PASSAGES = 3
"""Passages of a note of these days in which something to quote is looked for."""
_CANDIDATES = 300
_NUMBER = re.compile(r"\d+")
_WORDS = {**MONTHS, **{f"{number:02}": number for number in range(1, 13)}}
"""The words by which a heading may name a month."""
_MOST_MONTHS = 36
"""A longer period is looked for by its years."""


def of_days(plan: QueryPlan, deps: Deps, *, limit: int) -> list[Hit]:
    """The notes of the days that the question names, and those with lines of these days."""
    paths = deps.catalog.created_between(plan.start_date, plan.end_date)[:limit]
    dated = _dated(plan, deps)
    found = {path: own[:_PASSAGES] for path, own in deps.catalog.passages_of(paths).items()}
    for path, own in dated.items():
        found[path] = list(dict.fromkeys((*found.get(path, ()), *own[:LINES])))
    order = [path for path in dict.fromkeys((*paths, *found)) if path in found]
    return [
        Hit(
            source="text",
            note_path=path,
            note_title=found[path][0].note_title,
            score=1.0,
            match_type="text",
            excerpts=tuple(map(excerpt, found[path])),
        )
        for path in order[:limit]
    ]


def with_sections(hits: Sequence[Hit], plan: QueryPlan, deps: Deps) -> list[Hit]:
    """The notes found, each with its sections on what is asked that stand under one of the days."""
    if plan.start_date is None or plan.end_date is None:
        return list(hits)
    passages = _matching(_in_headings(plan.start_date, plan.end_date), deps)
    notes = deps.catalog.records({one.note_path for one in passages} & {h.note_path for h in hits})
    sections: dict[str, list[Excerpt]] = {}
    for one in passages:
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
    passages = _matching((*_in_headings(start, end), _in_lines(start, end)), deps)
    notes = deps.catalog.records(one.note_path for one in passages)
    found: dict[str, list[Passage]] = {}
    for one in passages:
        note = notes.get(one.note_path)
        if note and tells_of_days(one, note, plan):
            found.setdefault(one.note_path, []).append(one)
    return {path: sorted(own, key=lambda one: one.line_start) for path, own in found.items()}


def _matching(expressions: Iterable[str], deps: Deps) -> Sequence[Passage]:
    rows = [
        row
        for expression in expressions
        for row, _ in deps.catalog.words.match(expression, limit=_CANDIDATES)
    ]
    return list(deps.catalog.passages(chunk_ids=rows).values())


def _in_lines(start: datetime, end: datetime) -> str:
    """What FTS5 is asked for lines that begin with a day of a half-open period: ``2024-03-09``."""
    months = [f'"{year} {month:02}"' for year, month in _months(start, end)]
    return _any_of(months or _years(start, end))


def _in_headings(start: datetime, end: datetime) -> list[str]:
    """What it is asked for headings of such days: ``2024-03-09``, ``2024``, ``Sat, March 9th``.

    Those with their year, which the name of the note may have, come first.
    """
    months, years = _months(start, end), _any_of(_years(start, end))
    if not months:
        return [f"{{title headings}} : {years}"]
    words = {
        month: _any_of(f'"{w}"' for w, n in _WORDS.items() if n == month) for _, month in months
    }
    dated = _any_of(f'("{year}" AND {words[month]})' for year, month in months)
    named = _any_of(f'"{word}"' for word, n in MONTHS.items() if n in words)
    whole = [f"headings : {years}"] if len(months) >= 12 else []
    return [f"{{title headings}} : {dated}", *whole, f"headings : {named}"]


def _any_of(expressions: Iterable[str]) -> str:
    return f"({' OR '.join(expressions)})"


def _months(start: datetime, end: datetime) -> list[tuple[int, int]]:
    """The months of a half-open period; none where they are too many."""
    last = end - timedelta(microseconds=1)
    first, number = 12 * start.year + start.month - 1, 12 * last.year + last.month
    months = [(at // 12, at % 12 + 1) for at in range(first, number)]
    return months if len(months) <= _MOST_MONTHS else []


def _years(start: datetime, end: datetime) -> list[str]:
    last = end - timedelta(microseconds=1)
    return [f'"{year}"' for year in range(start.year, last.year + 1)]
