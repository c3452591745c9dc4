"""Notes that a question names in the plural or in a Turkish case."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agents.interpreter.did_you_mean import near_names
from agents.interpreter.search_targets import targets
from tests.support.questions.reading import interpreted, phrases_of

NAMES = frozenset(
    [
        "crdt",
        "greenhouse",
        "habits",
        "salatalik",
        "kitap",
        "agac",
        "renk",
        "domates",
        "fikir",
        "plan",
        "sabah kosusu",
    ]
)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What are CRDTs?", "CRDT"),
        ("Tell me about greenhouses", "greenhouse"),
        ("Tell me about my habit", "habits"),
        ("kitabı özetle", "kitap"),
        ("ağacı anlat", "ağaç"),
        ("rengi açıkla", "renk"),
        ("Salatalığa ne iyi gelir?", "Salatalık"),
        ("CRDTler nedir?", "CRDT"),
        ("sabah koşusunu anlat", "sabah koşusu"),
        ("What is the plane?", "plane"),  # "plan" is another English word
        ("What is glass?", "glass"),
    ],
)
def test_a_note_is_named_in_whatever_form(question: str, named: str) -> None:
    assert phrases_of(question, names=NAMES).concepts == (named,)


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Compare CRDTs and greenhouses", ("CRDT", "greenhouse")),
        ("Kitabı ve ağacı karşılaştır", ("Kitap", "ağaç")),
        ("salatalığı domatesle karşılaştır", ("salatalık", "domates")),
    ],
)
def test_compared_notes_are_named_in_whatever_form(
    question: str, compared: tuple[str, ...]
) -> None:
    assert phrases_of(question, names=NAMES).subjects == compared


def test_without_such_a_note_the_question_keeps_its_words() -> None:
    assert phrases_of("What are CRDTs?").concepts == ("CRDTs",)
    assert phrases_of("kitabı özetle").concepts == ("kitabı",)


def test_each_side_is_searched_without_the_other_whatever_its_form() -> None:
    question = "Which notes on merging do CRDTs and greenhouses share?"
    now = datetime(2026, 1, 1, tzinfo=UTC)
    plan = interpreted(question, now=now, forced_intent="comparative", known_names=NAMES)
    plan = replace(plan, subjects=("CRDT", "greenhouse"))
    for subject, searched in targets(plan):
        assert subject is not None
        assert "merging" in searched
        assert ("CRDT" in searched, "greenhouse" in searched).count(True) == 1


def test_a_known_form_is_no_slip() -> None:
    (named,) = phrases_of("What are CRDTs?", names=NAMES).concepts
    assert near_names(named, NAMES) == ()
