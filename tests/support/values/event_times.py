"""What the tests of the times that lines speak of share: a line of a note of 8 May 2023."""

from datetime import UTC, datetime, timedelta

from tests.support.values.results import a_result
from tools.base.domain import DateOrigin, Excerpt, NoteMetadata, Period
from tools.temporal.event_time import EventTime, resolve_event_time

WRITTEN = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
_DAY = timedelta(days=1)
_WRITTEN_ON = Period(
    start=datetime(2023, 5, 8, tzinfo=UTC), end=datetime(2023, 5, 8, tzinfo=UTC) + _DAY
)
OF_THE_NOTE = EventTime(period=_WRITTEN_ON, said="", under=_WRITTEN_ON)
"""The time of a line that names none."""


def told(
    text: str,
    *,
    written: datetime = WRITTEN,
    heading: str | None = None,
    over: tuple[str, ...] = (),
    origin: DateOrigin = "frontmatter",
    version: datetime | None = None,
    path: str = "a.md",
    changed: datetime | None = None,
    question: str = "",
) -> EventTime:
    """The time that a line of a dated note speaks of."""
    excerpt = Excerpt(
        text=text, line_start=1, line_end=1, heading=heading, over=over, version=version
    )
    metadata = NoteMetadata(
        created_date=written, modified_date=changed, building_block=None, date_origin=origin
    )
    found = resolve_event_time(a_result(path, metadata=metadata), excerpt, question=question)
    assert found is not None
    return found


def days_of(period: Period) -> str:
    """The first day and the last, ``2023-05-01/2023-05-07``; one day alone; ``..`` where open."""
    first = f"{period.start:%Y-%m-%d}" if period.start else ".."
    last = f"{period.end - _DAY:%Y-%m-%d}" if period.end else ".."
    return first if first == last else f"{first}/{last}"


def dated_by(found: EventTime) -> str:
    """What a line stands under: its note, the note's name, or a heading, maybe without a year."""
    if found.headed is None:
        return "note"
    if found.headed.named:
        return "name"
    return "heading without a year" if found.headed.inferred else "heading"
