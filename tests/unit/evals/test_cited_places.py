"""The questions written for measuring: every place that answers one is there to be quoted."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from evals.datasets.dialogues import Dialogue
from evals.datasets.evidence import AnswerCase, Place
from evals.datasets.records import read_lines
from evals.datasets.vaults import written_vault

DATA = Path(__file__).parents[3] / "evals" / "data"
VAULTS = sorted(file.parent for file in DATA.glob("*/*/questions.jsonl"))
DIALOGUES = sorted((*DATA.glob("dialogues/**/*.jsonl"), *DATA.glob("crossed/**/*.jsonl")))


def not_there(places: Iterable[Place], vault: Path) -> list[Place]:
    """Those places of which the vault's notes have no line, or only blank ones."""

    def said(place: Place) -> str:
        lines = (vault / place.path).read_text("utf-8").splitlines()
        return "".join(lines[place.lines[0] - 1 : place.lines[1]]).strip()

    return [place for place in places if not said(place)]


@pytest.mark.parametrize("vault", VAULTS, ids=[vault.name for vault in VAULTS])
def test_the_evidence_of_every_question_is_in_its_vault(vault: Path) -> None:
    cases = read_lines(vault / "questions.jsonl", AnswerCase)
    assert not_there((place for case in cases for place in case.gold), vault / "notes") == []


@pytest.mark.parametrize("file", DIALOGUES, ids=[file.stem for file in DIALOGUES])
def test_the_evidence_of_every_turn_is_in_its_vault(file: Path) -> None:
    for dialogue in read_lines(file, Dialogue):
        places = (place for turn in dialogue.turns for place in turn.gold)
        assert not_there(places, written_vault(dialogue.vault)) == []


@pytest.mark.parametrize("file", DIALOGUES, ids=[file.stem for file in DIALOGUES])
def test_what_opens_a_dialogue_leans_on_nothing(file: Path) -> None:
    assert not any(dialogue.turns[0].leans for dialogue in read_lines(file, Dialogue))
