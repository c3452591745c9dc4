import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base.domain import Json
from tools.vault.git.log import GitDates
from tools.vault.notes.dating import name_date, note_dates, read_date

MTIME = datetime(2024, 6, 1, 12, tzinfo=UTC)
GIT = GitDates(first=datetime(2020, 1, 1, tzinfo=UTC), last=datetime(2021, 1, 1, tzinfo=UTC))


def local(*parts: int) -> datetime:
    return datetime(*parts).astimezone()  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-20", local(2024, 5, 20)),
        ("2024-05-20T14:30", local(2024, 5, 20, 14, 30)),
        ("2024-05-20 14:30", local(2024, 5, 20, 14, 30)),
        ("2024-05-20T14:30:05Z", datetime(2024, 5, 20, 14, 30, 5, tzinfo=UTC)),
        ("2024-05-20T14:30:00-08:00", datetime(2024, 5, 20, 22, 30, tzinfo=UTC)),
        ("2024/05/20", local(2024, 5, 20)),
        ("2024.5.2", local(2024, 5, 2)),
        ("2024-5-2, 2:05 pm", local(2024, 5, 2, 14, 5)),
        ("2024-05-20 12:00 AM", local(2024, 5, 20)),
        ("20.05.2024", local(2024, 5, 20)),
        ("20 May 2024", local(2024, 5, 20)),
        ("20th of May 2024", local(2024, 5, 20)),
        ("Monday, 20 May 2024 at 9:15", local(2024, 5, 20, 9, 15)),
        ("May 20, 2024", local(2024, 5, 20)),
        ("Sept. 3rd 2024", local(2024, 9, 3)),
        ("20 Mayıs 2024", local(2024, 5, 20)),
        ("3 Şubat 2023", local(2023, 2, 3)),
        ("15 AĞUSTOS 2021", local(2021, 8, 15)),
        ("[[2024-05-20]]", local(2024, 5, 20)),
        ([["2024-05-20"]], local(2024, 5, 20)),
        ("20240520", local(2024, 5, 20)),
        (20240520, local(2024, 5, 20)),
        ("2024-05", local(2024, 5, 1)),
        (2024, local(2024, 1, 1)),
        (1716215400, datetime(2024, 5, 20, 14, 30, tzinfo=UTC)),
        ("1716215400", datetime(2024, 5, 20, 14, 30, tzinfo=UTC)),
        (1716215400000, datetime(2024, 5, 20, 14, 30, tzinfo=UTC)),
    ],
)
def test_written_dates_are_read(value: Json, expected: datetime) -> None:
    found = read_date(value)
    assert found == expected
    assert found is not None
    assert found.tzinfo is not None


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, "", "soon", "{{date}}", "2024-02-30", "20 Foo 2024", "0001-01-01", 3, 12.5),
        *("9999-12-31", "14:30", {"a": "2024-05-20"}, ["2024-05-20", "2024-05-21"], -5, 1e300),
        *("3 apples in 2024 and more", "Marchh 3, 2024", "05/06/2024", "9" * 60),
    ],
)
def test_what_is_no_date_is_not_made_one(value: Json) -> None:
    assert read_date(value) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("daily/2024-05-20.md", local(2024, 5, 20)),
        ("2024-05-20 Meeting with Ayşe.md", local(2024, 5, 20)),
        ("Meeting 2024_05_20.md", local(2024, 5, 20)),
        ("20240520.md", local(2024, 5, 20)),
        ("202405201430 idea.md", local(2024, 5, 20, 14, 30)),
        ("2024-05.md", local(2024, 5, 1)),
        ("2024-05 Review.md", local(2024, 5, 1)),
        ("2024-05-20/note.md", None),
        ("Top 10 of 2024.md", None),
        ("2024-13-01.md", None),
        ("2024-02-30.md", None),
        ("1234-05-06.md", None),
        ("isbn 9720240520123.md", None),
        ("v2024-05-2.md", None),
    ],
)
def test_dates_in_file_names(path: str, expected: datetime | None) -> None:
    assert name_date(path) == expected


