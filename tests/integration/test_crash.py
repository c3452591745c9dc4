"""Any process killed at any moment: the next command completes what was begun, and says so."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Brain, environment, run_here

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parent.parent.parent
NOTES = 150
QUESTIONS = (
    "What does the heron of Porto eat?",
    "What does the lynx of Oslo eat?",
    "Why did topic 12 happen?",
    "Compare Topic 3 and Topic 44",
)
ANIMALS = (
    *("otter", "heron", "lynx", "badger", "stork", "falcon", "seal", "beaver", "crane", "marten"),
    *("eagle", "turtle", "gecko", "ibis", "raven"),
)
PLACES = (
    *("Porto", "Oslo", "Lima", "Kyoto", "Cairo", "Quito", "Riga", "Turin", "Hanoi", "Tunis"),
    "Perth",
)


def note(number: int, *, food: str) -> str:
    return (
        f"---\ncreated: 2024-01-{1 + number % 28:02}\n---\n# Topic {number}\n\n"
        f"The {ANIMALS[number % 15]} of {PLACES[number // 15]} eats {food}.\n\n"
        f"causes:: [[Topic {(number + 1) % NOTES}]]\n"
    )


@dataclass(frozen=True)
class Stage:
    """A vault that changed since ``before`` was indexed, and a place for copies of that index."""

    vault: Path
    before: Path
    copies: Path

    def copy(self, name: str) -> "Copy":
        made = Copy(vault=self.vault, data_dir=self.copies / name)
        shutil.copytree(self.before, made.data_dir)
        return made

    @cached_property
    def undisturbed(self) -> dict[str, Any]:
        """What a run that nobody disturbed comes to."""
        copy = self.copy("undisturbed")
        assert copy.brain("index").returncode == 0
        try:
            return copy.outcome()
        finally:
            copy.brain("stop")


@dataclass(frozen=True)
class Copy:
    vault: Path
    data_dir: Path

    @property
    def environment(self) -> dict[str, str]:
        return environment(self.vault, self.data_dir)

    @property
    def brain(self) -> Brain:
        return partial(run_here, environment=self.environment)

    def killed(
        self, moment: str, nth: int, victim: str, *arguments: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line in a process, with somebody killed at that moment."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.dying", moment, str(nth), victim, *arguments],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (self.data_dir / "run" / "killed").exists(), (done.stdout, done.stderr)
        assert (done.returncode == -9) == (victim == "self"), done.stderr
        return done

    def outcome(self) -> dict[str, Any]:
        """Everything that must not depend on whether somebody was killed."""
        doctor = self.brain("doctor")
        assert doctor.returncode == 0, doctor.stdout
        with closing(sqlite3.connect(self.data_dir / "history.db")) as db:
            versions = db.execute(
                "SELECT n.path, v.path, v.content_hash FROM versions v JOIN notes n "
                "ON n.id = v.note_id ORDER BY n.path, v.at, v.id"
            ).fetchall()
        return {
            "versions": versions,
            "answers": [answer(self.brain, question) for question in QUESTIONS],
        }


def answer(brain: Brain, question: str) -> dict[str, Any]:
    done = brain("ask", question, "--json", "--no-input")
    assert done.returncode == 0, done.stderr
    given = json.loads(done.stdout)
    assert given["warnings"] == []
    return {
        "said": given["answer"].partition("\n## ")[2].partition("\n## ")[0],
        "results": [
            (result["note_path"], round(result["composite_relevance"], 3), result["excerpts"])
            for result in given["results"]
        ],
    }


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder = tmp_path_factory.mktemp("crash")
    vault = folder / "vault"
    vault.mkdir()
    for number in range(NOTES):
        (vault / f"Topic {number}.md").write_text(note(number, food="fish"), "utf-8")
    first = Copy(vault=vault, data_dir=folder / "before")
    assert first.brain("index").returncode == 0
    first.brain("stop")
    for number in range(70):
        (vault / f"Topic {number}.md").write_text(note(number, food="frogs"), "utf-8")
    for number in range(70, 85):
        (vault / f"Topic {number}.md").unlink()
    for number in range(85, 95):
        (vault / f"Topic {number}.md").rename(vault / f"Renamed {number}.md")
    for number in range(NOTES, NOTES + 15):
        (vault / f"Topic {number}.md").write_text(note(number, food="newts"), "utf-8")
    return Stage(vault=vault, before=first.data_dir, copies=folder)


@pytest.fixture
def copy(stage: Stage, request: pytest.FixtureRequest) -> Iterator[Copy]:
    assert stage.undisturbed
    made = stage.copy(f"c{abs(hash(request.node.name)) % 10**8}")
    yield made
    made.brain("stop")
    shutil.rmtree(made.data_dir)


@pytest.mark.parametrize(
    ("moment", "nth"),
    [
        ("Soundness.begin_run.done", 1),
        ("Catalog.remove", 1),
        ("History.see", 1),
        ("Catalog.write", 1),
        ("sql:COMMIT", 8),
        ("GraphitiStore.replace", 1),
        ("GraphitiStore.replace.done", 1),
        ("GraphLedger.set_resolved", 1),
        ("SemanticClient.upsert.done", 1),
        ("Outbox.acknowledge_vectors.done", 1),
        ("SemanticClient.delete.done", 1),
        ("Soundness.end_run", 1),
    ],
)
def test_an_indexing_run_that_is_killed_is_completed_by_the_next(
    stage: Stage, copy: Copy, moment: str, nth: int
) -> None:
    copy.killed(moment, nth, "self", "index")
    asked = json.loads(copy.brain("ask", QUESTIONS[0], "--json").stdout)
    assert "The last indexing run was interrupted." in {w["error"] for w in asked["warnings"]}
    done = copy.brain("index")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("was interrupted") == 1
    assert copy.outcome() == stage.undisturbed
    assert "interrupted" not in copy.brain("index").stdout


@pytest.mark.parametrize(
    ("moment", "nth"), [("History.see", 1), ("Catalog.write", 1), ("Catalog.write.done", 2)]
)
def test_a_question_that_is_killed_leaves_nothing_half_done(
    stage: Stage, copy: Copy, moment: str, nth: int
) -> None:
    copy.killed(moment, nth, "self", "ask", QUESTIONS[0])
    assert "eats frogs" in copy.brain("ask", QUESTIONS[0]).stdout
    assert copy.brain("index").returncode == 0
    assert copy.outcome() == stage.undisturbed


@pytest.mark.parametrize(
    ("victim", "moment"),
    [
        ("semantic", "SemanticClient.upsert"),
        ("semantic", "SemanticClient.delete"),
        ("keeper", "GraphitiStore.replace"),
        ("database", "GraphitiStore.replace"),
        ("database", "GraphLedger.acknowledge.done"),
    ],
)
def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(
    stage: Stage, copy: Copy, victim: str, moment: str
) -> None:
    done = copy.killed(moment, 1, victim, "index")
    assert done.returncode == 0, done.stderr
    assert copy.brain("index").returncode == 0
    assert copy.outcome() == stage.undisturbed


@pytest.mark.parametrize("moment", ["sql:CREATE VIRTUAL TABLE words", "Catalog.write"])
def test_an_upgrade_of_the_index_that_is_killed_is_made_by_the_next_command(
    stage: Stage, copy: Copy, moment: str
) -> None:
    with closing(sqlite3.connect(copy.data_dir / "index.db")) as db:
        db.execute("PRAGMA user_version = 3")
    copy.killed(moment, 1, "self", "index")
    assert copy.brain("index").returncode == 0
    answers = copy.outcome()["answers"]
    # Without a catalog nobody knows what went, so a renamed note has an end and a beginning.
    assert said(answers) == said(stage.undisturbed["answers"])


def said(answers: list[dict[str, Any]]) -> list[str]:
    return [answer["said"] for answer in answers]


def test_after_a_server_was_killed_its_store_is_compared_again(copy: Copy) -> None:
    assert copy.brain("index").returncode == 0
    for name in ("semantic", "graph"):
        os.kill(int((copy.data_dir / "run" / f"{name}.pid").read_text("ascii")), 9)
        assert copy.brain("doctor").returncode == 0
    with closing(sqlite3.connect(copy.data_dir / "history.db")) as db, db:
        db.execute("UPDATE notes SET digest = 'what the graph lost' WHERE id = 1")
    assert json.loads(copy.brain("index", "--json").stdout)["graph_written"] == 1
