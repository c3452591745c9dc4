"""The written dialogues: every place that answers a turn is there to be quoted."""

from pathlib import Path

import pytest

from evals.cases import read_lines
from evals.dialogues import Dialogue
from evals.written_vaults import written_vault

DATA = Path(__file__).parents[2] / "evals" / "data"
FILES = sorted((*DATA.glob("dialogues/*.jsonl"), *DATA.glob("crossed/*.jsonl")))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_the_evidence_of_every_turn_is_in_its_vault(file: Path) -> None:
    for dialogue in read_lines(file, Dialogue):
        vault = written_vault(dialogue.vault)
        for place in (place for turn in dialogue.turns for place in turn.gold):
            lines = (vault / place.path).read_text("utf-8").splitlines()
            first, last = place.lines
            assert "".join(lines[first - 1 : last]).strip(), (dialogue.vault, place)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_what_opens_a_dialogue_leans_on_nothing(file: Path) -> None:
    assert not any(dialogue.turns[0].leans for dialogue in read_lines(file, Dialogue))
