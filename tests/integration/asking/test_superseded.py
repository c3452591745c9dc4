"""No answer shows as current what another note, or a later version, has taken the place of."""

import re
from itertools import product

import pytest

from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.base.domain import AnswerFormat, Intent

_SAID = re.compile(r"superseded|no longer|^- Changed on|yerini .* aldı", re.IGNORECASE)
pytestmark = pytest.mark.integration

NOTES = {
    "Old dose.md": "---\ncreated: 2023-02-01\n---\n# Old dose\nThe fertiliser dose for basil is"
    " 9 ml per litre.\n\ncauses:: [[Burnt leaves]]\n",
    "New dose.md": '---\ncreated: 2024-05-01\nsupersedes: "[[Old dose]]"\n---\n# New dose\n'
    "The fertiliser dose for basil is 4 ml per litre.\n\ncauses:: [[Green leaves]]\n",
    "Kyoto plan.md": '---\ncreated: 2023-06-01\nsuperseded_by: "[[Lisbon plan]]"\n---\n'
    "# Kyoto plan\nThe autumn trip goes to Kyoto by train.\n\nleads to:: [[Rail pass]]\n",
    "Lisbon plan.md": "---\ncreated: 2024-01-10\n---\n# Lisbon plan\nThe autumn trip goes to"
    " Lisbon by ferry.\n\nleads to:: [[Ferry ticket]]\n",
    "Burnt leaves.md": "# Burnt leaves\nBrown edges on basil.\n",
    "Green leaves.md": "# Green leaves\nWhat basil should have.\n",
    "Uyku planı (eski).md": "---\ncreated: 2022-01-01\n---\n# Uyku planı (eski)\nYatma saati gece"
    " ikidir.\n",
    "Uyku planı.md": '---\ncreated: 2024-01-01\nsupersedes: "[[Uyku planı (eski)]]"\n---\n'
    "# Uyku planı\nYatma saati gece on birdir.\n",
}
GONE = ("9 ml per litre", "goes to Kyoto", "gece ikidir", "Old dose causes", "Kyoto plan leads")
QUESTIONS: tuple[tuple[str, Intent | None], ...] = (
    ("What is the fertiliser dose for basil?", None),
    ("How many ml per litre does basil get?", None),
    ("Is the fertiliser dose 9 ml per litre?", "factual"),
    ("old dose", "factual"),
    ("Why does basil get burnt leaves?", None),
    ("What does the dose for basil cause?", "causal"),
    ("What are the effects of the old dose?", "causal"),
    ("Where does the autumn trip go?", None),
    ("Kyoto plan", "factual"),
    ("What does the Kyoto plan lead to?", "causal"),
    ("Tell me everything about basil", "exploratory"),
    ("Everything connected to the autumn trip", "exploratory"),
    ("Compare Old dose and New dose", None),
    ("Compare Kyoto plan and Lisbon plan", None),
    ("yatma saati kaçtır?", None),
    ("uyku planı", "factual"),
)
SHOWN: tuple[AnswerFormat | None, ...] = (None, "list", "narrative", "table")
WAYS = (*product(SHOWN, (True, False)),)
"""In which format, and whether as a whole or in brief."""


@pytest.fixture(scope="module")
def indexed_vault(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request, languages="English and Turkish").of(NOTES)


def unmarked(answer: str) -> list[str]:
    """Lines that say what is gone with nothing by them that says that it is gone.

    It is said in the line, by the item, the columns or the heading it belongs to, or right above.
    """
    found: list[str] = []
    section = item = ""
    above = ""
    for line in filter(str.strip, answer.split("\n")):
        if line.startswith("#"):
            section, item = line, ""
        elif line.startswith(("- ", "| |")):
            item = line
        if any(words in line for words in GONE) and not line.startswith(("# ", "<", "[^")):
            said = (line, item, section, above)
            if not any(_SAID.search(text) for text in said):
                found.append(line)
        above = line
    return found


@pytest.mark.parametrize(
    "ways",
    [
        pytest.param(2, id="two ways each"),
        pytest.param(len(WAYS), id="all ways", marks=pytest.mark.torture),
    ],
)
async def test_nothing_that_no_longer_holds_is_shown_as_if_it_did(
    indexed_vault: Indexed, ways: int
) -> None:
    """Each question is asked in so many ways; one after the other takes the next of them."""
    async with indexed_vault.open() as brain:
        for at, (question, intent) in enumerate(QUESTIONS):
            for nth in range(at, at + len(WAYS), len(WAYS) // ways):
                shown, whole = WAYS[nth % len(WAYS)]
                context = QueryContext(interactive=False, format=shown, whole=whole)
                answer = await brain.ask(question, intent=intent, context=context)

                assert unmarked(answer.answer) == [], (question, shown, whole)


async def test_what_took_its_place_comes_first(indexed_vault: Indexed) -> None:
    async with indexed_vault.open() as brain:
        answer = await brain.ask("What is the fertiliser dose for basil?")

    assert answer.results[0].note_path == "New dose.md"
    assert "4 ml per litre" in answer.answer.partition("\n")[0]


async def test_as_of_an_earlier_day_it_still_held(indexed_vault: Indexed) -> None:
    async with indexed_vault.open() as brain:
        context = QueryContext(as_of="2023-12-31")
        then = await brain.ask("What is the fertiliser dose for basil?", context=context)

    assert "9 ml per litre" in then.answer
    assert "4 ml per litre" not in then.answer
    assert "Old dose causes Burnt leaves" in then.answer
    assert not _SAID.search(then.answer)
