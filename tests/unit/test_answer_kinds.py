"""What kind of answer a question asks for, read from its wording."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.answer_kinds import answer_kinds
from tools.domain import ANSWER_KINDS, QuestionReading


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
    read = answer_kinds(question)
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
    ],
)
def test_a_question_that_asks_when(question: str) -> None:
    assert QuestionReading(kinds=answer_kinds(question)).asks("when")


@pytest.mark.parametrize(
    "question",
    [
        "Who came when Ada was small?",
        "When I am tired, what helps?",
        "What time management methods do I use?",
        "What happens whenever I skip lunch?",
        "How has my thinking about tea changed?",
        "Günlük notlar neden işe yarar?",
    ],
)
def test_a_question_that_asks_something_else(question: str) -> None:
    assert not QuestionReading(kinds=answer_kinds(question)).asks("when")


def test_what_was_not_read_asks_for_nothing() -> None:
    assert not QuestionReading().asks("when")


@given(st.text(max_size=300))
def test_the_kinds_share_all_probability(question: str) -> None:
    read = answer_kinds(question)
    assert set(read) == set(ANSWER_KINDS)
    assert sum(read.values()) == pytest.approx(1.0)
    assert min(read.values()) >= 0.0
