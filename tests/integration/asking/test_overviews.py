"""Overviews asked all the way: of a subject, of one note, by side, and word for word."""

import pytest

from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer

pytestmark = pytest.mark.integration

NOTES = {
    "Pottery/Gas kiln.md": (
        "# Gas kiln\n\nThe gas kiln reaches stoneware heat in nine hours.\n\n"
        "## Pros\n\n- The gas kiln fires a full shelf for a third of the price.\n"
        "- Reduction in the gas kiln gives the celadon its green.\n\n"
        "## Cons\n\n- The gas kiln needs a chimney, and the landlord refuses one.\n"
        "- Somebody has to stand beside the gas kiln all day.\n"
    ),
    "Pottery/Hayashi 1998.md": (
        "---\naliases: [ash glaze paper]\n---\n# Wood ash in high fire\n\n"
        "Forty bowls were dipped in ash of pine, oak and rice straw.\n\n"
        "Straw gave the whitest surface; oak ran off the foot.\n"
    ),
    "Pottery/Workshop in Mashiko.md": (
        "# Workshop in Mashiko\n\nThree days with a potter of eighty.\n\n"
        "On patience he said: “Patience is what the clay teaches those who hurry.”\n"
    ),
    "Garden.md": "# Garden\n\nThe beans were late this year, the peas early.\n",
}
KILN, PAPER, WORKSHOP, GARDEN = NOTES


@pytest.fixture(scope="module")
def indexed(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).of(NOTES)


async def ask(indexed: Indexed, question: str) -> Answer:
    async with indexed.open() as brain:
        return await brain.ask(question, context=QueryContext(interactive=False))


@pytest.mark.parametrize(
    "question",
    ["tl;dr of the ash glaze paper", "summarise my note on the ash glaze paper"],
)
async def test_a_note_is_summed_up_by_any_of_its_names(indexed: Indexed, question: str) -> None:
    text = (await ask(indexed, question)).answer
    assert "[[Hayashi 1998]]" in text
    assert "Forty bowls" in text
    assert "Straw gave the whitest surface" in text
    assert "beans" not in text


async def test_what_there_is_on_a_subject_has_its_lines_and_no_others(indexed: Indexed) -> None:
    text = (await ask(indexed, "what do I know about the gas kiln?")).answer
    assert "nine hours" in text
    assert "beans" not in text


async def test_what_speaks_for_it_and_against_it_stands_apart(indexed: Indexed) -> None:
    text = (await ask(indexed, "pros and cons of the gas kiln")).answer
    for_it, against = text.split("**Against**")
    assert "third of the price" in for_it
    assert "chimney" in against


async def test_words_are_quoted_whole_with_who_said_them(indexed: Indexed) -> None:
    text = (await ask(indexed, "give me quotes about patience")).answer
    assert "“Patience is what the clay teaches those who hurry.”" in text


async def test_it_is_the_note_that_answered(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        first = await brain.ask("which glaze paper dipped forty bowls?", thread_id="paper")
        assert first.results[0].note_path == PAPER
        answer = await brain.ask("summarise it", thread_id="paper")
    first_line, *_ = answer.answer.splitlines()
    assert first_line.startswith("The main")
    assert "[[Hayashi 1998]]" in first_line
