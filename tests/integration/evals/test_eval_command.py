"""``brain eval`` as a person or a script meets it: no vault, no server, no model."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents.llm.language_model import probe
from evals.datasets.records import read_lines
from evals.llm.observations import ObservedCase
from graphs.cli.main import app
from tests.fakes.ollama import FakeOllama
from tests.support.processes.command_line import BRAIN, run_here

pytestmark = pytest.mark.integration

QUESTIONS = (
    {"query": "What is a Zettelkasten?", "intent": "factual", "form": "question"},
    {"query": " Why was my bread dense? ", "intent": "causal", "form": "question"},
    {"query": "Tell me about sleep", "intent": "exploratory", "also": ["factual"], "form": "bare"},
    {"query": "What did I write on 2024-02-31?", "intent": "temporal", "form": "question"},
    {"query": "Uyku ve kahve", "language": "tr"},
)
OBSERVED = ("--out", "out.jsonl", "--mode", "llm", "--observations")
KEYS = {"query", "predicted", "confidence", "probabilities", "clarify", "decided_by"}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    outside = {k: v for k, v in os.environ.items() if not k.startswith("BRAIN_")}
    return {**outside, "BRAIN_MODE": "local", "XDG_CONFIG_HOME": str(tmp_path / "config")}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return lines(tmp_path / "questions.jsonl", *QUESTIONS)


def lines(path: Path, *records: object) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return path


def run(*arguments: str | Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return run_here("eval", "intents", *map(str, arguments), environment=environment)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that says why nothing was done."""
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr


