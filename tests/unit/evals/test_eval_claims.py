"""Pairs of claims judged in bulk: what is written of each, and the figures of all."""

import asyncio
import json

from evals.claims.pairs import ClaimPair, PairOutcome, by_source, run_pairs, summarise
from evals.metrics.classification import Share
from tools.base.domain import Mode

PAIRS = (
    ("Basil needs sun.", "Basil needs no sun.", "contradiction", "garden"),
    ("The key is in the attic.", "The key is in the cellar.", "contradiction", "house"),
    ("Basil needs sun.", "Mint needs no sun.", "neutral", "garden"),
    ("Basil needs sun.", "Basil does need sun.", "entailment", "garden"),
    ("Tea is hot.", "The moon is far away.", None, None),
)


def run(*, mode: Mode = "local") -> list[PairOutcome]:
    pairs = [
        ClaimPair.model_validate(dict(zip(("a", "b", "label", "source"), row, strict=True)))
        for row in PAIRS
    ]
    heard: list[PairOutcome] = []
    outcomes = asyncio.run(run_pairs(pairs, model=None, mode=mode, on_outcome=heard.append))
    assert heard == outcomes
    return outcomes


def test_each_pair_has_a_line_in_its_order() -> None:
    lines = [json.loads(outcome.line()) for outcome in run()]

    assert [(line["a"], line["b"]) for line in lines] == [row[:2] for row in PAIRS]
    assert [line["predicted"] for line in lines] == ["contradiction"] * 2 + ["none"] * 3
    assert lines[0] == {
        "a": "Basil needs sun.",
        "b": "Basil needs no sun.",
        "predicted": "contradiction",
        "confidence": lines[0]["confidence"],
        "type": "negation",
        "explanation": lines[0]["explanation"],
        "decided_by": "local",
    }
    assert "“no sun”" in lines[0]["explanation"]
    assert (lines[4]["type"], lines[4]["explanation"]) == (None, "")


def test_where_a_model_is_to_judge_and_none_answers_words_do() -> None:
    assert {outcome.decided_by for outcome in run(mode="llm")} == {"fallback"}
    assert [outcome.contradiction for outcome in run(mode="llm")] == [True, True, *[False] * 3]


def test_the_figures_of_each_source_stand_alone() -> None:
    groups = by_source(run())
    assert list(groups) == ["garden", "house"]

    garden, house = (summarise(group) for group in groups.values())
    assert garden.found is not None
    assert (garden.found.precision, garden.found.recall, garden.found.support) == (1, 1, 1)
    assert garden.alarms == Share(hits=0, count=2)
    assert house.alarms is None
    assert summarise(run()[4:]).found is None
