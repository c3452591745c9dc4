"""Any process killed at any moment: the next command completes what was begun, and says so."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from tests.support.processes.crashing import QUESTIONS, Copy, Stage, unlike

pytestmark = pytest.mark.integration


def often(*moments: tuple[str | int, ...], now: int) -> list[ParameterSet]:
    """The moments, of which those behind the first ``now`` are for a run of hours."""
    return [
        pytest.param(*moment, marks=() if at < now else pytest.mark.torture)
        for at, moment in enumerate(moments)
    ]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage.made(tmp_path_factory.mktemp("crash"))


@pytest.fixture
def copy(stage: Stage, request: pytest.FixtureRequest) -> Iterator[Copy]:
    assert stage.undisturbed
    made = stage.copy(f"c{abs(hash(request.node.name)) % 10**8}")
    yield made
    made.brain("stop")
    shutil.rmtree(made.data_dir)


@pytest.mark.parametrize(
    ("moment", "nth"),
    often(
        ("Catalog.write", 1),
        ("GraphitiStore.replace.done", 1),
        ("SemanticClient.upsert.done", 1),
        ("Soundness.begin_run.done", 1),
        ("Catalog.remove", 1),
        ("History.see", 1),
        ("sql:COMMIT", 8),
        ("GraphitiStore.replace", 1),
        ("GraphLedger.set_resolved", 1),
        ("Outbox.acknowledge_vectors.done", 1),
        ("SemanticClient.delete.done", 1),
        ("Soundness.end_run", 1),
        now=3,
    ),
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
    assert not (found := unlike(copy.outcome(), stage.undisturbed)), found
    assert "interrupted" not in copy.brain("index").stdout


@pytest.mark.parametrize(
    ("moment", "nth"),
    often(("Catalog.write", 1), ("History.see", 1), ("Catalog.write.done", 2), now=1),
)
def test_a_question_that_is_killed_leaves_nothing_half_done(
    stage: Stage, copy: Copy, moment: str, nth: int
) -> None:
    copy.killed(moment, nth, "self", "ask", QUESTIONS[0])
    assert "eats frogs" in copy.brain("ask", QUESTIONS[0]).stdout
    assert copy.brain("index").returncode == 0
    assert not (found := unlike(copy.outcome(), stage.undisturbed)), found


@pytest.mark.parametrize(
    ("victim", "moment"),
    often(
        ("semantic", "SemanticClient.upsert"),
        ("database", "GraphitiStore.replace"),
        ("semantic", "SemanticClient.delete"),
        ("keeper", "GraphitiStore.replace"),
        ("database", "GraphLedger.acknowledge.done"),
        now=2,
    ),
)
def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(
    stage: Stage, copy: Copy, victim: str, moment: str
) -> None:
    done = copy.killed(moment, 1, victim, "index")
    assert done.returncode == 0, done.stderr
    assert copy.brain("index").returncode == 0
    assert not (found := unlike(copy.outcome(), stage.undisturbed)), found


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
        assert copy.wrong() == []
    with closing(sqlite3.connect(copy.data_dir / "history.db")) as db, db:
        db.execute("UPDATE notes SET digest = 'what the graph lost' WHERE id = 1")
    assert json.loads(copy.brain("index", "--json").stdout)["graph_written"] == 1


def test_a_resident_that_is_killed_while_it_catches_up_costs_no_answer(
    stage: Stage, copy: Copy
) -> None:
    with copy.staying("Catalog.write.done", "serve", said="Answering for"):
        done = copy.brain("ask", QUESTIONS[0])
    assert (done.returncode, done.stderr) == (0, "")
    assert "eats frogs" in done.stdout
    assert copy.brain("index").returncode == 0
    assert not (found := unlike(copy.outcome(), stage.undisturbed)), found


def test_a_resident_that_is_killed_when_it_asks_back_leaves_no_thread_in_between(
    copy: Copy,
) -> None:
    with copy.staying("QuestionStore.aput.done", "serve", said="Answering for"):
        back = copy.brain("ask", "Tell me about topic 5", "--thread", "t")
    assert back.returncode == 3, back.stderr
    done = copy.brain("ask", "--thread", "t", "--choose", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"]


@pytest.mark.parametrize("moment", ["Catalog.write.done", "GraphitiStore.replace.done"])
def test_a_watcher_that_is_killed_in_a_burst_leaves_no_work_undone(
    stage: Stage, copy: Copy, tmp_path: Path, moment: str
) -> None:
    stage.rewind()
    watching = replace(copy, variables={"TMPDIR": str(tmp_path)})
    with watching.staying(moment, "watch", said="watching"):
        stage.change()
    assert list(tmp_path.iterdir()) == []
    asked = json.loads(copy.brain("ask", QUESTIONS[0], "--json").stdout)
    assert "The last indexing run was interrupted." in {w["error"] for w in asked["warnings"]}
    assert copy.brain("index").stdout.count("was interrupted") == 1
    assert not (found := unlike(copy.outcome(), stage.undisturbed)), found
