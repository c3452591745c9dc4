"""Days are those of the machine's zone, whatever its offset is today."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tools.temporal.clock import local_now
from tools.temporal.periods.moments import read_moment, read_start


@pytest.fixture
def zone() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    ("day", "begins", "hours"),
    [
        ("2024-07-15", datetime(2024, 7, 14, 22, tzinfo=UTC), 24),
        ("2024-01-15", datetime(2024, 1, 14, 23, tzinfo=UTC), 24),
        ("2024-03-31", datetime(2024, 3, 30, 23, tzinfo=UTC), 23),
        ("2024-10-27", datetime(2024, 10, 26, 22, tzinfo=UTC), 25),
    ],
)
def test_a_day_begins_and_ends_at_its_own_midnights(day: str, begins: datetime, hours: int) -> None:
    now = local_now()
    start = read_start(day, now=now)
    end = read_moment(day, now=now)
    assert start is not None
    assert start.astimezone(UTC) == begins
    lasted = end.astimezone(UTC) - start.astimezone(UTC)
    assert round(lasted.total_seconds() / 3600, 6) == hours


@pytest.mark.usefixtures("zone")
def test_words_and_clock_times_have_the_offset_of_their_own_day() -> None:
    now = local_now()
    assert read_moment("2024-07-15T12:00", now=now).astimezone(UTC).hour == 10
    assert read_moment("2024-01-15T12:00", now=now).astimezone(UTC).hour == 11
    summer, winter = (read_start(f"{month} 2024", now=now) for month in ("July", "January"))
    assert summer is not None
    assert winter is not None
    assert (summer.astimezone(UTC).hour, winter.astimezone(UTC).hour) == (22, 23)


def test_a_zone_nobody_knows_is_the_one_the_machine_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Nowhere/Atlantis")
    assert local_now().tzinfo is not None
