"""Which searches are asked for a question."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agents.interpreter.interpreter import interpret_locally
from agents.interpreter.plan import as_of
from graphs.query.retrieval.retrievers import RETRIEVERS, with_route
from tools.base.domain import INTENTS, Intent, Moment

NOW = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("What is Zettelkasten?", ("semantic", "text")),
        ("When did I learn about Zettelkasten?", ("semantic", "text", "graph")),
        ("How has my view of Zettelkasten changed over time?", ("text", "graph")),
        ("Why do atomic notes improve recall?", ("semantic", "text", "graph")),
        ("Obsidian vs Roam", ("semantic", "text", "graph")),
        ("Explore note-taking methods", ("semantic", "text", "graph")),
    ],
)
def test_the_question_decides_which_searches_are_asked(
    question: str, route: tuple[str, ...]
) -> None:
    assert with_route(interpret_locally(question, now=NOW)).route == route


@pytest.mark.parametrize("intent", INTENTS)
def test_an_earlier_moment_is_asked_of_those_that_know_it(intent: Intent) -> None:
    plan = replace(interpret_locally("sleep", now=NOW), intent=intent)
    past = as_of(plan, Moment(as_of=datetime(2020, 1, 1, tzinfo=UTC)))
    assert with_route(past).route == ("text", "graph")


def test_each_search_has_a_name_of_its_own() -> None:
    assert len({retriever.source for retriever in RETRIEVERS}) == len(RETRIEVERS)
