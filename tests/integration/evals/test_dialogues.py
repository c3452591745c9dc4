"""Dialogues for measuring, asked all the way: each turn in the thread of its dialogue."""

from pathlib import Path

import pytest

from evals.answers.dialogues import ask_all
from evals.datasets.dialogues import Dialogue, Turn
from evals.datasets.evidence import Place

pytestmark = pytest.mark.integration

SUN = Place(path="Basil.md", lines=(5, 5))
SLOW = Place(path="Bread.md", lines=(3, 3))
DIALOGUE = Dialogue(
    vault="kitchen",
    turns=(
        Turn(q="How many hours of sun does basil want?", gold=(SUN,)),
        Turn(q="And how many does the basil want in July?", leans=True, answerable=False),
        Turn(q="Why is the dough slow?", gold=(SLOW,)),
    ),
)


async def test_each_turn_is_measured_by_its_part(tmp_path: Path) -> None:
    (tmp_path / "Basil.md").write_text("# Basil\n\nGreen.\n\nBasil wants six hours of sun.\n")
    (tmp_path / "Bread.md").write_text("# Bread\n\nA cold jar makes the dough slow.\n")

    twice = await ask_all(tmp_path, [DIALOGUE, DIALOGUE])

    for asked in twice:
        assert [one.case.kind for one in asked] == ["opening", "leaning", "new"]
        assert asked[0].first
        assert asked[2].first
        assert all(one.error is None for one in asked)
