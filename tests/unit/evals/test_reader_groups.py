"""Groups to learn the reader from: what answers is marked, and beside it stands what does not."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.answers.span_questions import Question
from evals.datasets.evidence import AnswerCase, Place
from evals.training.reader_groups import Group, written
from graphs.query.evidence.evidence import EvidenceQuery, candidate_spans, note_texts
from tests.support.values.results import a_result
from tools.base.domain import QuestionReading, Reading
from tools.evidence.features import FEATURES, QueryTerms
from tools.text.tokens import stem

ANSWER = "The spare key hangs behind the clock."
ASKED = QueryTerms(weights={stem("key"): 1.0}, reading=QuestionReading(wanted="where is the key"))
IN_ENGLISH = QueryTerms(
    weights={stem("key"): 1.0}, reading=QuestionReading(wanted="where key stand")
)
READINGS: Sequence[Reading] = ("together", "alone")


def question(*, answerable: bool, english: QueryTerms | None = None) -> Question:
    """A question over twelve notes on keys, of which the first answers on its third line."""
    lines = {
        f"{number}.md": ["# Keys", "", f"Lost key number {number}.", "", "Nothing else."]
        for number in range(12)
    }
    lines["0.md"][2] = ANSWER
    case = AnswerCase(
        q="Where is the key?",
        gold=(Place(path="0.md", lines=(3, 3)),) if answerable else (),
        answerable=answerable,
    )
    sought = EvidenceQuery(asked=ASKED, named=(), english=english)
    results = [a_result(path) for path in lines]
    found = candidate_spans(sought, results, note_texts(sought, results, lines, ()), ())
    return Question(
        case=case,
        sought=sought,
        found=found,
        gold=np.array([answerable and one.span.text == ANSWER for one in found]),
        named=np.zeros(len(found), bool),
        features=np.array([one.features for one in found]).reshape(-1, len(FEATURES)),
    )


def groups(asked: Question, reading: Reading, seed: int) -> list[Group]:
    return list(written([asked], random.Random(seed), reading))  # noqa: S311


def told(group: Group) -> list[str]:
    """The words of the spans that are to be taken for answers."""
    return [
        shown.text[first:last]
        for shown in group.windows
        for (first, last), answers in zip(shown.marks, shown.gold, strict=True)
        if answers
    ]


@pytest.mark.parametrize("reading", READINGS)
@given(seed=st.integers(0, 10_000))
def test_what_answers_is_marked_or_left_out_and_others_stand_beside(
    reading: Reading, seed: int
) -> None:
    (group,) = groups(question(answerable=True), reading, seed)
    assert [ANSWER in one for one in told(group)] in ([], [True])
    assert any(not any(shown.gold) for shown in group.windows)
    for shown in group.windows:
        assert len(shown.marks) == len(shown.gold)
        assert all(0 <= first < last <= len(shown.text) for first, last in shown.marks)


@pytest.mark.parametrize("reading", READINGS)
@given(seed=st.integers(0, 10_000))
def test_nothing_answers_what_the_notes_do_not_have(reading: Reading, seed: int) -> None:
    (group,) = groups(question(answerable=False), reading, seed)
    assert told(group) == []


def test_nothing_is_learned_where_the_answer_was_not_found() -> None:
    asked = question(answerable=True)
    asked.gold[:] = False
    assert groups(asked, "together", 1) == []


def test_a_question_is_learned_in_the_language_of_the_notes() -> None:
    typed = groups(question(answerable=True, english=IN_ENGLISH), "together", 3)[0].question
    assert set(typed.lower().rstrip("?").split()) <= set(IN_ENGLISH.reading.wanted.split())
