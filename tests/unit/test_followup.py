"""What a question takes from the one before it in the same thread."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.followup import complete
from tests.reading import interpreted
from tools.domain import Intent, QueryPlan

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)


def before(question: str, intent: Intent = "factual") -> QueryPlan:
    return interpreted(question, now=NOW, forced_intent=intent)


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("And what caused that?", "And what caused spaced repetition?"),
        ("why does it work?", "why does spaced repetition work?"),
        ("when did it start", "when did spaced repetition start"),
        ("What are its limits?", "What are spaced repetition's limits?"),
        ("who wrote about it?", "who wrote about spaced repetition?"),
        ("How has that changed over time?", "How has spaced repetition changed over time?"),
    ],
)
def test_a_pronoun_stands_for_what_was_asked_about(question: str, whole: str) -> None:
    found = complete(question, before("What is spaced repetition?"))
    assert found is not None
    assert found.question == whole
    assert found.intent is None


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("bu neden oldu?", "zettelkasten neden oldu?"),
        ("bunun tarihi nedir?", "zettelkasten tarihi nedir?"),
    ],
)
def test_turkish_pronouns_too(question: str, whole: str) -> None:
    found = complete(question, before("zettelkasten nedir?"))
    assert found is not None
    assert found.question == whole


@pytest.mark.parametrize(
    ("question", "earlier", "intent"),
    [
        ("What about PARA?", "When did I start with Zettelkasten?", "temporal"),
        ("and the boiler?", "Why did the roof leak?", "causal"),
        ("how about green tea", "everything on coffee", "exploratory"),
        ("peki ya çay?", "kahve uykuyu nasıl etkiler?", "causal"),
    ],
)
def test_another_thing_is_asked_the_same_way(question: str, earlier: str, intent: Intent) -> None:
    found = complete(question, before(earlier, intent))
    assert found is not None
    assert found.question == question
    assert found.intent == intent


@pytest.mark.parametrize(
    "question",
    [
        "Why did we choose Postgres?",
        "What did I write in that note about Lisbon?",
        "Is that book by Ahrens any good?",
        "and what is the capital of Peru?",
        "I moved the bees in May and it rained all week so which hive is it that I lost first?",
        "",
        "?",
    ],
)
def test_a_question_that_says_it_all_is_left_alone(question: str) -> None:
    assert complete(question, before("What is spaced repetition?")) is None


@given(st.text(max_size=80), st.sampled_from(["What is tea?", "çay nedir?", "?", "why"]))
def test_any_text_is_taken(question: str, earlier: str) -> None:
    found = complete(question, before(earlier))
    assert found is None or found.question
