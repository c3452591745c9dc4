"""Questions about time: one event, or how something changed; and what is then searched for."""

from datetime import UTC, datetime

import pytest

from agents.interpreter.plan import about_event
from agents.interpreter.search_targets import searched
from tests.support.questions.reading import interpreted
from tools.base.domain import QueryPlan

NOW = datetime(2024, 6, 1, tzinfo=UTC)

CHANGES = [
    "How has my thinking about sleep changed over time?",
    "How did my view of tea evolve?",
    "The history of my knee",
    "Timeline of my thesis",
    "Uyku hakkındaki düşüncem nasıl değişti?",
    "Çay fikrim zaman içinde nasıl gelişti?",
]
EVENTS = [
    "When did Ada get hurt?",
    "When did my diet change?",
    "What film did I watch on 1 May 2024?",
    "Who joined us in March?",
    "Ada ne zaman yaralandı?",
    "Diyetim ne zaman değişti?",
]


def temporal(question: str) -> QueryPlan:
    return interpreted(question, now=NOW, forced_intent="temporal")


@pytest.mark.parametrize("question", CHANGES)
def test_of_a_change_the_notes_that_name_it_are_searched(question: str) -> None:
    plan = temporal(question)
    assert plan.reading.change
    assert not about_event(plan)
    assert searched(plan) == " ".join(plan.concepts)


@pytest.mark.parametrize("question", EVENTS)
def test_of_an_event_every_word_is_searched_and_its_meaning(question: str) -> None:
    plan = temporal(question)
    assert not plan.reading.change
    assert about_event(plan)
    assert searched(plan) == question


def test_a_question_for_a_fact_is_about_no_event() -> None:
    plan = interpreted("When did Ada get hurt?", now=NOW, forced_intent="factual")
    assert not about_event(plan)
    assert searched(plan) == plan.query
