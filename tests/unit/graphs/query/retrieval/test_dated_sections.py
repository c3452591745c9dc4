"""What happened in some days is found where lines begin with them, or stand under them."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from zoneinfo import ZoneInfo

import pytest

from graphs.core.deps import Deps
from graphs.query.retrieval.by_day import of_days, of_time_alone, with_sections
from graphs.query.retrieval.dated_sections import select_by_date, select_by_dated_section
from tests.support.values.results import a_plan, a_reading, a_result
from tools.base.domain import Excerpt, Hit, Period, Result
from tools.temporal.timeline import timeline
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import scan
from tools.vault.history.history import History
from tools.vault.indexing.indexing import index_text, plan_changes

SEEN = datetime(2025, 1, 1, tzinfo=UTC)
MARCH = a_plan(
    query="What happened in March 2024?",
    intent="temporal",
    concepts=(),
    start_date=datetime(2024, 3, 1, tzinfo=UTC),
    end_date=datetime(2024, 4, 1, tzinfo=UTC),
)
NOTES = {
    "Roof.md": "---\ncreated: 2025-01-01\n---\n# Roof\n\nSlate.\n\n- 2024-02-29 a leak\n"
    "- **2024-03-02** tiles ordered\n- [x] 2024-03-31: mended\n- 2024-04-01 dry\n",
    "Log.md": "---\ncreated: 2025-01-01\n---\n\n2024-03-15\n\nThe invoice of 2024-03-20.\n",
    "Walk.md": "---\ncreated: 2024-03-09\n---\nWe walked to the dam.\n",
}
_BODIES = {
    "Log": "# Log\n\n## 2024-03-09\n\n- Peas sown. Hedge cut.\n- Rain\n\n## 2024-04-02\n\nFrost.\n",
    "Nested": "## Saturday, March 9th, 2024\n\n### Work\n\nShipped it.\n",
    "2024": "# 2024\n\n## March\n\n### March 30th\n\nMoved house.\n",
    "Turkish": "## [[9 Mart 2024]]\n\nKar yağdı.\n",
    "2024-03-10": "- Called Ana.\n- Paid the rent.\n",
    "Plans": "## Plans for 9 March 2024\n\n### Food\n\nSoup.\n",
}
JOURNALS = {
    f"{name}.md": f"---\ncreated: 2025-01-01\n---\n{body}" for name, body in _BODIES.items()
}


@pytest.fixture
def deps(tmp_path: Path) -> Iterator[Deps]:
    with indexed(NOTES, tmp_path) as found:
        yield found


@pytest.fixture
def journals(tmp_path: Path) -> Iterator[Deps]:
    with indexed(JOURNALS, tmp_path) as found:
        yield found


@contextmanager
def indexed(notes: Mapping[str, str], tmp_path: Path) -> Generator[Deps]:
    vault = tmp_path / "vault"
    vault.mkdir()
    for name, text in notes.items():
        (vault / name).parent.mkdir(exist_ok=True)
        (vault / name).write_text(text, "utf-8")
    catalog, history = Catalog(tmp_path / "index.db"), History(tmp_path / "history.db")
    index_text(
        plan_changes(scan(vault, max_bytes=10_000).files, {}),
        root=vault,
        catalog=catalog,
        history=history,
        seen_at=SEEN,
        max_bytes=10_000,
        git={},
    )
    yield cast("Deps", SimpleNamespace(catalog=catalog))
    catalog.close()
    history.close()


def test_notes_of_the_days_are_found_and_those_with_lines_of_them(deps: Deps) -> None:
    found = of_days(MARCH, deps, limit=10)
    assert [hit.note_path for hit in found] == ["Roof.md", "Walk.md"]
    assert [hit.note_path for hit in of_days(MARCH, deps, limit=1)] == ["Roof.md"]


def test_every_line_of_the_days_is_quoted(deps: Deps) -> None:
    (roof,) = (hit for hit in of_days(MARCH, deps, limit=10) if hit.note_path == "Roof.md")
    whole = a_result("Roof.md", created=SEEN, excerpts=roof.excerpts)

    (told,), unshown = select_by_date([whole], MARCH, found=[whole])

    assert unshown == 0
    assert [(one.line_start, one.text) for one in told.excerpts] == [
        (9, "**2024-03-02** tiles ordered"),
        (10, "[x] 2024-03-31: mended"),
    ]


@pytest.mark.parametrize("day", ["20 March 2024", "Mar 20th, 2024", "2024-03-20"])
def test_a_line_that_names_one_of_few_days_tells_of_it(day: str, tmp_path: Path) -> None:
    notes = {"Tiles.md": f"---\ncreated: 2025-01-01\n---\n- Tile 8 broke on {day} in two.\n"}
    first = datetime(2024, 3, 20, tzinfo=UTC)
    asked = replace(MARCH, start_date=first, end_date=first + timedelta(days=1))

    with indexed(notes, tmp_path) as deps:
        (found,) = of_days(asked, deps, limit=10)
        assert of_days(MARCH, deps, limit=10) == []

    whole = a_result("Tiles.md", created=SEEN, excerpts=found.excerpts)
    ((told,), _) = select_by_date([whole], asked, found=[whole])
    assert [one.text for one in told.excerpts] == [f"Tile 8 broke on {day} in two."]


def test_what_stands_under_the_days_in_journals_is_found_and_quoted(journals: Deps) -> None:
    found = {hit.note_path: hit for hit in of_days(MARCH, journals, limit=10)}
    whole = [a_result(path, created=SEEN, excerpts=hit.excerpts) for path, hit in found.items()]

    shown, _ = select_by_date(whole, MARCH, found=whole)
    told = {one.note_path: one.excerpts for one in shown}

    assert {path: [(one.line_start, one.text) for one in said] for path, said in told.items()} == {
        "Log.md": [(8, "Peas sown. Hedge cut."), (9, "Rain")],
        "Nested.md": [(8, "Shipped it.")],
        "2024.md": [(10, "Moved house.")],
        "Turkish.md": [(6, "Kar yağdı.")],
        "2024-03-10.md": [(4, "Called Ana."), (5, "Paid the rent.")],
    }


def test_of_many_notes_less_is_quoted_of_each_and_how_much_is_left_is_told() -> None:
    def of_day(number: int) -> Result:
        text = "## 2024-03-09\n\n" + "\n".join(f"- Thing {n}." for n in range(10))
        day = Excerpt(text=text, line_start=1, line_end=12, heading="2024-03-09")
        return a_result(f"Log {number}.md", created=SEEN, excerpts=(day,))

    silent = a_result("Other.md", created=SEEN)
    notes = [*(of_day(number) for number in range(10)), *[silent] * 10]

    told, unshown = select_by_date(notes, MARCH, found=notes)

    assert [len(one.excerpts) for one in told] == [6] * 10 + [0] * 10
    assert unshown == 40


def test_of_each_part_of_a_day_as_much_is_quoted() -> None:
    parts = tuple(
        Excerpt(
            text="\n".join(f"- {name} {n}" for n in range(30)),
            line_start=first,
            line_end=first + 29,
            heading=name,
            over=("2024-03-09",),
        )
        for name, first in (("Morning", 5), ("Evening", 40))
    )
    log = a_result("Log.md", created=SEEN, excerpts=parts)
    ((told,), unshown) = select_by_date([log], MARCH, found=[log])
    assert [one.heading for one in told.excerpts] == ["Morning"] * 10 + ["Evening"] * 10
    assert unshown == 40


def test_what_the_head_of_a_note_says_of_it_is_not_told_of_its_day() -> None:
    text = "Created:: 2024-03-09\nTags: #garden\nStatus: #open\n\nGale all night.\n"
    note = a_result(
        "2024-03-09.md",
        created=SEEN,
        excerpts=(Excerpt(text=text, line_start=1, line_end=5),),
    )
    ((told,), _) = select_by_date([note], MARCH, found=[note])
    assert [(one.line_start, one.text) for one in told.excerpts] == [(5, "Gale all night.")]


def test_rows_of_a_table_under_a_day_are_quoted_without_their_headings() -> None:
    table = Excerpt(
        text="## 2024-03-09\n\n| bed | seed |\n|---|---|\n| one | peas |\n| two | beans |",
        line_start=5,
        line_end=10,
        heading="2024-03-09",
    )
    whole = a_result("Log.md", created=SEEN, excerpts=(table,))
    (told,), _ = select_by_date([whole], MARCH, found=[whole])
    assert [(one.line_start, one.reads) for one in told.excerpts] == [
        (9, "one · peas"),
        (10, "two · beans"),
    ]


BOOKS = a_plan(
    query="Which books did I read in 2021?",
    intent="temporal",
    concepts=("books",),
    start_date=datetime(2021, 1, 1, tzinfo=UTC),
    end_date=datetime(2022, 1, 1, tzinfo=UTC),
)
READ = {
    "Lists/books.md": "# Reading\n\nOf all my books.\n\n## 2022\n\n- Solaris\n\n"
    "## 2021\n\n- Middlemarch\n- Emma\n",
    "Pubs.md": "# Pubs\n\nBooks to swap there.\n\n## 2021\n\n- The Crown\n",
}


def a_hit(path: str) -> Hit:
    return Hit(
        source="text",
        note_path=path,
        note_title="Reading",
        score=0.5,
        match_type="text",
        excerpts=(Excerpt(text="Of all my books.", line_start=3, line_end=3),),
    )


@pytest.mark.parametrize("heading", ["2021", "June 2021", "2021-06-05", "[1.2.0] - 2021-06-05"])
def test_a_section_of_the_time_in_a_note_on_what_is_asked_is_told_whole(
    tmp_path: Path, heading: str
) -> None:
    notes = {path: text.replace("## 2021", f"## {heading}") for path, text in READ.items()}
    with indexed(notes, tmp_path) as deps:
        hits = with_sections([a_hit(path) for path in READ], BOOKS, deps)

    def told(hit: Hit) -> list[str]:
        whole = a_result(hit.note_path, created=SEEN, excerpts=hit.excerpts)
        focused = replace(whole, excerpts=hit.excerpts[:1])
        ((result,), unshown) = select_by_dated_section([focused], BOOKS, found=[whole])
        assert unshown == 0
        return [one.text for one in result.excerpts]

    assert list(map(told, hits)) == [["Middlemarch", "Emma"], ["Of all my books."]]


@pytest.mark.parametrize(
    "heading",
    [
        "9.4.2024",
        "2024-4-9",
        "20240409",
        "2024_04_09",
        "April 9, 2024",
        "Tuesday, 9th of April 2024",
        "9 Nisan 2024, Salı",
        "[[2024-04-09]]",
        "Standup 2024-04-09",
        "[1.2.0] - 2024-04-09",
        "2024-W15",
        "Week 15, 2024",
    ],
)
def test_a_day_is_found_among_many_however_its_heading_is_written(
    tmp_path: Path, heading: str
) -> None:
    others = "".join(
        f"## {day} April 2024, {hour}:00\n\nRain.\n\n" for day in (7, 11) for hour in range(24)
    )
    notes = {
        "Log.md": f"---\ncreated: 2021-05-03\n---\n## {heading}\n\n### Evening\n\nPainted.\n",
        "Others.md": f"---\ncreated: 2021-05-03\n---\n{others}",
    }
    plan = replace(
        BOOKS,
        concepts=(),
        start_date=datetime(2024, 4, 9, tzinfo=UTC),
        end_date=datetime(2024, 4, 10, tzinfo=UTC),
    )
    with indexed(notes, tmp_path) as deps:
        (log,) = of_days(plan, deps, limit=10)
    whole = a_result(log.note_path, created=SEEN, excerpts=log.excerpts)
    ((told,), _) = select_by_date([whole], plan, found=[whole])
    assert [one.text for one in told.excerpts] == ["Painted."]


def test_of_a_week_with_headings_for_its_days_the_one_asked_for_is_found(tmp_path: Path) -> None:
    body = "## Monday\n\nPlanted.\n\n## Tuesday\n\nSent the tax return.\n"
    plan = replace(
        BOOKS,
        concepts=(),
        start_date=datetime(2024, 4, 9, tzinfo=UTC),
        end_date=datetime(2024, 4, 10, tzinfo=UTC),
    )
    with indexed({"2024-W15.md": f"---\ncreated: 2024-05-01\n---\n{body}"}, tmp_path) as deps:
        (week,) = of_days(plan, deps, limit=10)
    assert [one.heading for one in week.excerpts] == ["Tuesday"]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
def test_a_day_is_that_of_the_calendar_whatever_zone_its_note_was_dated_in(
    tmp_path: Path, zone: str
) -> None:
    notes = {"Log.md": "## 2024-01-10\n\nSnow.\n\n## 2024-01-11\n\nThaw.\n"}
    plan = replace(
        BOOKS,
        concepts=(),
        start_date=datetime(2024, 1, 10, tzinfo=ZoneInfo(zone)),
        end_date=datetime(2024, 1, 11, tzinfo=ZoneInfo(zone)),
    )
    begun = datetime(2023, 6, 1, tzinfo=ZoneInfo(zone)).astimezone(
        timezone(datetime(2023, 6, 1, tzinfo=ZoneInfo(zone)).utcoffset() or timedelta())
    )
    with indexed(notes, tmp_path) as deps:
        (log,) = of_days(plan, deps, limit=10)
    whole = a_result("Log.md", created=begun, excerpts=log.excerpts)
    (shown, _) = select_by_date([whole], plan, found=[whole])
    ((group,),) = [timeline(shown, Period(start=plan.start_date, end=plan.end_date), every=True)]
    assert [one.text for entry in group.entries for one in entry.quoted] == ["Snow."]


def test_sections_of_a_year_and_without_one_are_found(tmp_path: Path) -> None:
    notes = {
        "Talks.md": "---\ncreated: 2021-05-03\n---\n## 2022\n\nSpoke at the harbour.\n",
        "Log.md": "---\ncreated: 2021-05-03\n---\n## June 9th\n\nRead on rafts.\n",
        "Later.md": "---\ncreated: 2021-05-03\n---\n## Plans for 2022\n\nRest.\n",
    }

    def found(start: datetime, end: datetime) -> list[str]:
        plan = replace(BOOKS, concepts=(), start_date=start, end_date=end)
        return [hit.note_path for hit in of_days(plan, deps, limit=10)]

    with indexed(notes, tmp_path) as deps:
        year = found(datetime(2022, 1, 1, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC))
        day = found(datetime(2021, 6, 9, tzinfo=UTC), datetime(2021, 6, 10, tzinfo=UTC))
    assert (year, day) == (["Talks.md"], ["Log.md"])


def test_of_a_note_of_the_days_that_says_nothing_of_single_ones_one_line_is_quoted() -> None:
    lines = tuple(Excerpt(text=text, line_start=3, line_end=3) for text in ("Wet.", "Windy."))
    walk = a_result("Walk.md", created=datetime(2024, 3, 9, tzinfo=UTC), excerpts=lines)
    (told,), _ = select_by_date([walk], MARCH, found=[walk])
    assert told.excerpts == lines[:1]


def test_a_time_that_no_note_tells_of_has_no_results() -> None:
    before = a_result("Before.md", created=datetime(2024, 2, 28, tzinfo=UTC))
    within = a_result("Within.md", created=datetime(2024, 3, 9, tzinfo=UTC))
    assert of_time_alone([before], MARCH) == ()
    assert of_time_alone([before, within], MARCH) == (before, within)


def test_a_note_that_was_written_then_is_kept_whatever_days_its_line_tells_of() -> None:
    line = Excerpt(text="In June 2019 I moved to Porto.", line_start=3, line_end=3)
    moved = a_result("Moved.md", created=datetime(2024, 3, 9, tzinfo=UTC), excerpts=(line,))
    assert of_time_alone([moved], MARCH) == (moved,)


def test_a_note_of_another_time_that_tells_of_the_days_is_kept() -> None:
    line = Excerpt(text="We built the dam in March 2024.", line_start=3, line_end=3)
    later = a_result("Later.md", created=datetime(2024, 8, 1, tzinfo=UTC), excerpts=(line,))
    assert of_time_alone([later], MARCH) == (later,)


def test_what_held_at_the_end_of_the_days_may_be_older_than_they_are() -> None:
    before = a_result("Before.md", created=datetime(2024, 2, 28, tzinfo=UTC))
    assert of_time_alone([before], replace(MARCH, as_of=MARCH.end_date)) == (before,)


def test_what_is_asked_of_a_time_besides_is_looked_for_outside_of_it_too() -> None:
    before = a_result("Before.md", created=datetime(2024, 2, 28, tzinfo=UTC))
    asked = replace(
        MARCH, reading=a_reading("How much did I weigh in March 2024?", now=MARCH.start_date)
    )
    assert of_time_alone([before], asked) == (before,)


def test_of_a_year_ahead_only_what_names_it_is_kept() -> None:
    plan = a_plan(query="What happened in 2030?", intent="temporal", concepts=("2030",))
    line = Excerpt(text="In 2030 the lease ends.", line_start=3, line_end=3)
    call = Excerpt(text="Call 0412030555.", line_start=3, line_end=3)
    lease, other = a_result("Lease.md", excerpts=(line,)), a_result("Other.md", excerpts=(call,))
    assert of_time_alone([other, lease], plan) == (lease,)