def test_a_line_for_each_question_in_order(
    questions: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    out = tmp_path / "out.jsonl"
    done = run(questions, "--out", out, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [one["query"] for one in found] == [one["query"] for one in QUESTIONS]
    assert [one["predicted"] for one in found[:2]] == ["factual", "causal"]
    assert found[2]["clarify"] is True
    assert (found[3]["predicted"], "2024-02-31" in found[3]["error"]) == (None, True)
    for one in (*found[:3], found[4]):
        assert set(one) == KEYS
        assert one["decided_by"] == "local"
        assert sum(one["probabilities"].values()) == pytest.approx(1)
        assert one["probabilities"][one["predicted"]] == one["confidence"]
    for said in ("5, 1 refused", "rightly read", "F1", "by form", "p95"):
        assert said in done.stdout


def test_labels_and_most_of_a_file_can_be_left_out(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    file = lines(tmp_path / "q.jsonl", *({"query": one["query"]} for one in QUESTIONS))
    done = run(file, "--out", tmp_path / "o.jsonl", "--limit", "2", environment=environment)
    assert done.returncode == 0
    assert len((tmp_path / "o.jsonl").read_text("utf-8").splitlines()) == 2
    assert "rightly read" not in done.stdout


def test_without_a_model_that_was_asked_for_it_says_so(
    questions: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    unreachable = {**environment, "BRAIN_OLLAMA_URL": "http://127.0.0.1:9"}
    out = tmp_path / "out.jsonl"
    done = run(questions, "--out", out, "--mode", "llm", "--model", "m", environment=unreachable)
    assert done.returncode == 0
    assert "fallback 4, refused 1" in done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert "no model answered 4 of 5 questions" in done.stderr


def asked(ollama: FakeOllama, *arguments: str | Path) -> Result:
    """What the command comes to in this process, with the model ``tiny`` of this server.

    The server is probed before: what that imports may take longer than the second a probe has.
    """
    asyncio.run(probe(ollama.url, "tiny", timeout=60))
    environment = {"BRAIN_OLLAMA_URL": ollama.url, "BRAIN_MODEL_TIMEOUT": "120"}
    options = ("--mode", "llm", "--model", "tiny")
    return CliRunner().invoke(
        app, ["eval", "intents", *map(str, (*arguments, *options))], env=environment
    )


def test_what_a_model_says_of_labelled_questions_is_kept_for_the_fit(
    questions: Path, tmp_path: Path
) -> None:
    def reply(prompt: str) -> dict[str, object]:
        second = "temporal" if "Tell me about sleep" in prompt else None
        return {"reason": "said", "intent": "causal", "confidence": 0.9, "second": second}

    out, kept = tmp_path / "out.jsonl", tmp_path / "said.jsonl"
    with FakeOllama(replies=reply, models=("tiny:latest",)) as ollama:
        done = asked(ollama, questions, "--out", out, "--observations", kept)
    assert (done.exit_code, done.stderr) == (0, "")
    assert len(out.read_text("utf-8").splitlines()) == len(QUESTIONS)
    # The fourth was refused, the fifth has no label.
    records = read_lines(kept, ObservedCase)
    assert [(r.query, r.intent, r.also) for r in records] == [
        ("What is a Zettelkasten?", "factual", ()),
        (" Why was my bread dense? ", "causal", ()),
        ("Tell me about sleep", "exploratory", ("factual",)),
    ]
    assert {(r.model, r.model_intent, r.model_confidence) for r in records} == {
        ("tiny", "causal", 0.9)
    }
    assert [r.model_second for r in records] == [None, None, "temporal"]
    first = records[0].local_probabilities
    assert max(first, key=first.__getitem__) == "factual"
    assert sum(first.values()) == pytest.approx(1)


def test_where_no_model_answers_nothing_is_kept(questions: Path, tmp_path: Path) -> None:
    kept = tmp_path / "said.jsonl"
    with FakeOllama(mode="error", models=("tiny:latest",)) as ollama:
        done = asked(ollama, questions, "--out", tmp_path / "o.jsonl", "--observations", kept)
    assert (done.exit_code, "fallback 4" in done.stdout) == (0, True)
    assert kept.read_text("utf-8") == ""
    assert "nothing was observed" in done.stderr


def test_the_page(questions: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    page = tmp_path / "page.html"
    done = run(questions, "--out", tmp_path / "o.jsonl", "--report", page, environment=environment)
    assert done.returncode == 0, done.stderr
    assert "<svg" in page.read_text("utf-8")


HIDDEN = """
import sys
sys.modules.update(dict.fromkeys(("matplotlib", "jinja2", "deepeval", "sklearn")))
from typer.testing import CliRunner
from graphs.cli.main import app
page, none = (
    CliRunner().invoke(app, ["eval", "intents", sys.argv[1], *more])
    for more in (["--out", "a.jsonl", "--report", "p.html"], ["--out", "b.jsonl"])
)
sys.stderr.write(page.stderr)
sys.stdout.write(page.stdout)
sys.exit(page.exit_code if none.exit_code == 0 else 1)
"""


def test_only_the_page_needs_the_packages_that_draw(
    questions: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    # In a process of its own, which has imported nothing of them.
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, str(questions)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "matplotlib and jinja2" in refused(done)
    assert not (tmp_path / "a.jsonl").exists()
    assert len((tmp_path / "b.jsonl").read_text("utf-8").splitlines()) == len(QUESTIONS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.jsonl", "--out", "out.jsonl"], "does not exist"),
        (["empty.jsonl", "--out", "out.jsonl"], "is empty"),
        (["broken.jsonl", "--out", "out.jsonl"], "broken.jsonl, line 2"),
        (["unknown.jsonl", "--out", "out.jsonl"], "'poetic' is unknown"),
        (["questions.jsonl", "--out", "out.jsonl", "--limit", "0"], "at least 1"),
        (["questions.jsonl", "--out", "no/folder"], "no folder 'no'"),
        (["questions.jsonl", "--out", "out.jsonl", "--report", "."], "it is a folder"),
        (["questions.jsonl", "--out", "out.jsonl", "--report", "no/p.html"], "no folder 'no'"),
        (["missing.jsonl", "--out", "notes/Tea.md"], "--out 'Tea.md' lies in the vault"),
        (["questions.jsonl", "--out", "notes/../notes/new.md"], "lies in the vault"),
        (["questions.jsonl", "--out", "to-notes/new.md"], "lies in the vault"),
        (["questions.jsonl", "--out", "to-tea.md"], "lies in the vault"),
        (["questions.jsonl", "--out", "out.jsonl", "--report", "notes/Tea.md"], "in the vault"),
        (["questions.jsonl", *OBSERVED, "notes/Tea.md"], "lies in the vault"),
        (["questions.jsonl", "--out", "data/out.jsonl"], "or its data directory"),
        (["questions.jsonl", "--out", "."], "cannot be written"),
        (["unlabelled.jsonl", "--out", "out.jsonl", "--report", "p.html"], "no question has an"),
        (["unlabelled.jsonl", *OBSERVED, "s.jsonl"], "no question has an"),
        (["questions.jsonl", *OBSERVED, "out.jsonl"], "--out and --observations name the same"),
        (["questions.jsonl", *OBSERVED, "questions.jsonl"], "input file"),
        (["questions.jsonl", *OBSERVED, "s.jsonl", "--mode", "local"], "add --mode llm"),
        (["questions.jsonl", "--out", "out.jsonl", "--report", "out.jsonl"], "the same file"),
        (["questions.jsonl", "--out", "out.jsonl", "--report", "questions.jsonl"], "input file"),
        (["questions.jsonl", "--out", "questions.jsonl"], "the input file itself"),
        (["questions.jsonl", "--out", "link.jsonl"], "the input file itself"),
        (["questions.jsonl", "--out", "hard.jsonl"], "the input file itself"),
    ],
)
def test_bad_input_is_one_line_and_2_and_nothing_is_written(
    questions: Path,
    tmp_path: Path,
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # In this process: so many new ones would take longer than everything else together.
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    (tmp_path / "broken.jsonl").write_text('{"query": "fine"}\n{"query": \n', "utf-8")
    lines(tmp_path / "unknown.jsonl", {"query": "x", "intent": "poetic"})
    lines(tmp_path / "unlabelled.jsonl", {"query": "x"})
    (tmp_path / "link.jsonl").symlink_to(questions)
    (tmp_path / "hard.jsonl").hardlink_to(questions)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Tea.md").write_text("Tea is a drink.", "utf-8")
    (tmp_path / "to-notes").symlink_to("notes")
    (tmp_path / "to-tea.md").symlink_to("notes/Tea.md")
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("BRAIN_VAULT", "notes")
    monkeypatch.setenv("BRAIN_DATA_DIR", "data")
    before = contents(tmp_path)
    done = CliRunner().invoke(app, ["eval", "intents", *arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1
    assert said in done.stderr
    assert contents(tmp_path) == before


def test_ctrl_c_keeps_the_lines_written_so_far(tmp_path: Path, environment: dict[str, str]) -> None:
    count = 4_000
    file = lines(tmp_path / "many.jsonl", *({"query": f"What is {n}?"} for n in range(count)))
    out = tmp_path / "out"
    os.mkfifo(out)  # a pipe shows each line as soon as it is written, without polling
    process = subprocess.Popen(
        [BRAIN, "eval", "intents", str(file), "--out", str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with out.open(encoding="utf-8") as pipe:
            first = [pipe.readline() for _ in range(20)]
            process.send_signal(signal.SIGINT)
            written = [json.loads(line) for line in (*first, *pipe)]
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert said.strip() == "brain: stopped; what is done is kept."
    assert len(written) < count
    assert [one["query"] for one in written] == [f"What is {n}?" for n in range(len(written))]
