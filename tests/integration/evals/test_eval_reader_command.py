"""``brain eval reader`` as a person meets it: questions with texts in, scores out."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphs.cli.main import app

pytestmark = pytest.mark.integration

CASES = (
    {
        "query": "Who paints the boat?",
        "candidates": ["The boat is blue.", "Marta paints the boat in spring."],
        "answers": [1],
    },
    {"query": "Where is the key?", "candidates": ["It rained all day."]},
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_text_has_a_score_and_the_figures_are_told(folder: Path) -> None:
    (folder / "in.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in CASES))
    done = CliRunner().invoke(app, ["eval", "reader", "in.jsonl", "--out", "out.jsonl"])
    assert done.exit_code == 0
    assert "1 question with texts of both kinds: MAP 1.000, MRR 1.000" in done.stderr
    told, other = (json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines())
    assert told["scores"][1] > told["scores"][0]
    assert 0 < other["answerable"] < told["answerable"] < 1


@pytest.mark.parametrize(
    "line",
    [
        '{"query": "Who?"}',
        '{"query": "Who?", "candidates": []}',
        '{"query": "Who?", "candidates": ["x"], "answers": [1]}',
        "no json",
    ],
)
def test_a_line_that_cannot_be_used_is_told_before_anything_is_written(
    folder: Path, line: str
) -> None:
    (folder / "in.jsonl").write_text(f"{line}\n")
    done = CliRunner().invoke(app, ["eval", "reader", "in.jsonl", "--out", "out.jsonl"])
    assert done.exit_code == 2
    assert not (folder / "out.jsonl").exists()
