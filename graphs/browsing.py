"""What there is of the days a question names: notes of these days, and lines that begin so."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from agents.planning import moment
from agents.targets import browses_days, years_alone
from graphs.deps import Deps
from tools.domain import Hit, Moment, Period, QueryPlan, Result
from tools.timeline import lies_within, timeline
from tools.vault.catalog import Passage
from tools.vault.text import excerpt

_PASSAGES = 3
"""Passages of one note in which something to quote is looked for."""
_LINES = 20
"""Dated lines of one note that are quoted."""
_CANDIDATES = 300
_NUMBER = re.compile(r"\d+")
_MOST_MONTHS = 36
"""A longer period is looked for by its years."""
_DATED = re.compile(
    r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?"
    r"(?P<said>(?:\[.\][ \t]+)?[\[*_]*(?P<day>\d{4}-\d\d-\d\d)\b(?P<more>.*))"
)


def of_days(plan: QueryPlan, deps: Deps, *, limit: int) -> list[Hit]:
    """The notes of the days that the question names, and those with lines of these days."""
    paths = deps.catalog.created_between(plan.start_date, plan.end_date)[:limit]
    found = {**_dated(plan, deps), **deps.catalog.passages_of(paths)}
    order = [path for path in dict.fromkeys((*paths, *found)) if path in found]
    return [
        Hit(
            source="text",
            note_path=path,
            note_title=found[path][0].note_title,
            score=1.0,
            match_type="text",
            excerpts=tuple(excerpt(passage) for passage in found[path][:_PASSAGES]),
        )
        for path in order[:limit]
    ]


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
    told = timeline(results, period) or any(one and lies_within(one, period) for one in written)
    return tuple(results) if told else ()


def _names_one_of(years: Sequence[str], result: Result) -> bool:
    said = (result.note_title, *(f"{one.heading or ''} {one.text}" for one in result.excerpts))
    return any(year in _NUMBER.findall(text) for year in years for text in said)


def told_of_days(focused: Result, plan: QueryPlan, *, found: Result) -> Result:
    """The result with all the lines ``found`` of its note that begin with one of the days.

    A note of another time is quoted with nothing else.
    """
    lines = {
        one.line_start + at: replace(
            one,
            text=said,
            line_start=one.line_start + at,
            line_end=one.line_start + at,
        )
        for one in found.excerpts
        for at, line in enumerate(one.text.split("\n"))
        if (said := _said(line, plan))
    }
    if not lines:
        return focused
    own = focused.excerpts if _within(focused.metadata.created_date, plan) else ()
    beside = [one for one in own if one.line_start not in lines]
    quoted = [*beside, *(lines[at] for at in sorted(lines)[:_LINES])]
    return replace(focused, excerpts=tuple(quoted))


def _dated(plan: QueryPlan, deps: Deps) -> Mapping[str, Sequence[Passage]]:
    """By note the passages with a line that begins with a day of the period: ``2024-03-09``."""
    if plan.start_date is None or plan.end_date is None:
        return {}
    spelled = " OR ".join(f'"{one}"' for one in _spelled(plan.start_date, plan.end_date))
    rows = [row for row, _ in deps.catalog.words.match(spelled, limit=_CANDIDATES)]
    found: dict[str, list[Passage]] = {}
    for one in deps.catalog.passages(chunk_ids=rows).values():
        if any(_said(line, plan) for line in one.text.split("\n")):
            found.setdefault(one.note_path, []).append(one)
    return {path: sorted(own, key=lambda one: one.line_start) for path, own in found.items()}


def _spelled(start: datetime, end: datetime) -> list[str]:
    """The months of a half-open period as the words of their days begin, else its years."""
    last = end - timedelta(microseconds=1)
    years = range(start.year, last.year + 1)
    months = [
        f"{year} {month:02}"
        for year in years
        for month in range(1, 13)
        if (start.year, start.month) <= (year, month) <= (last.year, last.month)
    ]
    return months if len(months) <= _MOST_MONTHS else [f"{year}" for year in years]


def _said(line: str, plan: QueryPlan) -> str:
    """What a line says that begins with a day of the period and says more; else nothing.

    A dated heading stands over what happened; by itself it says nothing.
    """
    found = _DATED.fullmatch(line)
    if found is None or not any(map(str.isalnum, found["more"])):
        return ""
    try:
        day = date.fromisoformat(found["day"])
    except ValueError:  # the 30th of February
        return ""
    zone = plan.end_date.tzinfo if plan.end_date else None
    moment = datetime(day.year, day.month, day.day, tzinfo=zone)
    return found["said"].rstrip() if _within(moment, plan) else ""


def _within(moment: datetime | None, plan: QueryPlan) -> bool:
    """Whether it is of the half-open period that the question names."""
    start, end = plan.start_date, plan.end_date
    if moment is None or start is None or end is None:
        return False
    return start <= moment < end
