"""Questions about what the notes said once: quoted as they were, found by what they were called."""

import re
from pathlib import Path

import pytest

from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.repositories import commit, git

pytestmark = pytest.mark.integration

FILLER = "".join(f"## Part {n}\n\n{'Nothing much happens here. ' * 30}\n\n" for n in range(6))
TEA = "# Tea\n\n{filler}## Brewing\n\nOolong wants water of {degrees} degrees.\n\n{links}"


@pytest.fixture(scope="module")
def indexed_vault(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request).written(write)


def write(vault: Path) -> None:
    """A long note that changed its mind, and one that was renamed and lost what it said."""
    git(vault, "init", "-q")
    (vault / "Tea.md").write_text(TEA.format(filler=FILLER, degrees=95, links=""), "utf-8")
    (vault / "Chai.md").write_text("# Chai\n\ncauses:: [[Warm hands]]\n\nMilk first.\n", "utf-8")
    (vault / "Warm hands.md").write_text("# Warm hands\n", "utf-8")
    commit(vault, on=1)
    (vault / "Tea.md").write_text(TEA.format(filler=FILLER, degrees=80, links=""), "utf-8")
    commit(vault, on=10)
    git(vault, "mv", "Chai.md", "Masala.md")
    commit(vault, on=12)
    (vault / "Masala.md").write_text("# Masala\n\nWater first.\n", "utf-8")
    commit(vault, on=14)


async def asked(indexed: Indexed, question: str, *, known_at: str) -> str:
    async with indexed.open() as brain:
        context = QueryContext(interactive=False, known_at=known_at)
        return (await brain.ask(question, intent="factual", context=context)).answer


async def test_the_passage_that_answers_is_quoted_however_far_down(indexed_vault: Indexed) -> None:
    question = "How hot must the water for oolong be?"
    then = await asked(indexed_vault, question, known_at="2020-01-05")
    assert "water of 95 degrees" in then
    assert "80 degrees" not in then
    assert "water of 80 degrees" in await asked(indexed_vault, question, known_at="2020-01-11")


async def test_a_note_is_found_by_the_name_it_had(indexed_vault: Indexed) -> None:
    then = await asked(indexed_vault, "What is Chai?", known_at="2020-01-05")
    assert "Masala causes Warm hands (since 2020-01-01)" in then
    assert re.search(r"\[\[Masala#Chai\]\] line \d in the version of 2020-01-01", then)
