"""The reader of evidence: which text it takes for the answer, and that any text has a score."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.base.domain import Marked
from tools.semantic.evidence_reader import EvidenceReader


@pytest.fixture(scope="module")
def reader() -> EvidenceReader:
    return EvidenceReader()


def scores(reader: EvidenceReader, question: str, texts: Sequence[str]) -> list[float]:
    """Of texts that stand alone."""
    found = reader.scores([Marked(question, text, [(0, len(text))]) for text in texts], "alone")
    return [own[0] or 0.0 for own in found]


@pytest.mark.parametrize(
    ("question", "answer", "others"),
    [
        (
            "who paints the boat",
            "Boat > Jobs: Marta does the hull with red antifoul.",
            ("Boat > Jobs: The engine is serviced in May.", "Boat: See [[Harbour]]."),
        ),
        (
            "When did the roof leak?",
            "House > Roof: In March 2021 water came through above the stairs.",
            ("House > Roof: The roof is slate.", "House: Roofs leak when gutters are blocked."),
        ),
        (
            "what is a gnomon",
            "Sundials: The gnomon is the part that casts the shadow.",
            ("Sundials: We bought a gnomon in Lyon.", "Sundials: Which gnomon should we order?"),
        ),
        (
            "how much is the rent",
            "Flat: The landlord gets 900 euros on the first of each month.",
            ("Flat: The landlord lives downstairs.", "Flat: It has 3 rooms on 2 floors."),
        ),
    ],
)
def test_what_answers_scores_above_what_only_looks_alike(
    reader: EvidenceReader, question: str, answer: str, others: tuple[str, ...]
) -> None:
    first, *rest = scores(reader, question, [answer, *others])
    assert first > max(rest)


def test_scores_come_in_the_order_of_the_texts(reader: EvidenceReader) -> None:
    texts = ["Rain.", "The key hangs behind the red door of the shed. " * 9, "The key is lost."]
    found = scores(reader, "Where is the key?", texts)
    turned = scores(reader, "Where is the key?", texts[::-1])
    assert turned[::-1] == pytest.approx(found, abs=0.7)  # steps of 8 bits depend on the batch


def test_a_sentence_is_read_beside_the_one_before(reader: EvidenceReader) -> None:
    before = ("The boat has a new engine.", "The house has a new roof.")
    later = "It cost 900 euros."
    asked = "What did the engine cost?"
    texts = [
        Marked(asked, f"Diary: {one} {later}", [(8 + len(one), 26 + len(one))]) for one in before
    ]
    (own,), (other,) = reader.scores(texts, "together")
    assert own is not None
    assert other is not None
    assert own > other


def test_no_text_has_no_score(reader: EvidenceReader) -> None:
    assert reader.scores([], "alone") == []


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=300), st.lists(st.text(max_size=600), min_size=1, max_size=4))
def test_any_text_can_be_read(reader: EvidenceReader, question: str, texts: list[str]) -> None:
    windows = [
        Marked(question, text, [(0, len(text)), (len(text), len(text) + 1)]) for text in texts
    ]
    for first, last in reader.scores(windows, "together"):
        assert first is None or math.isfinite(first)
        assert last is None
