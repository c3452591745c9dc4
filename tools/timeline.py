"""A timeline from results: dated entries grouped by month or year. Pure."""

from collections.abc import Iterable, Sequence
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
    # By the date as its note has it, so that what is shown stands in order whatever the zones.
    entries.sort(key=lambda entry: (entry.timestamp.replace(tzinfo=None), entry.result.note_path))
    form = "%B %Y" if _months(entries) <= _MONTHS_AT_MOST else "%Y"
    return tuple(
        Group(label=label, entries=tuple(group))
        for label, group in groupby(entries, key=lambda entry: entry.timestamp.strftime(form))
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


def _months(entries: Sequence[Entry]) -> int:
    if not entries:
        return 0
    first, last = entries[0].timestamp, entries[-1].timestamp
    return (last.year - first.year) * 12 + last.month - first.month
