"""What the milliseconds of a run mean."""

import pytest

from graphs.core.timings import bottleneck, complete, in_order, in_words, spent

QUESTION = {
    "guard": 100.0,
    "guard.wake": 90.0,
    "guard.catch_up": 60.0,
    "interpret": 20.0,
    "semantic": 30.0,
    "text": 10.0,
    "graph": 70.0,
    "judge": 40.0,
}

SEARCHES = ("semantic", "text", "graph")


def test_searches_run_side_by_side_and_parts_within_their_phase() -> None:
    assert in_order(QUESTION, beside=SEARCHES) == {
        "guard": 100,
        "interpret": 20,
        "judge": 40,
        "search": 70,
    }
    assert spent(QUESTION, beside=SEARCHES) == 230


def test_what_no_phase_accounts_for_is_told_so_that_the_sum_is_the_total() -> None:
    whole = complete(QUESTION, total=250.0, beside=SEARCHES)
    assert (whole["other"], whole["total"]) == (20.0, 250.0)
    assert spent(whole, beside=SEARCHES) == 250.0
    assert complete(whole, total=260.0, beside=SEARCHES)["other"] == 30.0


def test_in_an_indexing_run_nothing_runs_side_by_side() -> None:
    run = {"scan": 10.0, "text": 20.0, "graph": 30.0, "vectors": 40.0}
    assert spent(run, beside=()) == 100.0
    assert complete(run, total=110.0, beside=())["other"] == 10.0


@pytest.mark.parametrize(
    ("timings", "expected"),
    [
        ({}, ""),
        (QUESTION, "guard.wake"),
        ({**QUESTION, "guard.start_semantic": 55.0}, "guard.start_semantic"),
        ({**QUESTION, "guard.start_semantic": 5.0}, "guard.wake"),
        ({**QUESTION, "guard.wake": 1.0}, "guard.catch_up"),
        ({**QUESTION, "guard.wake": 1.0, "guard.catch_up": 2.0}, "guard"),
        ({**QUESTION, "semantic": 900.0}, "semantic"),
        ({**QUESTION, "text": 900.0, "text.start_graph": 800.0}, "text.start_graph"),
        ({**QUESTION, "judge": 900.0, "judge.model": 880.0}, "judge.model"),
        ({**QUESTION, "other": 900.0, "total": 1200.0}, "other"),
    ],
)  # fmt: skip
def test_the_bottleneck_is_the_longest_phase_or_the_part_that_is_to_blame(
    timings: dict[str, float], expected: str
) -> None:
    assert bottleneck(timings, beside=SEARCHES) == expected


def test_a_person_is_told_of_a_phase_in_words() -> None:
    assert in_words("semantic.start_semantic") == "waiting for the semantic server to start"
    assert in_words("guard.catch_up") == "reading changed notes"
    assert in_words("judge.model") == "the language model (judge)"
    assert in_words("merge") == "merge"
