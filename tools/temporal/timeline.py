"""Lines of time: dated things grouped by month or year, results as such a line. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from tools.base.domain import Excerpt, Period, Result
from tools.temporal.event_time import is_day, period_in_words, resolve_event_time
from tools.temporal.journal_headings import headed_days
from tools.text.markdown.sentences import sentences

_MONTHS_AT_MOST = 30
"""A longer span is grouped by year."""
_LONGER = 31
"""So many times as long as a period may be what is told of it: a month of a day, but no year."""
_FAR, _BEFORE = 0.25, 0.5
_WEEK, _MONTH, _YEAR = timedelta(weeks=1), timedelta(days=31), timedelta(days=365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that happened to a note on a date, or that a line of it tells of other days.

    ``quoted`` is what it says. ``told`` are the days that this or the heading over it names; what
    tells of other days than its own was ``written`` on another.
    """

    timestamp: datetime
    kind: str
    detail: str
    result: Result
    quoted: tuple[Excerpt, ...] = ()
    told: Period | None = None
    written: datetime | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    label: str
    entries: tuple[Entry, ...]


class _Days(NamedTuple):
    """Days that are told of; by a line that was written ``apart`` from them."""

    start: datetime
    end: datetime
    apart: datetime | None = None


def timeline(
    results: Iterable[Result], period: Period, *, every: bool = False
) -> tuple[Group, ...]:
    """Entries within the period, oldest first, grouped by month, or by year when they span long.

    A result without events stands at its creation date, with its first line, or ``every`` one.
    Where a line, or the heading over it, names other days, "in 2023", it stands at those.
    """
    told = (entry for one in results for entry in _told(one, period, every=every))
    entries = [entry for entry in told if _falls(entry, period)]
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


def ranked_by_period(results: Iterable[Result], period: Period) -> tuple[Result, ...]:
    """Put what is dated within the period, or soon after it, before what is dated far from it.

    Notes tell of what was: of a meeting in May perhaps in June, hardly ever in March. What is far
    away keeps a quarter of its weight, for it may say most and name the date in its words.
    """
    return tuple(sorted(results, key=lambda one: -one.composite_relevance * _weight(one, period)))


def _weight(result: Result, period: Period) -> float:
    moments = {one.timestamp for one in _entries(result)}
    moments |= {days.start for one in result.excerpts if (days := headed_days(result, one))}
    near = max((_nearness(one, period) for one in moments), default=0.0)
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


def _entries(result: Result, *, changed: bool = True) -> list[Entry]:
    """The dated events of a result, or that it was begun.

    Unless it matters when files ``changed``, one without a date of its own was begun at no time.
    """
    dated = changed or result.metadata.date_origin != "mtime"
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
            if dated or e.kind != "created"
        ]
    created = result.metadata.created_date
    if created is None or not dated:
        return []
    return [Entry(timestamp=created, kind="created", detail="", result=result)]


def _told(result: Result, period: Period, *, every: bool) -> Iterator[Entry]:
    """The entries of a result, what it says of other days at those days.

    The changes of a note say more than its lines, but where a period is asked for.
    """
    own, apart = _lines(result, period, every=every)
    known = {one.text for lines in apart.values() for line in lines for one in sentences(line.text)}
    asked = period != Period()
    entries = _entries(result, changed=asked)
    quoting = asked or not entries
    for entry in entries:
        added = tuple(text for text in entry.added if text not in known)
        if entry.kind != "created":
            yield entry
        elif added:
            yield replace(entry, added=added)
        else:
            quoting = True
            if own or not result.excerpts:
                yield replace(entry, added=(), quoted=own)
    if quoting:
        for days, lines in apart.items():
            yield Entry(
                timestamp=days.start,
                kind="created",
                detail="",
                result=result,
                quoted=lines,
                told=Period(start=days.start, end=days.end),
                written=days.apart,
            )


def _lines(
    result: Result, period: Period, *, every: bool
) -> tuple[tuple[Excerpt, ...], Mapping[_Days, tuple[Excerpt, ...]]]:
    """What is quoted of a note's own date, the first line or ``every``, and of which other days."""
    created = result.metadata.created_date
    own: list[Excerpt] = []
    apart: dict[_Days, tuple[Excerpt, ...]] = {}
    for at, excerpt in enumerate(result.excerpts):
        days = _days_told(result, excerpt, created, period, every=every) if created else None
        if days:
            apart[days] = (*apart.get(days, ()), excerpt)
        elif every or not at:
            own.append(excerpt)
    return tuple(own), apart


def _days_told(
    result: Result, excerpt: Excerpt, created: datetime, period: Period, *, every: bool
) -> _Days | None:
    """The days that a line names which is of none of them, else those of the heading over it.

    "1984 by Orwell" under "2021" is of 2021 where that is asked for, and where ``every`` line is,
    in a note of 2021 too.
    """
    when = resolve_event_time(result, excerpt)
    if when is None:
        return None
    own = when.headed
    written = own.start if own else created
    start, end = when.period.start, when.period.end
    if when.said and start and end and not start <= written < end:
        if own:
            written_then = _reaches(own.start, own.end, period)
        else:
            written_then = every and lies_within(created, period)
        if _reaches(start, end, period) or not written_then:
            # Of "2019" nobody knows on which day "in May" was written.
            known = own is None or is_day(own.period)
            return _Days(start, end, apart=written if known else None)
    return _Days(own.start, own.end) if own else None


def _falls(entry: Entry, period: Period) -> bool:
    """Whether an entry is of the period; one that tells of days, if some of these are."""
    days = entry.told
    if days is None or days.start is None or days.end is None:
        return lies_within(entry.timestamp, period)
    return _reaches(days.start, days.end, period)


def _reaches(start: datetime, end: datetime, period: Period) -> bool:
    """Whether what is told of some days, whatever zone it is written in, is of the period."""
    first, last = (bound and bound.replace(tzinfo=None) for bound in (period.start, period.end))
    start, end = start.replace(tzinfo=None), end.replace(tzinfo=None)
    if first and last and end - start > _LONGER * (last - first):
        return False
    return (last is None or start < last) and (first is None or end > first)


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
