"""Merging and judging what no tidy vault holds: huge, equal, foreign, odd."""

import math
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.entailment.contradiction import predict_pair
from agents.judge.candidate_pairs import candidate_pairs
from agents.judge.judge import Judgement, judge
from graphs.query.judge import MOST_CLAIMS, claims_of
from tests.support.values.results import a_notes_read, a_plan, a_result
from tools.base.domain import Claim, Event, Excerpt, Hit, NoteMetadata, Result
from tools.claims.assertions import extract_claims
from tools.ranking import fusion


def quoting(path: str, *texts: str, **changes: Any) -> Result:
    excerpts = tuple(
        Excerpt(text=text, line_start=1 + 20 * at, line_end=20 + 20 * at)
        for at, text in enumerate(texts)
    )
    return a_result(path, excerpts=excerpts, **changes)


def claims(*results: Result) -> list[Claim]:
    """What a question that all of it answers would compare."""
    return claims_of(a_notes_read(results), ())


async def judged(*results: Result) -> Judgement:
    return await judge(claims(*results), relate=None, model=None, mode="local")


def claim(text: str, path: str) -> Claim:
    return Claim(note_path=path, note_title=path, text=text, line=1)


# --- size ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern", ["basil improves soup ", "a. ", "((Aa ", "Aa and Bb ", "“x” ", "1 2 3 ", "not no "]
)
def test_a_claim_twice_as_long_takes_about_twice_as_long(pattern: str) -> None:
    def seconds(length: int) -> float:
        text = (pattern * length)[:length]
        best = math.inf
        for turn in range(3):
            started = time.process_time()
            predict_pair(f"{text}{turn}", f"{text} not {turn}")
            best = min(best, time.process_time() - started)
        return best

    # Quadratic would be sixteenfold; the rest leaves room for a busy machine.
    assert seconds(20_000) < 12 * seconds(5_000) + 0.05


async def test_a_claim_of_5000_characters_is_judged() -> None:
    long = "Basil improves soup " + "very " * 1000 + "much."
    found = await judge(
        [claim(long, "a.md"), claim("Basil does not improve soup.", "b.md")],
        relate=None,
        model=None,
        mode="local",
    )
    assert found.decided_by == "local"


async def test_of_a_thousand_results_every_note_has_its_say_until_it_is_enough() -> None:
    text = "Basil improves soup{0}. Mint grows in shade{0}. Sage tastes of smoke{0}."
    results = [
        quoting(f"{at}.md", text.format(" here" * (at % 2)), f"Tray {at} holds {at} cells.")
        for at in range(1000)
    ]
    found = claims(*results)
    assert len(found) == MOST_CLAIMS
    assert len({one.note_path for one in found}) == MOST_CLAIMS
    assert (await judged(*results)).contradictions == ()


def test_a_long_note_leaves_room_for_the_others() -> None:
    long = " ".join(f"Tray {at} holds basil of {at} weeks." for at in range(MOST_CLAIMS))
    read = a_notes_read([quoting("a.md", long), quoting("b.md", "Basil fills every tray.")])
    last_is_b = sorted(read.evidence.spans, key=lambda one: one.candidate.note.path)
    evidence = replace(read.evidence, spans=last_is_b)
    assert {one.note_path for one in claims_of(replace(read, evidence=evidence), ())} == {
        "a.md",
        "b.md",
    }


def test_of_very_long_claims_as_many_are_compared_as_can_be_read() -> None:
    said = [claim(f"Basil {at} " + "grows " * 150, f"{at}.md") for at in range(4)]
    assert candidate_pairs([*said, claim("Basil wilts.", "z.md")]) == [(0, 1), (0, 4)]


# --- notes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dated", ["Hakemde. (Mart 2025)", "In review. (March 2025)", "(2025)", ""])
def test_a_date_alone_claims_nothing(dated: str) -> None:
    assert not predict_pair(dated, "It is out. (May 2024)").contradiction
    assert not predict_pair("Mayıs 2024", dated).contradiction


@pytest.mark.parametrize("cited", ["(Smith, 2019, p. 3)", "[@smith2019; @jones2020; @lee2021]"])
async def test_a_line_that_only_cites_claims_nothing(cited: str) -> None:
    found = await judged(quoting("a.md", f"- {cited}"), quoting("b.md", "Smith improves soup."))
    assert found.contradictions == ()


async def test_two_notes_that_say_the_same_do_not_clash() -> None:
    text = "Basil improves soup. The tank currently holds 60 litres. It was built in 1902."
    assert await judged(quoting("a.md", text), quoting("b.md", text)) == Judgement(
        contradictions=(), decided_by="local"
    )


