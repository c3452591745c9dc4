"""``brain eval retrieval`` as a person or a script meets it: real searches on a small vault."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from graphs.cli.main import app
from tests.support.processes.command_line import indexed_here

pytestmark = pytest.mark.integration

NOTES = {
    "plants/Basil.md": "# Basil\n\nBasil goes yellow without nitrogen. ^yellow\n\nMore sun. ^sun\n",
    "plants/Mint.md": "# Mint\n\nMint spreads under every fence.\n",
    "kitchen/Bread.md": "# Bread\n\nA cold jar makes the dough slow and the loaf dense. ^dense\n",
}
QUERIES: tuple[Mapping[str, object], ...] = (
    {"id": 7, "query": "Why did the basil turn yellow?", "answerable": True},
    {"id": "bread", "query": "What makes a loaf dense?", "answerable": True},
    {"id": "shoes", "query": "Who won the cup in 1974?", "answerable": False},
)
QRELS = (
    "query_id\tnote_path\tgain\n"
    "7\tplants/Basil.md#^yellow\t2\n"
    "bread\tkitchen/Bread\t1\n"
    "bread\tplants/Mint.md\t-1\n"
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sequence[str]]:
    """The options for a vault of the same notes that is indexed once for all tests."""
    made = tmp_path_factory.mktemp("kept")
    with indexed_here(made, NOTES):
        yield "--vault", str(made / "vault"), "--data-dir", str(made / "data")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRAIN_SERVICES_OWNER", str(os.getpid()))
    for path, text in NOTES.items():
        (tmp_path / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "vault" / path).write_text(text, "utf-8")
    (tmp_path / "queries.jsonl").write_text(as_lines(QUERIES))
    (tmp_path / "qrels.tsv").write_text(QRELS)
    return tmp_path


def as_lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def run(*arguments: str, out: str = "out.jsonl") -> Result:
    given = ["--vault", "vault", "--queries", "queries.jsonl", "--out", out]
    return CliRunner().invoke(app, ["eval", "retrieval", *given, *arguments])


def test_places_go_to_the_file_and_figures_to_the_screen(folder: Path) -> None:
    done = run("--qrels", "qrels.tsv", "--report", "page.html")

    assert (done.exit_code, done.stderr) == (0, "")
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == [7, "bread", "shoes"]
    assert lines[0]["ranked"][0]["note_path"] == "plants/Basil.md"
    dense = lines[1]["ranked"][0]
    assert (dense["note_path"], dense["block_id"]) == ("kitchen/Bread.md", "dense")
    for line in lines:
        scores = [place["score"] for place in line["ranked"]]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in [*scores, line["answerable"]])
    assert "2 questions, notes" in done.stdout
    assert "1 question, blocks" in done.stdout
    assert "AUROC of answerable" in done.stdout
    for ranking in ("grep", "semantic alone", "text alone", "reciprocal rank", "merged, as ans"):
        assert done.stdout.count(ranking) == 2
    assert (folder / "page.html").read_text("utf-8").count("<svg") == 2
    assert sorted(file.name for file in folder.iterdir()) == [
        "out.jsonl",
        "page.html",
        "qrels.tsv",
        "queries.jsonl",
        "vault",
    ]


def test_what_is_judged_of_other_things_is_said_and_left_out(
    folder: Path, kept: Sequence[str]
) -> None:
    lines = [
        {"query_id": 7, "note_path": "plants/Basil.md#^none", "gain": 1},
        {"query_id": "nobody", "note_path": "plants/Mint.md", "gain": 1},
        {"query_id": 7, "note_path": "plants/Sage.md", "gain": 1},
    ]
    (folder / "qrels.jsonl").write_text(as_lines(lines))
    (folder / "queries.jsonl").write_text(
        as_lines([*QUERIES, {"id": "date", "query": "What was on 31 February 2024?"}])
    )

    done = run("--qrels", "qrels.jsonl", *kept)

    assert done.exit_code == 0
    told = done.stderr.splitlines()
    assert len(told) == 3
    for name in ("'nobody'", "'plants/Sage.md'", "'plants/Basil.md#^none'"):
        assert sum(name in line for line in told) == 1
    assert "1 question, notes" in done.stdout
    last = json.loads((folder / "out.jsonl").read_text("utf-8").splitlines()[-1])
    assert (last["ranked"], last["answerable"]) == ([], 0.0)
    assert "31 February" in last["error"]


def test_a_place_judged_twice_is_said_and_another_block_of_its_note_is_none(
    folder: Path, kept: Sequence[str]
) -> None:
    places = ("plants/Basil.md", "./plants/Basil", "plants/Basil.md#^sun")
    (folder / "qrels.tsv").write_text("".join(f"7\t{place}\t1\n" for place in places))

    done = run("--qrels", "qrels.tsv", *kept)

    assert done.exit_code == 0
    assert done.stderr == (
        "brain: qrels.tsv: 1 place is judged more than once for a question, and the highest gain "
        "counts; the first is 'plants/Basil.md' for '7'.\n"
    )
    assert "1 question, notes" in done.stdout


def test_judgements_of_other_questions_than_those_searched_score_nothing(
    folder: Path, kept: Sequence[str]
) -> None:
    (folder / "qrels.tsv").write_text("bread\tkitchen/Bread.md\t1\n")

    done = run("--qrels", "qrels.tsv", "--limit", "1", *kept)

    assert done.exit_code == 0
    assert "nothing was scored: qrels.tsv judges none of the questions" in done.stderr
    assert done.stderr.count("\n") == 1
    assert len((folder / "out.jsonl").read_text("utf-8").splitlines()) == 1


TWICE = '{"id": "a", "query": "Basil?"}\n{"id": "a", "query": "Mint?"}\n'


@pytest.mark.parametrize(
    ("files", "arguments", "told"),
    [
        ({"queries.jsonl": ""}, (), '{"id": "q1", "query": "Why is the basil yellow?"}'),
        ({"queries.jsonl": "{"}, (), "queries.jsonl, line 1: this is no JSON"),
        ({"queries.jsonl": '{"id": "a"}\n'}, (), "line 1: 'query' is missing"),
        ({"queries.jsonl": '{"id": true, "query": "a"}\n'}, (), "an id is some text or a whole"),
        ({"queries.jsonl": TWICE}, (), "the id 'a' is given twice"),
        ({}, ("--limit", "0"), "at least 1 question"),
        ({}, ("--vault", "nowhere"), "'nowhere' does not exist"),
        ({}, ("--out", "queries.jsonl"), "names the input file"),
        ({}, ("--out", "vault/out.jsonl"), "lies in the vault"),
        ({}, ("--report", "page.html"), "give --qrels too"),
        ({}, ("--report", "vault/page.html"), "lies in the vault"),
        ({}, ("--qrels", "none.tsv"), "'none.tsv' does not exist"),
        ({"q.tsv": ""}, ("--qrels", "q.tsv"), "separated by tabs"),
        ({"q.tsv": "7\tplants/Basil.md\n"}, ("--qrels", "q.tsv"), "line 1: give three columns"),
        ({"q.tsv": "7\tBasil\tmuch\n"}, ("--qrels", "q.tsv"), "the gain 'much' is no number"),
        ({"q.tsv": "7\tBasil\tnan\n"}, ("--qrels", "q.tsv"), "the gain is no number"),
        ({"q.tsv": '{"query_id": 7}\n'}, ("--qrels", "q.tsv"), "line 1: 'note_path' is missing"),
        (
            {"q.tsv": "7\tno.md\t1\nbread\tnone.md\t1\n"},
            ("--qrels", "q.tsv"),
            "nothing can be scored: 2 lines name a note that is not in the vault",
        ),
        (
            {"q.tsv": "7\tplants/Basil.md\t0\n7\tplants/Mint.md\t-1\nx\tplants/Mint.md\t1\n"},
            ("--qrels", "q.tsv"),
            "'x'; 2 lines give no gain above 0. Name the questions as --queries does",
        ),
    ],
)
def test_what_cannot_be_used_is_one_line_and_nothing_is_written(
    folder: Path, files: Mapping[str, str], arguments: tuple[str, ...], told: str
) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)

    done = run(*arguments)

    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "out.jsonl").exists()
