"""The questions to the demo vault: what is said to answer them stands in its notes."""

from pathlib import Path

import pytest

from evals.datasets.files import FOUND, SEARCHES, VAULT
from evals.datasets.judgements import read_judgements, read_queries
from evals.retrieval.search import block_ids, read_pages
from tools.settings.loading import load_settings

ROWS = [line.split("\t") for line in FOUND.read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize(("place", "words"), [(row[1], row[3]) for row in ROWS])
def test_the_words_that_answer_stand_in_the_note(place: str, words: str) -> None:
    path, _, block = place.partition("#^")
    lines = Path(VAULT / path).read_text("utf-8").splitlines()
    held = [line for line in lines if words in line]
    assert held
    assert not block or any(line.endswith(f"^{block}") for line in held)


def test_every_question_that_is_answered_has_a_judgement_and_no_other_has() -> None:
    queries = read_queries(SEARCHES)
    pages = read_pages(load_settings(vault=VAULT))
    keys = {query.key for query in queries}
    judgements = read_judgements(FOUND, queries=keys, blocks=block_ids(pages))
    assert judgements.remarks == []
    assert set(judgements.notes) == {query.key for query in queries if query.answerable}
