"""The first line is of what is asked for, and of nothing that is only called alike."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from graphs.brain import Brain
from graphs.core.state import QueryContext
from tests.support.vaults import made_up_notes
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.made_up_notes import QUESTIONS, MadeUp
from tools.base.domain import Answer

pytestmark = pytest.mark.integration

ABSENT = "Not in your notes"
each = pytest.mark.parametrize(
    "step",
    [pytest.param(5, id="a fifth"), pytest.param(1, id="all", marks=pytest.mark.torture)],
)
"""How far one that is asked for is from the next; a fifth of all has each attribute and form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The vault, and what stands in it."""

    indexed: Indexed
    made_up: MadeUp


@pytest.fixture(scope="module")
def written(request: pytest.FixtureRequest) -> Written:
    made: list[MadeUp] = []

    def write(vault: Path) -> None:
        made.append(made_up_notes.write(vault, seed=7))

    indexed = in_turn(request).written(write)
    return Written(indexed=indexed, made_up=made[0])


async def ask(brain: Brain, question: str) -> Answer:
    return await brain.ask(question, context=QueryContext(interactive=False))


def lines_of(answer: Answer) -> list[str]:
    return [one.text for result in answer.results for one in result.excerpts]


def first_line(answer: Answer) -> str:
    return next(iter(lines_of(answer)), "")


@each
async def test_each_fact_is_answered_by_its_own_line(written: Written, step: int) -> None:
    """But for a status, for which the reader takes a deadline: that is one of the first three."""
    missed: list[tuple[str, list[str]]] = []
    async with written.indexed.open() as brain:
        for name, facts in [*written.made_up.facts.items()][::step]:
            for attribute, line in list(facts.items())[:2]:
                quoted = lines_of(await ask(brain, QUESTIONS[attribute].format(name)))
                if line not in quoted[: 3 if attribute == "status" else 1]:
                    missed.append((line, quoted))
    assert missed == []


@each
async def test_what_is_not_told_of_a_thing_is_answered_by_no_line_of_another(
    written: Written, step: int
) -> None:
    wrong: list[tuple[str, str]] = []
    async with written.indexed.open() as brain:
        for name, facts in [*written.made_up.facts.items()][::step]:
            (attribute,) = QUESTIONS.keys() - facts.keys()
            answer = await ask(brain, QUESTIONS[attribute].format(name))
            first = first_line(answer)
            own = name in first or name in [one.note_title for one in answer.results[:1]]
            if ABSENT not in answer.answer and not own:
                wrong.append((name, first))
    assert wrong == []


@each
async def test_a_word_that_stands_in_one_line_brings_that_line(written: Written, step: int) -> None:
    forms = ("{}", "which room has the {}?", "budget {} owner")
    asked = [*product(written.made_up.rare.items(), forms)]
    async with written.indexed.open() as brain:
        for (word, place), form in asked[::step]:
            answer = await ask(brain, form.format(word))
            assert (answer.results[0].note_path, first_line(answer)) == place, (word, form)
