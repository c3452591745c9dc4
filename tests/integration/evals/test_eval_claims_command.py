"""``brain eval claims`` as a person or a script meets it: no vault, no server, no model."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from graphs.cli.main import app

pytestmark = pytest.mark.integration

PAIRS = (
    {"a": "Basil needs sun.", "b": "Basil needs no sun.", "label": "contradiction", "source": "x"},
    {"a": "Basil needs sun.", "b": "Mint needs no sun.", "label": "neutral", "source": "x"},
    {"a": "Tea is hot.", "b": "[bold]Rain[/bold] falls."},
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRAIN_MODE", "local")
    (tmp_path / "pairs.jsonl").write_text("".join(f"{json.dumps(pair)}\n" for pair in PAIRS))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["eval", "claims", *arguments])


def test_predictions_go_to_the_file_and_figures_to_the_screen(folder: Path) -> None:
    done = run("pairs.jsonl", "--out", "out.jsonl")

    assert done.exit_code == 0
    assert "1.000" in done.stdout
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
    assert [line["predicted"] for line in lines] == ["contradiction", "none", "none"]


def test_without_labels_there_are_only_predictions(folder: Path) -> None:
    (folder / "pairs.jsonl").write_text(json.dumps(PAIRS[2]) + "\n")

    done = run("pairs.jsonl", "--out", "out.jsonl", "--limit", "1")

    assert (done.exit_code, "precision" in done.stdout) == (0, False)
    assert len((folder / "out.jsonl").read_text("utf-8").splitlines()) == 1


def test_the_page_has_a_curve_for_each_source_with_both_kinds(folder: Path) -> None:
    done = run("pairs.jsonl", "--out", "out.jsonl", "--report", "page.html")

    assert done.exit_code == 0
    page = (folder / "page.html").read_text("utf-8")
    assert page.count("<svg") == 1
    assert "average precision 1.000 of 2 pairs" in page


@pytest.mark.parametrize(
    ("content", "arguments", "told"),
    [
        ("", (), '{"a": "Basil needs sun.", "b": "Basil needs no sun."}'),
        ('{"a": "Tea."}\n', (), "line 1: 'b' is missing"),
        ('{"a": "Tea.", "b": " "}\n', (), "'b' is empty"),
        ('{"a": "Tea.", "b": "No tea.", "label": "maybe"}\n', (), "line 1: 'label'"),
        ('{"a": "Tea.", "b": "No tea."}\n', ("--limit", "0"), "at least 1 pair"),
        ('{"a": "Tea.", "b": "No tea."}\n', ("--out", "pairs.jsonl"), "names the input file"),
        ('{"a": "Tea.", "b": "No tea."}\n', ("--report", "page.html"), "--report needs labels"),
        ('{"a": "Tea.", "b": "No tea."}\n', ("--report", "out.jsonl"), "name the same file"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_nothing_is_written(
    folder: Path, content: str, arguments: tuple[str, ...], told: str
) -> None:
    (folder / "pairs.jsonl").write_text(content)

    done = run("pairs.jsonl", "--out", "out.jsonl", *arguments)

    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "out.jsonl").exists()
    assert (folder / "pairs.jsonl").read_text() == content
