"""The written questions that the reader learns from and is measured on."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from evals.datasets.intents import Case
from evals.datasets.records import read_lines
from evals.learning.question_batches import batches, encoded, one_epoch, read_examples, with_noise
from tools.base.domain import INTENTS

DATA = Path(__file__).parents[3] / "evals" / "data" / "intents"


def questions(part: str) -> list[Case]:
    return [
        case for file in sorted((DATA / part).glob("*.jsonl")) for case in read_lines(file, Case)
    ]


def test_no_question_is_written_twice_or_both_learned_and_measured() -> None:
    written = Counter(case.query.casefold() for case in (*questions("train"), *questions("test")))
    assert [query for query, times in written.items() if times > 1] == []


@pytest.mark.parametrize(
    ("part", "language", "fewest"),
    [("train", "en", 1500), ("train", "tr", 300), ("test", "en", 500), ("test", "tr", 120)],
)
def test_there_are_enough_of_every_intent(part: str, language: str, fewest: int) -> None:
    written = [case for case in questions(part) if case.language == language]
    assert len(written) >= fewest
    counts = Counter(case.intent for case in written if not case.also)
    assert set(counts) == set(INTENTS)
    assert min(counts.values()) > len(written) / 12
    assert any(case.also for case in written)


def test_other_readings_are_readings_and_not_the_first() -> None:
    for case in (*questions("train"), *questions("test")):
        assert set(case.also) <= set(INTENTS) - {case.intent}, case.query


def test_an_epoch_shows_every_question_once_and_its_targets_are_shares() -> None:
    examples = list(read_examples(DATA / "train" / "en_doubt.jsonl"))
    queries = [example.query for example in examples]
    rng = random.Random(1)  # noqa: S311
    reads = one_epoch(encoded(queries), encoded(with_noise(queries, rng)), rng)
    rows: list[int] = []
    for batch in batches(examples, reads, rng=rng):
        assert np.allclose(batch["target"].sum(1), 1)
        assert (batch["mask"].sum(1) >= 1).all()
        assert (batch["sees_vector"] + batch["sees_wording"] >= 1).all()
        rows += [row for row in batch["row"].tolist() if row >= 0]
    assert sorted(rows) == list(range(len(examples)))
