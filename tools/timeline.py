"""Lines of time: dated things grouped by month or year, results as such a line. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from tools.domain import Period, Result

_MONTHS_AT_MOST = 30
"""A longer span is grouped by year."""


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
