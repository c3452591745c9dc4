"""Claims that clash but speak of different times are changes, dated and in order."""

from datetime import UTC, datetime
from typing import Any

import pytest

from agents.judge.judge import Judgement, judge
from tools.base.domain import Change, Claim


def claim(text: str, path: str, on: str | None = None, **more: Any) -> Claim:
    return Claim(
        note_path=path,
        note_title=path.removesuffix(".md"),
        text=text,
        line=1,
        timestamp=_day(on) if on else None,
        **more,
    )


def _day(iso: str) -> datetime:
    return datetime.fromisoformat(iso).replace(tzinfo=UTC)


async def judged(*claims: Claim) -> Judgement:
    return await judge(claims, relate=None, model=None, mode="local")


async def changed(*claims: Claim) -> Change:
    found = await judged(*claims)
    assert found.contradictions == ()
    (one,) = found.changes
    return one


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The tank currently holds 60 litres.", "The tank holds 90 litres."),
        ("The tank holds 60 litres.", "The tank now holds 90 litres."),
        ("The library lends out laptops.", "The library no longer lends out laptops."),
        ("The server runs in Frankfurt.", "Since 2023 the server runs in Dublin."),
        ("Depo şu anda 60 litre alıyor.", "Depo 90 litre alıyor."),
        ("Kütüphane pazar günleri açık.", "Kütüphane artık pazar günleri açık değil."),
    ],
)
async def test_a_state_of_a_moment_in_notes_of_different_days_changed(old: str, new: str) -> None:
    for claims in (
        (claim(old, "a.md", "2022-03-01"), claim(new, "b.md", "2024-05-09")),
        (claim(new, "b.md", "2024-05-09"), claim(old, "a.md", "2022-03-01")),
    ):
        found = await changed(*claims)
        assert (found.before.claim, found.after.claim) == (old, new)
        assert found.changed_on is not None
        assert found.confidence > 0.7


async def test_a_change_in_notes_is_dated_by_the_newer_note() -> None:
    found = await changed(
        claim("The tank currently holds 60 litres.", "a.md", "2022-03-01"),
        claim("The tank holds 90 litres.", "b.md", "2024-05-09"),
    )
    assert found.changed_on == _day("2024-05-09")
    assert found.known_from == "notes"


async def test_dates_in_the_claims_order_them_whatever_the_notes_say() -> None:
    found = await changed(
        claim("Rent was 1150 euros in 2023.", "a.md", "2020-01-01"),
        claim("Rent was 900 euros in 2018.", "b.md", "2024-01-01"),
    )
    assert (found.before.speaks_of, found.after.speaks_of) == ("2018", "2023")
    assert (found.changed_on, found.known_from) == (_day("2023-01-01"), "claims")


async def test_what_used_to_be_comes_before_what_is_also_without_dates() -> None:
    found = await changed(
        claim("The office is in Paris.", "a.md"),
        claim("The office used to be in Berlin.", "b.md"),
    )
    assert (found.before.path, found.after.path) == ("b.md", "a.md")
    assert found.changed_on is None


async def test_what_a_successor_says_otherwise_changed_when_it_took_the_place() -> None:
    since = _day("2025-02-01")
    found = await changed(
        claim("Basil needs an EC of 1.2 mS/cm.", "a.md", ended=since, ended_by="b.md"),
        claim("Basil needs an EC of 2.4 mS/cm.", "b.md"),
    )
    assert (found.before.path, found.after.path) == ("a.md", "b.md")
    assert (found.changed_on, found.known_from) == (since, "succession")


async def test_versions_of_one_note_change_and_never_contradict() -> None:
    first, second = _day("2022-03-01"), _day("2023-03-01")
    texts = [("1.2", first), ("2.4", second), ("3.6", None)]
    claims = [
        claim(f"Basil needs an EC of {ec} mS/cm.", "a.md", version=version) for ec, version in texts
    ]
    found = await judged(*claims)
    assert found.contradictions == ()
    assert {one.known_from for one in found.changes} == {"versions"}
    one = await changed(*claims[:2])
    assert (one.before.version, one.after.version, one.changed_on) == (first, second, second)


@pytest.mark.parametrize(
    ("one", "other", "days"),
    [
        ("Basil needs sun.", "Basil does not need sun.", ("2022-03-01", "2024-05-09")),
        ("Basil now needs sun.", "Basil does not need sun.", ("2024-05-09", "2024-05-09")),
        ("Basil now needs sun.", "Basil does not need sun.", (None, None)),
        (
            "Our mill was built in 1875.",
            "Our mill was built in 1902.",
            ("2022-03-01", "2024-05-09"),
        ),
    ],
    ids=["no word of time", "one day", "no dates", "happens once"],
)
async def test_without_a_known_order_of_states_it_is_a_contradiction(
    one: str, other: str, days: tuple[str | None, str | None]
) -> None:
    found = await judged(claim(one, "a.md", days[0]), claim(other, "b.md", days[1]))
    assert found.changes == ()
    assert len(found.contradictions) == 1


async def test_what_now_holds_in_a_dated_note_came_after_what_has_no_date() -> None:
    found = await judged(
        claim("Basil does not need sun.", "a.md", None),
        claim("Basil now needs sun.", "b.md", "2024-05-09"),
    )
    assert found.contradictions == ()
    (change,) = found.changes
    assert (change.before.path, change.after.path) == ("a.md", "b.md")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The shop is open until 8 pm.", "The shop is not open."),
        ("Flour is used to bake bread.", "Flour is not baked."),
        ("In winter the tank holds 60 litres.", "In summer the tank holds 90 litres."),
        ("Water the basil once a week.", "The basil gets water twice a week."),
        ("As of 2024-13-45 the tank holds 60 litres.", "The tank holds 60 litres."),
    ],
)
async def test_what_only_looks_dated_is_neither(one: str, other: str) -> None:
    found = await judged(claim(one, "a.md", "2022-03-01"), claim(other, "b.md", "2024-05-09"))
    assert found.changes == ()
