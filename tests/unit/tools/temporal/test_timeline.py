"""Results on a line of time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.results import a_result
from tools.base.domain import Event, Excerpt, Period, Result
from tools.temporal.timeline import Group, ranked_by_period, timeline

ANY_TIME = Period()


def day(year: int, month: int, number: int = 1) -> datetime:
    return datetime(year, month, number, 12, tzinfo=UTC)


def event(
    moment: datetime, kind: Literal["created", "modified", "superseded"] = "modified"
) -> Event:
    return Event(timestamp=moment, kind=kind, detail="B" if kind == "superseded" else "")


def listed(groups: tuple[Group, ...]) -> list[tuple[str, list[str]]]:
    return [(group.label, [entry.result.note_path for entry in group.entries]) for group in groups]


def test_entries_are_grouped_by_month_oldest_first() -> None:
    results = [
        a_result("late.md", created=day(2024, 3, 9)),
        a_result("early.md", created=day(2024, 1, 5)),
        a_result("same.md", created=day(2024, 3, 2)),
    ]
    assert listed(timeline(results, ANY_TIME)) == [
        ("January 2024", ["early.md"]),
        ("March 2024", ["same.md", "late.md"]),
    ]


@pytest.mark.parametrize(
    ("last", "labels"),
    [
        (day(2024, 7), ["January 2022", "July 2024"]),
        (day(2024, 8), ["2022", "2024"]),
    ],
    ids=["thirty months", "thirty-one months"],
)
def test_a_long_span_is_grouped_by_year(last: datetime, labels: list[str]) -> None:
    groups = timeline(
        [a_result("a.md", created=day(2022, 1)), a_result("b.md", created=last)], ANY_TIME
    )
    assert [group.label for group in groups] == labels


def test_when_a_file_was_last_changed_is_an_entry_only_where_a_period_is_asked_for() -> None:
    noted = a_result("a.md", created=day(2024, 3, 9))
    saved = replace(
        a_result("b.md", created=day(2024, 3, 9)),
        metadata=replace(noted.metadata, date_origin="mtime"),
        events=(event(day(2024, 3, 9), "created"), event(day(2024, 5, 1))),
    )
    march = Period(start=day(2024, 3), end=day(2024, 4))
    assert listed(timeline([noted, saved], ANY_TIME)) == [
        ("March 2024", ["a.md"]),
        ("May 2024", ["b.md"]),
    ]
    assert listed(timeline([noted, saved], march)) == [("March 2024", ["a.md", "b.md"])]


def test_only_entries_within_the_period_set_its_scale() -> None:
    results = [
        a_result("old.md", created=day(2010, 1)),
        a_result("a.md", created=day(2024, 1)),
        a_result("b.md", created=day(2024, 2)),
    ]
    groups = timeline(results, Period(start=day(2024, 1), end=None))
    assert listed(groups) == [("January 2024", ["a.md"]), ("February 2024", ["b.md"])]


def test_a_period_has_its_start_and_not_its_end() -> None:
    results = [a_result("start.md", created=day(2024, 1)), a_result("end.md", created=day(2024, 2))]
    groups = timeline(results, Period(start=day(2024, 1), end=day(2024, 2)))
    assert listed(groups) == [("January 2024", ["start.md"])]


def test_what_stands_under_a_day_stands_at_that_day() -> None:
    def noted(path: str, heading: str | None) -> Result:
        said = Excerpt(text="Saw a kite.", line_start=3, line_end=3, heading=heading)
        return a_result(path, created=day(2023, 1), excerpts=(said,))

    results = [noted("log.md", "3 May"), noted("2021/log.md", "3 May"), noted("plain.md", "Birds")]
    groups = timeline(results, ANY_TIME)
    assert [
        (e.timestamp.date().isoformat(), e.result.note_path) for g in groups for e in g.entries
    ] == [
        ("2021-05-03", "2021/log.md"),
        ("2023-01-01", "plain.md"),
        ("2023-05-03", "log.md"),
    ]


def test_events_stand_instead_of_the_date_of_creation() -> None:
    events = (event(day(2024, 1), "created"), event(day(2024, 2), "superseded"))
    (january, february) = timeline(
        [a_result("a.md", created=day(2023, 1), events=events)], ANY_TIME
    )
    assert [entry.kind for entry in (*january.entries, *february.entries)] == [
        "created",
        "superseded",
    ]
    assert february.entries[0].detail == "B"


def test_a_note_without_any_date_has_no_place() -> None:
    assert timeline([a_result("a.md")], ANY_TIME) == ()


def test_months_stand_in_order_though_notes_are_of_different_zones() -> None:
    east, west = timezone(timedelta(hours=10)), timezone(timedelta(hours=-10))
    results = [
        a_result("a.md", created=datetime(2024, 2, 1, 1, tzinfo=east)),
        a_result("b.md", created=datetime(2024, 1, 31, 20, tzinfo=west)),
        a_result("c.md", created=datetime(2024, 2, 3, tzinfo=UTC)),
    ]
    labels = [group.label for group in timeline(results, ANY_TIME)]
    assert labels in (["January 2024", "February 2024"], ["February 2024"])


def line(text: str) -> Excerpt:
    return Excerpt(text=text, line_start=3, line_end=3, heading=None, block_id=None)


def test_what_a_line_tells_of_other_days_stands_at_those() -> None:
    lines = (line("In 2023 I weighed 72 kg."), line("Now I weigh 80 kg."))
    results = [a_result("weight.md", created=day(2024, 6), excerpts=lines)]
    (told,) = timeline(results, Period(start=day(2022, 12, 31), end=day(2024, 1)))
    assert told.label == "2023"
    assert [(entry.quoted, entry.written) for entry in told.entries] == [
        ((lines[0],), day(2024, 6))
    ]
    assert timeline(results[:1], Period(start=day(2022, 12, 31), end=day(2024, 1)))
    # The second line names no day, and the first one stands elsewhere.
    assert timeline(results, Period(start=day(2024, 1), end=None)) == ()


def test_what_is_told_of_days_that_reach_into_the_period_is_of_it() -> None:
    told = a_result("a.md", created=day(2024, 6), excerpts=(line("In 2023 I weighed 72 kg."),))
    june = Period(start=day(2023, 6), end=day(2023, 7))
    assert [group.label for group in timeline([told], june)] == ["2023"]
    assert timeline([told], june)


def test_days_of_one_name_stand_together() -> None:
    texts = {
        "a": "In 2023 I ran.",
        "b": "In the first quarter of 2023 I swam.",
        "c": "In 2023 I ate.",
    }
    results = [
        a_result(f"{name}.md", created=day(2024, 6), excerpts=(line(text),))
        for name, text in texts.items()
    ]
    labels = [group.label for group in timeline(results, ANY_TIME)]
    assert len(labels) == len(set(labels)) == 2


def test_a_line_of_its_notes_own_days_stands_at_its_date() -> None:
    result = a_result("a.md", created=day(2024, 6), excerpts=(line("In 2024 I stopped."),))
    (group,) = timeline([result], ANY_TIME)
    assert (group.label, group.entries[0].told) == ("June 2024", None)


moments = st.datetimes(
    min_value=datetime(1990, 1, 1),  # noqa: DTZ001 - hypothesis wants naive bounds
    max_value=datetime(2030, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


@given(
    st.lists(st.lists(moments, max_size=4), max_size=6),
    st.none() | moments,
    st.none() | moments,
)
def test_every_event_of_the_period_stands_once_and_in_order(
    dates: list[list[datetime]], start: datetime | None, end: datetime | None
) -> None:
    results = [
        a_result(f"{number}.md", events=tuple(map(event, own))) for number, own in enumerate(dates)
    ]
    groups = timeline(results, Period(start=start, end=end))
    shown = [entry.timestamp for group in groups for entry in group.entries]
    wanted = [
        moment
        for own in dates
        for moment in own
        if (start is None or moment >= start) and (end is None or moment < end)
    ]
    assert shown == sorted(wanted)
    labels = [group.label for group in groups]
    assert len(labels) == len(set(labels))
    assert all(group.entries for group in groups)
    dated = [one for one in results if timeline([one], Period(start=start, end=end))]
    assert {entry.result.note_path for group in groups for entry in group.entries} == {
        one.note_path for one in dated
    }
    for group in groups:
        assert all(str(entry.timestamp.year) in group.label for entry in group.entries)


# --- a period that is asked for ------------------------------------------------------------

MAY = Period(start=datetime(2024, 5, 1, tzinfo=UTC), end=datetime(2024, 6, 1, tzinfo=UTC))


def in_order(*found: tuple[str, datetime | None, float], period: Period = MAY) -> list[str]:
    results = [
        a_result(path, created=created, composite_relevance=score) for path, created, score in found
    ]
    return [result.note_path for result in ranked_by_period(results, period)]


def test_of_notes_that_say_as_much_the_nearest_to_the_period_leads() -> None:
    assert in_order(
        ("undated", None, 0.6),
        ("years before", day(2020, 3), 0.6),
        ("a month before", day(2024, 4, 1), 0.6),
        ("a month after", day(2024, 7, 1), 0.6),
        ("within", day(2024, 5, 20), 0.6),
    ) == ["within", "a month after", "a month before", "years before", "undated"]


def test_a_note_from_outside_leads_only_if_it_says_far_more() -> None:
    assert in_order(("far", day(2020, 1), 0.9), ("within", day(2024, 5, 2), 0.4))[0] == "within"
    assert in_order(("far", day(2020, 1), 0.9), ("within", day(2024, 5, 2), 0.1))[0] == "far"


def test_without_a_period_the_order_stays() -> None:
    found = [("b", day(2020, 1), 0.9), ("a", day(2024, 1), 0.7), ("c", day(2022, 1), 0.5)]
    assert in_order(*found, period=ANY_TIME) == ["b", "a", "c"]


@given(
    moment=st.datetimes(timezones=st.just(UTC)),
    start=st.none() | st.datetimes(timezones=st.just(UTC)),
    length=st.none() | st.timedeltas(timedelta(0), timedelta(days=900)),
)
def test_any_period_keeps_every_result(
    moment: datetime, start: datetime | None, length: timedelta | None
) -> None:
    try:
        end = start + length if start and length else None
    except OverflowError:
        return
    kept = in_order(("a", moment, 0.5), ("b", None, 0.4), period=Period(start=start, end=end))
    assert sorted(kept) == ["a", "b"]


def under(day: str, text: str) -> Excerpt:
    """A line that stands under a heading."""
    return Excerpt(text=text, line_start=3, line_end=3, heading=day)


def test_lines_under_one_day_of_a_journal_stand_together_and_say_no_other_date() -> None:
    lines = (
        under("2024-04-09", "Sowed peas."),
        under("2024-04-13", "Swallows came."),
        under("2024-04-09", "Cut the hedge."),
    )
    results = [a_result("Log.md", created=day(2023, 1), excerpts=lines)]

    (april,) = timeline(results, Period(start=day(2024, 4), end=day(2024, 5)))

    assert [(entry.quoted, entry.written) for entry in april.entries] == [
        ((lines[0], lines[2]), None),
        ((lines[1],), None),
    ]


def test_of_a_note_of_the_days_the_first_line_stands_there_or_every_one() -> None:
    lines = (line("It rained."), line("We mended the roof."))
    results = [a_result("Roof.md", created=day(2024, 4), excerpts=lines)]

    def quoted(*, every: bool) -> tuple[Excerpt, ...]:
        ((entry,),) = (group.entries for group in timeline(results, ANY_TIME, every=every))
        return entry.quoted

    assert quoted(every=False) == lines[:1]
    assert quoted(every=True) == lines


def test_a_changed_note_tells_of_the_days_that_are_asked_for_too() -> None:
    said = under("2024-04-09", "Sowed peas.")
    changed = event(day(2024, 8))
    results = [a_result("Log.md", created=day(2023, 1), events=(changed,), excerpts=(said,))]

    (april,) = timeline(results, Period(start=day(2024, 4), end=day(2024, 5)))
    (august,) = timeline(results, ANY_TIME)

    assert [entry.quoted for entry in april.entries] == [(said,)]
    assert [entry.kind for entry in august.entries] == ["modified"]


def test_what_stood_in_the_first_version_under_another_day_happened_on_that() -> None:
    said = under("2024-04-09", "Sowed peas.")
    first = Event(timestamp=day(2023, 1), kind="created", detail="", added=("Sowed peas.",))
    results = [a_result("Log.md", created=day(2023, 1), events=(first,), excerpts=(said,))]
    assert [group.label for group in timeline(results, ANY_TIME)] == ["April 2024"]


def test_a_journal_with_a_day_of_the_period_comes_before_notes_far_from_it() -> None:
    near = a_result("Near.md", created=day(2024, 1), composite_relevance=0.6)
    log = a_result(
        "Log.md",
        created=day(2020, 1),
        composite_relevance=0.5,
        excerpts=(under("2024-04-09", "Sowed peas."),),
    )
    assert ranked_by_period([near, log], Period(start=day(2024, 4), end=day(2024, 5))) == (
        log,
        near,
    )


def test_every_line_of_a_note_of_the_days_is_of_them_but_those_under_others() -> None:
    lines = (line("Read 1984 by Orwell."), under("2021", "Kidnapped"))
    results = [a_result("Books.md", created=day(2024, 4), excerpts=lines)]
    (april,) = timeline(results, Period(start=day(2024, 4), end=day(2024, 5)), every=True)
    assert [entry.quoted for entry in april.entries] == [lines[:1]]


def test_what_is_told_of_a_year_is_nothing_of_one_of_its_days() -> None:
    results = [
        a_result("Talks.md", created=day(2024, 6), excerpts=(under("2023", "Spoke twice."),))
    ]
    assert timeline(results, Period(start=day(2023, 4), end=day(2023, 4, 2))) == ()
    assert timeline(results, Period(start=day(2023, 4), end=day(2023, 8))) != ()


def test_a_line_under_a_heading_of_the_period_is_of_it_whatever_year_it_names() -> None:
    lines = (under("2021", "Emma by Austen"), under("2021", "1984 by Orwell"))
    results = [a_result("Books.md", created=day(2024, 6), excerpts=lines)]

    (then,) = timeline(results, Period(start=day(2021, 1), end=day(2022, 1)))

    assert [entry.quoted for entry in then.entries] == [lines]