@pytest.mark.parametrize(
    ("english", "turkish"),
    [
        ("Coffee impairs sleep.", "Kahve uykuyu bozmaz."),
        ("The tank holds 60 litres.", "Depo 90 litre alıyor."),
        ("Basil survives frost.", "Fesleğen dona dayanmaz."),
    ],
)
async def test_what_two_languages_say_is_not_compared_by_words(english: str, turkish: str) -> None:
    found = await judged(quoting("a.md", english), quoting("b.md", turkish))
    assert found == Judgement(contradictions=(), decided_by="local")


async def test_in_each_of_two_languages_clashes_are_found() -> None:
    found = await judged(
        quoting("a.md", "Coffee impairs sleep. Akşam içilen kahve uykuyu bozar."),
        quoting("b.md", "Coffee does not impair sleep. Akşam içilen kahve uykuyu bozmaz."),
    )
    assert len(found.contradictions) == 2


@pytest.mark.parametrize(
    "text",
    [
        "```\nBasil does not improve soup.\n```",
        "~~~python\nBasil does not improve soup.\n~~~",
        "    Basil does not improve soup.",
        "$$\nBasil does not improve soup.\n$$",
    ],
)
async def test_code_claims_nothing(text: str) -> None:
    found = await judged(quoting("a.md", "Basil improves soup."), quoting("b.md", text))
    assert found.contradictions == ()


def test_a_row_is_read_under_its_columns() -> None:
    table = "| herb | EC |\n|---|---|\n| basil | 1.2 mS/cm |\n| mint | 2.4 mS/cm |"
    assert [(one.text, one.line) for one in claims(quoting("a.md", table))] == [
        ("herb: basil · EC: 1.2 mS/cm", 3),
        ("herb: mint · EC: 2.4 mS/cm", 4),
    ]


async def test_a_superseded_note_and_its_successor_tell_a_change() -> None:
    since = datetime(2025, 2, 1, tzinfo=UTC)
    gone = Event(timestamp=since, kind="superseded", detail="b", successor="b.md")
    found = await judged(
        quoting("a.md", "Basil improves soup.", events=(gone,)),
        quoting("b.md", "Basil does not improve soup."),
    )
    assert found.contradictions == ()
    assert [(one.after.path, one.changed_on) for one in found.changes] == [("b.md", since)]


@pytest.mark.parametrize("successor", ["c.md", "B.md", "folder/b.md", ""])
async def test_a_successor_that_is_not_among_the_found_makes_no_change_of_another_note(
    successor: str,
) -> None:
    since = datetime(2025, 2, 1, tzinfo=UTC)
    gone = Event(timestamp=since, kind="superseded", detail="b", successor=successor)
    found = await judged(
        quoting("a.md", "Basil improves soup.", events=(gone,)),
        quoting("b.md", "Basil does not improve soup."),
    )
    assert found.changes == ()
    (one,) = found.contradictions
    assert {one.note_a.path, one.note_b.path} == {"a.md", "b.md"}
    assert one.newer == "unknown"


# --- numbers and dates ---------------------------------------------------------------------


@pytest.mark.parametrize("score", [math.nan, math.inf, -1.0, 0.0])
async def test_odd_scores_and_missing_dates_are_merged_and_judged(score: float) -> None:
    hits = [
        Hit(
            source="text",
            note_path=path,
            note_title=path,
            score=score,
            match_type="text",
            excerpts=(Excerpt(text=text, line_start=1, line_end=1),),
        )
        for path, text in (
            ("a.md", "The tank currently holds 60 litres."),
            ("b.md", "The tank holds 90 litres."),
        )
    ]
    unknown = NoteMetadata(created_date=None, modified_date=None, building_block=None)
    metadata = {hit.note_path: unknown for hit in hits}
    plan = a_plan(route=("text",))
    merged = fusion.merge(hits, metadata, plan=plan, limit=50)
    assert {result.note_path for result in merged} <= set(metadata)
    found = await judged(*merged)
    assert found.changes == ()  # nobody knows which is the newer
    assert {one.newer for one in found.contradictions} <= {"unknown"}
    assert len(found.contradictions) == (len(merged) == 2)


@given(st.lists(st.text(max_size=120), max_size=6))
async def test_any_excerpts_are_judged(texts: list[str]) -> None:
    results = [quoting(f"{at}.md", text) for at, text in enumerate(texts)]
    found = await judged(*results)
    for one in found.contradictions:
        assert one.note_a.path != one.note_b.path
    assert await judged(*(replace(result, note_path="one.md") for result in results)) == Judgement(
        contradictions=(), decided_by="local"
    )


def test_a_claim_s_words_stand_in_its_excerpt() -> None:
    text = "**Smith (2019)** argues that [[basil]] improves soup [@smith2019]."
    (found,) = extract_claims(text, line_start=1, note_path="a.md", note_title="a")
    assert found.text == text
