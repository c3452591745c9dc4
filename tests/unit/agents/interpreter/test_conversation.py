"""What a question takes from those before it in its thread."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agents.interpreter.conversation import context_of_line, with_context
from tests.support.questions.reading import interpreted
from tools.base.domain import Before, QueryPlan
from tools.base.vault_query import VaultQuery

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)
ROOF = Before(
    questions=("Why did the roof leak?",),
    line="A tile had slipped in the storm of March 3rd.",
    places=(("House/Roof.md", 12, 12),),
    concepts=("roof",),
    intent="causal",
)


def asked(question: str, before: Before | None = ROOF) -> QueryPlan:
    return interpreted(question, now=NOW, before=before)


@pytest.mark.parametrize(
    "question",
    [
        "who mended it?",
        "and when was that",
        "how much did he charge",
        "neden",
        "onu kim tamir etti",
    ],
)
def test_what_cannot_stand_alone_is_read_with_what_was_asked_before(question: str) -> None:
    plan = asked(question)
    assert plan.reading.before == ROOF
    assert plan.reading.wanted == with_context(ROOF.questions, question)
    assert "roof" in plan.concepts
    assert ROOF.line in plan.reading.read_as
    assert plan.reading.read_as.endswith(question)


@pytest.mark.parametrize(
    "question",
    [
        "When did I buy the sourdough starter from Hanneke?",
        "what is the wifi password of the cabin",
        "Ekşi maya ne zaman beslenir?",
        "*compare tea vs coffee",
    ],
)
def test_a_question_that_says_it_all_is_left_alone(question: str) -> None:
    plan = asked(question)
    assert plan.reading.before is None
    assert "roof" not in plan.concepts


def test_nothing_is_leaned_on_where_nothing_was_asked() -> None:
    assert asked("who mended it?", None).reading.before is None


def test_what_leaves_open_its_kind_is_of_the_last_ones() -> None:
    plan = asked("and the boiler?")
    assert (plan.intent, plan.confidence) == ("causal", 1.0)


def test_the_first_question_and_the_last_are_kept() -> None:
    first = context_of_line(
        asked("Why did the roof leak?", None), line="A tile.", places=[("a.md", 1, 1)]
    )
    assert first.questions == ("Why did the roof leak?",)
    second = context_of_line(
        asked("who mended it?", first), line="Ada did.", places=[("b.md", 2, 3)]
    )
    assert second.questions == ("Why did the roof leak?", "who mended it?")
    third = context_of_line(
        asked("how much did she charge", second), line="£90", places=[("c.md", 4, 4)]
    )
    assert third.questions == ("Why did the roof leak?", "how much did she charge")
    assert third.notes == ("c.md",)


def test_what_answered_stays_where_nothing_answers_now() -> None:
    kept = context_of_line(asked("who mended it?"), line="", places=())
    assert kept == replace(ROOF, questions=("Why did the roof leak?", "who mended it?"))


def test_a_new_subject_forgets_what_was_before() -> None:
    plan = asked("When did I buy the sourdough starter from Hanneke?")
    new = context_of_line(plan, line="In 2021.", places=[("Bread.md", 3, 3)])
    assert new.questions == (plan.reading.question,)
    assert new.notes == ("Bread.md",)


def test_a_listing_is_kept_while_its_notes_are_asked_about() -> None:
    listed = VaultQuery(subject="tasks", state="open")
    plan = replace(asked("Which tasks are open?", None), vault=listed)
    behind = context_of_line(plan, line="", places=[("a.md", 3, 3)])
    assert (behind.listed, behind.notes) == (listed, ("a.md",))
    said = context_of_line(asked("what does it say?", behind), line="Sow.", places=[("a.md", 5, 5)])
    assert said.listed == listed
    new = asked("When did I buy the sourdough starter from Hanneke?", behind)
    assert context_of_line(new, line="In 2021.", places=[("Bread.md", 3, 3)]).listed is None