def test_created_is_looked_for_in_order() -> None:
    def origin(
        properties: dict[str, Json], path: str, git: GitDates | None
    ) -> tuple[str, datetime]:
        dates = note_dates(properties, path, mtime=MTIME, git=git)
        return dates.origin, dates.created

    said: dict[str, Json] = {"Date": "2019-01-01", "Creation-Date": "2018-01-01"}
    assert origin(said, "2017-01-01.md", GIT) == ("frontmatter", local(2018, 1, 1))
    assert origin({}, "2017-01-01.md", GIT) == ("filename", local(2017, 1, 1))
    assert origin({}, "a.md", GIT) == ("git", GIT.first)
    assert origin({}, "a.md", None) == ("mtime", MTIME)


@pytest.mark.parametrize("key", ["tarih", "TARİH", "Oluşturulma tarihi", "oluşturma_tarihi"])
def test_turkish_properties_date_a_note(key: str) -> None:
    dates = note_dates(
        {key: "3 Mart 2025", "son güncelleme": "2025-04-01"}, "a.md", mtime=MTIME, git=None
    )
    assert (dates.created, dates.origin) == (local(2025, 3, 3), "frontmatter")
    assert dates.modified == local(2025, 4, 1)


def test_modified_is_looked_for_in_order_and_never_before_created() -> None:
    def modified(properties: dict[str, Json], git: GitDates | None) -> datetime:
        return note_dates(properties, "a.md", mtime=MTIME, git=git).modified

    assert modified({"last_modified": "2023-03-03", "created": "2023-01-01"}, GIT) == local(
        2023, 3, 3
    )
    assert modified({}, GIT) == GIT.last
    assert modified({"created": "2019-01-01"}, None) == MTIME
    assert modified({"created": "2025-01-01", "updated": "2024-01-01"}, GIT) == local(2025, 1, 1)


def test_only_an_unreadable_date_warns() -> None:
    assert note_dates({"date": "2024-05-20"}, "a.md", mtime=MTIME, git=None).warning is None
    assert note_dates({}, "a.md", mtime=MTIME, git=GIT).warning is None
    assert note_dates({}, "a.md", mtime=MTIME, git=None).warning is None
    unread = note_dates({"date": "soon"}, "2024-05-20.md", mtime=MTIME, git=None)
    assert unread.origin == "filename"
    assert unread.warning is not None
    assert "'date'" in unread.warning
    assert "soon" not in unread.warning


def test_a_date_without_a_zone_is_local(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        found = [read_date("2024-05-20 09:00"), read_date("20 Mayıs 2024 09:00")]
    time.tzset()
    assert found == [datetime(2024, 5, 20, tzinfo=UTC)] * 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=4,
)


@given(json_values, json_values, st.text())
def test_dates_are_zoned_and_ordered_whatever_the_note_says(
    created: Json, modified: Json, path: str
) -> None:
    said: dict[str, Json] = {"created": created, "modified": modified}
    dates = note_dates(said, path, mtime=MTIME, git=None)
    assert dates.created.tzinfo is not None
    assert dates.created <= dates.modified
    told_by_file = dates.created in (MTIME, dates.stated_modified)
    assert told_by_file if dates.origin == "mtime" else dates.stated_created


@given(
    st.datetimes(
        min_value=datetime(1901, 1, 1),  # noqa: DTZ001
        max_value=datetime(2099, 1, 1),  # noqa: DTZ001
        timezones=st.just(UTC),
    )
)
def test_iso_dates_come_back_exactly(moment: datetime) -> None:
    assert read_date(moment.isoformat()) == moment
    day = read_date(f"{moment:%Y-%m-%d}")
    assert day is not None
    assert abs(day - moment) < timedelta(days=2)
    assert name_date(f"x/{moment:%Y-%m-%d} note.md") == day == read_date(f"{moment:%d.%m.%Y}")


@pytest.mark.parametrize("git", [None, GIT])
def test_a_stated_date_is_what_is_stated_whatever_else_is_known(git: GitDates | None) -> None:
    """An older date of change than any other stays what the note says."""
    dates = note_dates({"updated": "2019-03-04"}, "a.md", mtime=MTIME, git=git)

    assert dates.created == local(2019, 3, 4)
    assert (dates.stated_created, dates.stated_modified) == (None, local(2019, 3, 4))
