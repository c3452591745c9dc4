"""``brain eval answers`` as a person meets it: a small vault, asked all the way."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from graphs.cli.main import app

pytestmark = pytest.mark.integration

NOTES = {
    "Basil.md": "# Basil\n\nBasil goes yellow without nitrogen.\n\nIt wants six hours of sun.\n",
    "Bread.md": "# Bread\n\nA cold jar makes the dough slow and the loaf dense.\n",
}
QUESTIONS: tuple[Mapping[str, object], ...] = (
    {
        "q": "How many hours of sun does basil want?",
        "kind": "fact",
        "gold": [{"path": "Basil.md", "lines": [5, 5]}],
    },
    {"q": "Who won the cup in 1974?", "kind": "unanswerable", "answerable": False},
    {"q": "What is mint?", "kind": "lost", "gold": [{"path": "Mint.md", "lines": [1, 1]}]},
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vault").mkdir()
    for path, text in NOTES.items():
        (tmp_path / "vault" / path).write_text(text, "utf-8")
    write(QUESTIONS)
    return tmp_path


def write(questions: Iterable[Mapping[str, object]]) -> None:
    Path("questions.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in questions))


def run(*arguments: str) -> Result:
    given = ["--vault", "vault", "--questions", "questions.jsonl"]
    return CliRunner().invoke(app, ["eval", "answers", *given, *arguments])


def test_figures_go_to_the_screen_and_outcomes_to_the_file(folder: Path) -> None:
    done = run("--out", "out.jsonl", "--report", "page.html")

    assert done.exit_code == 0
    assert done.stderr.count("\n") == 1
    assert "no note 'Mint.md': questions about it count as missed" in done.stderr
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.strip()}
    assert rows["all"][1:5] == ["3", "0.50", "0.50", "0.50"]
    assert rows["fact"][1:5] == ["1", "1.00", "1.00", "1.00"]
    assert rows["unanswerable"][1:3] == ["1", "1.00"]
    assert rows["lost"][1:5] == ["1", "0.00", "0.00", "0.00"]
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
    assert [line["q"] for line in lines] == [one["q"] for one in QUESTIONS]
    assert lines[0]["quoted"][0] == {"path": "Basil.md", "lines": [5, 5]}
    page = (folder / "page.html").read_text("utf-8")
    assert "right note first" in page
    assert {path.name for path in (folder / "vault").iterdir()} == set(NOTES)


def test_a_bad_line_is_refused_before_anything_is_asked() -> None:
    write([{"q": "What is mint?"}])

    done = run()

    assert done.exit_code == 2
    assert "line 1" in done.stderr
    assert "Traceback" not in done.stderr
