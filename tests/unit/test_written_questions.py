"""The questions over written vaults: every place that answers one is there to be quoted."""

from pathlib import Path

import pytest

from evals.answers import AnswerCase
from evals.cases import read_lines

DATA = Path(__file__).parents[2] / "evals" / "data"
VAULTS = sorted(file.parent for file in DATA.glob("*/*/questions.jsonl"))


@pytest.mark.parametrize("vault", VAULTS, ids=[vault.name for vault in VAULTS])
def test_the_evidence_of_every_question_is_in_its_vault(vault: Path) -> None:
    for case in read_lines(vault / "questions.jsonl", AnswerCase):
        for place in case.gold:
            lines = (vault / "notes" / place.path).read_text("utf-8").splitlines()
            first, last = place.lines
            assert "".join(lines[first - 1 : last]).strip(), (case.q, place)
