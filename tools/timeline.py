"""Lines of time: dated things grouped by month or year, results as such a line. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from tools.domain import Period, Result

_MONTHS_AT_MOST = 30
"""A longer span is grouped by year."""
_FAR, _BEFORE = 0.25, 0.5
_WEEK, _YEAR = timedelta(weeks=1), timedelta(days=365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that happened to a note on a date."""

    timestamp: datetime
    kind: str
    detail: str
    result: Result
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    label: str
    entries: tuple[Entry, ...]


def timeline(results: Iterable[Result], period: Period) -> tuple[Group, ...]:
    """Entries within the period, oldest first, grouped by month, or by year when they span long.

    A result without events stands at its creation date.
    """
    entries = [
        entry
        for result in results
        for entry in _entries(result)
        if _within(entry.timestamp, period)
    ]
    entries.sort(key=lambda entry: entry.result.note_path)
    return tuple(
        Group(label=label, entries=group)
        for label, group in grouped(entries, when=lambda entry: entry.timestamp)
    )


def grouped[T](
    dated: Iterable[T], *, when: Callable[[T], datetime]
) -> tuple[tuple[str, tuple[T, ...]], ...]:
    """What is dated by ``when``, oldest first, under month names, or years where it spans long.

    What has the same date stays in the order given.
    """

    def date_as_written(one: T) -> datetime:
        # As its note has it, so that what is shown stands in order whatever the zones.
        return when(one).replace(tzinfo=None)

    ordered = sorted(dated, key=date_as_written)
    form = "%B %Y" if _months([when(one) for one in ordered]) <= _MONTHS_AT_MOST else "%Y"
    return tuple(
        (label, tuple(group))
        for label, group in groupby(ordered, key=lambda one: when(one).strftime(form))
    )


def falls_within(result: Result, period: Period) -> bool:
    """Say whether anything about the result is dated within the period."""
    return any(_within(entry.timestamp, period) for entry in _entries(result))


def towards(results: Iterable[Result], period: Period) -> tuple[Result, ...]:
    """Put what is dated within the period, or soon after it, before what is dated far from it.

    Notes tell of what was: of a meeting in May perhaps in June, hardly ever in March. What is far
    away keeps a quarter of its weight, for it may say most and name the date in its words.
    """
    return tuple(sorted(results, key=lambda one: -one.composite_relevance * _weight(one, period)))


def _weight(result: Result, period: Period) -> float:
    near = max((_nearness(one.timestamp, period) for one in _entries(result)), default=0.0)
    return _FAR + (1 - _FAR) * near


def _nearness(moment: datetime, period: Period) -> float:
    """1 within the period; half as much one length of it (a week at least) behind its end."""
    start, end = period.start, period.end
    if _within(moment, period):
        return 1.0
    length = max(end - start, _WEEK) if start and end else _YEAR
    if end is not None and moment >= end:
        return 1 / (1 + (moment - end) / length)
    return _BEFORE / (1 + (start - moment) / length) if start is not None else 0.0


def _entries(result: Result) -> list[Entry]:
    if result.events:
        return [
            Entry(
                timestamp=e.timestamp,
                kind=e.kind,
                detail=e.detail,
                result=result,
                added=e.added,
                removed=e.removed,
            )
            for e in result.events
        ]
    created = result.metadata.created_date
    if created is None:
        return []
    return [Entry(timestamp=created, kind="created", detail="", result=result)]


def _within(moment: datetime, period: Period) -> bool:
    return (period.start is None or moment >= period.start) and (
        period.end is None or moment < period.end
    )


def _months(moments: Sequence[datetime]) -> int:
    if not moments:
        return 0
    first, last = moments[0], moments[-1]
    return (last.year - first.year) * 12 + last.month - first.month
