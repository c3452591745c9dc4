"""Lines of time: dated things grouped by month or year, results as such a line. Pure."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from tools.domain import Excerpt, Period, Result
from tools.when import find_when, period_in_words

_MONTHS_AT_MOST = 30
"""A longer span is grouped by year."""
_FAR, _BEFORE = 0.25, 0.5
_WEEK, _MONTH, _YEAR = timedelta(weeks=1), timedelta(days=31), timedelta(days=365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that happened to a note on a date, or that a line of it tells of other days.

    ``quoted`` is what it says. ``told`` are the days that this names, where its note was
    ``written`` on another.
    """

    timestamp: datetime
    kind: str
    detail: str
    result: Result
    quoted: Excerpt | None = None
    told: Period | None = None
    written: datetime | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    label: str
    entries: tuple[Entry, ...]


def timeline(results: Iterable[Result], period: Period) -> tuple[Group, ...]:
    """Entries within the period, oldest first, grouped by month, or by year when they span long.

    A result without events stands at its creation date. Where its line, or the heading over that,
    names other days, "in 2023", it stands at those.
    """
    entries = [entry for result in results for entry in _told(result) if _falls(entry, period)]
    entries.sort(key=lambda entry: entry.result.note_path)
    return tuple(
        Group(label=label, entries=group)
        for label, group in grouped(entries, when=lambda entry: entry.timestamp, under=_long_days)
    )


def grouped[T](
    dated: Iterable[T],
    *,
    when: Callable[[T], datetime],
    under: Callable[[T], str] = lambda _: "",
) -> tuple[tuple[str, tuple[T, ...]], ...]:
    """What is dated by ``when``, oldest first, under month names, or years where it spans long.

    What has the same date stays in the order given. ``under`` names what stands under another name
    than that of its month.
    """

    def date_as_written(one: T) -> datetime:
        # As its note has it, so that what is shown stands in order whatever the zones.
        return when(one).replace(tzinfo=None)

    ordered = sorted(dated, key=lambda one: (date_as_written(one), not under(one), under(one)))
    by_month = _months([when(one) for one in ordered]) <= _MONTHS_AT_MOST

    def label(one: T) -> str:
        return (under(one) if by_month else "") or when(one).strftime("%B %Y" if by_month else "%Y")

    return tuple((name, tuple(group)) for name, group in groupby(ordered, key=label))


def _long_days(entry: Entry) -> str:
    """The days of an entry that are longer than a month, which they begin with: "2023"."""
    days = entry.told
    if days is None or days.start is None or days.end is None or days.start.day != 1:
        return ""
    return period_in_words(days) if days.end - days.start > _MONTH else ""


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
    if lies_within(moment, period):
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


def _told(result: Result) -> Iterator[Entry]:
    """The entries of a result, what it says of other days at those days."""
    for entry in _entries(result):
        if entry.kind != "created" or entry.added:
            yield entry
            continue
        for at, excerpt in enumerate(result.excerpts):
            days = _other_days(result, excerpt, entry.timestamp)
            if days is not None and days.start is not None:
                written = entry.timestamp
                yield replace(
                    entry, timestamp=days.start, quoted=excerpt, told=days, written=written
                )
            elif not at:
                yield replace(entry, quoted=excerpt)
        if not result.excerpts:
            yield entry


def _other_days(result: Result, excerpt: Excerpt, written: datetime) -> Period | None:
    """The days that a line or the heading over it names, where ``written`` is none of them."""
    when = find_when(result, excerpt)
    if (
        when is None
        or not (when.said or when.headed)
        or when.period.start is None
        or when.period.end is None
    ):
        return None
    return None if when.period.start <= written < when.period.end else when.period


def _falls(entry: Entry, period: Period) -> bool:
    """Whether an entry is of the period; one that tells of days, if some of these are."""
    days = entry.told
    if days is None or days.start is None or days.end is None:
        return lies_within(entry.timestamp, period)
    begun = period.end is None or days.start < period.end
    return begun and (period.start is None or days.end > period.start)


def lies_within(moment: datetime, period: Period) -> bool:
    """Whether a moment lies in the half-open period."""
    return (period.start is None or moment >= period.start) and (
        period.end is None or moment < period.end
    )


def _months(moments: Sequence[datetime]) -> int:
    if not moments:
        return 0
    first, last = moments[0], moments[-1]
    return (last.year - first.year) * 12 + last.month - first.month
