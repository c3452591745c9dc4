"""What kind of answer a question asks for, read from its wording and its vector."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.interpreter.classifiers.answer_kinds import WEIGHTS, answer_kinds
from agents.interpreter.classifiers.features import read_features
from agents.interpreter.plan import parse_question
from tests.support.questions.reading import question_vector
from tools.base.domain import ANSWER_KINDS, AnswerKind, QuestionReading

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)


def read_kinds(question: str) -> Mapping[AnswerKind, float]:
    return answer_kinds(parse_question(question, now=NOW).features, question_vector(question))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what is a heat pump", "definition"),
        ("How many hives did we keep last year?", "fact"),
        ("list the parts of the loom", "list"),
        ("when did Noor move out?", "when"),
        ("why did the glaze crack", "why"),
        ("How do I bleed the radiators?", "howto"),
        ("Is the attic insulated?", "yesno"),
        ("difference between weft and warp", "compare"),
        ("what do I know about lichens", "explore"),
    ],
)
def test_a_plain_question_is_read_as_its_kind(question: str, kind: str) -> None:
    by_words = answer_kinds(read_features(question), None)
    for read in (read_kinds(question), by_words):
        assert max(ANSWER_KINDS, key=read.__getitem__) == kind


@pytest.mark.parametrize(
    "question",
    [
        "when ada is planning to move?",
        "And when was that?",
        "Since when do I swim?",
        "In which year did I move?",
        "What day did the boiler break?",
        "How long ago did I quit?",
        "İnciri ne zaman diktik?",
        "Ne zamandan beri yüzüyorum?",
        "Hangi tarihte tanıştık?",
        "Hangi gün toplandık?",
        "Do you remember when the kiln was fired for the first time?",
        "Mert asked me today about the old boat, I told him I would look. When did we sell it?",
    ],
)
def test_a_question_that_asks_when(question: str) -> None:
    assert QuestionReading(kinds=read_kinds(question)).asks("when")


@pytest.mark.parametrize(
    "question",
    [
        "Who came when Ada was small?",
        "When I am tired, what helps?",
        "What time management methods do I use?",
        "What happens whenever I skip lunch?",
        "How has my thinking about tea changed?",
        "Günlük notlar neden işe yarar?",
        "timeline of my thesis",
        "tezimin zaman çizelgesi",
        "How long was the site down in March 2024?",
    ],
)
def test_a_question_that_asks_something_else(question: str) -> None:
    assert not QuestionReading(kinds=read_kinds(question)).asks("when")


def test_what_was_not_read_asks_for_nothing() -> None:
    assert not QuestionReading().asks("when")


@given(st.text(max_size=300))
def test_the_kinds_share_all_probability(question: str) -> None:
    for vector in (question_vector(question), None):
        read = answer_kinds(read_features(question), vector)
        assert set(read) == set(ANSWER_KINDS)
        assert sum(read.values()) == pytest.approx(1.0, abs=1e-5)
        assert min(read.values()) >= 0.0


def test_what_ships_is_small() -> None:
    assert WEIGHTS.stat().st_size <= 250_000
