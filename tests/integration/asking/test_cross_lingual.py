"""A question is answered by what notes say, in whichever of the two languages either is."""

import pytest

from graphs.core.state import QueryContext
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration

NOTES = {
    "Bread.md": "# Bread\nI bake the loaf for 45 minutes.\nThe oven is from 1998.\n",
    "Kitchen lamp.md": "# Kitchen lamp\nBought in Lyon.\nOrhan repaired it in April.\n",
    "Piano.md": "# Piano\nMy teacher is Ada.\nI quit the lessons when my wrist began to hurt.\n",
    "Garden.md": "# Garden\nThe apple tree came in 2016, the pear tree in 2019.\nNo roses.\n",
    "Kedi.md": "# Kedi\nPamuk üç yaşında.\nKedinin aşısı 4 Mayıs'ta yapıldı.\nBalığı sevmez.\n",
}


@pytest.fixture(scope="module")
def indexed(request: pytest.FixtureRequest) -> Indexed:
    return in_turn(request, languages="English and Turkish").of(NOTES)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Ekmeği kaç dakika pişiriyorum?", "I bake the loaf for 45 minutes."),
        ("Mutfak lambasını kim tamir etti?", "Orhan repaired it in April."),
        ("Neden piyano dersini bıraktım?", "I quit the lessons when my wrist began to hurt."),
        ("Kedime ne zaman aşı yapıldı?", "Kedinin aşısı 4 Mayıs'ta yapıldı."),
        ("What does the cat not like?", "Balığı sevmez."),
    ],
)
async def test_the_first_line_answers(indexed: Indexed, question: str, line: str) -> None:
    async with indexed.open() as brain:
        answer = await brain.ask(question, context=QueryContext(interactive=False))
    assert answer.results[0].excerpts[0].text == line
    assert "Not in your notes" not in answer.answer
