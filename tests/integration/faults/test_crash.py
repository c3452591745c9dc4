"""Any process killed at any moment: the next command completes what was begun, and says so.

Each run kills one process after another over one index; the torture kills each at each moment, over
an index of its own.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.processes.crashing import QUESTIONS, Copy, Stage, unlike

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage.made(tmp_path_factory.mktemp("crash"))


@pytest.fixture(scope="module")
def completed(stage: Stage) -> Iterator[tuple[Copy, dict[str, Any]]]:
    made = stage.copy("completed")
    assert made.brain("index").returncode == 0
    yield made, made.outcome()
    made.brain("stop")


@pytest.fixture
def finished(completed: tuple[Copy, dict[str, Any]]) -> Copy:
    """A copy whose indexing run nobody disturbed; each test leaves it so."""
    return completed[0]


@pytest.fixture
def undisturbed(completed: tuple[Copy, dict[str, Any]]) -> dict[str, Any]:
    """What a run that nobody disturbed comes to."""
    return completed[1]


@pytest.fixture
def copy(stage: Stage, request: pytest.FixtureRequest) -> Iterator[Copy]:
    """A copy of the index from before the notes changed."""
    made = stage.copy(f"c{abs(hash(request.node.name)) % 10**8}")
    yield made
    made.brain("stop")
    shutil.rmtree(made.data_dir)


def test_whoever_is_killed_one_after_another_the_last_run_completes_what_was_begun(
    copy: Copy, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    dying = replace(copy, variables={"TMPDIR": str(tmp_path)})
    dying.killed("Catalog.write", 1, "self", "ask", QUESTIONS[0])
    assert "eats frogs" in copy.brain("ask", QUESTIONS[0]).stdout
    dying.killed("SemanticClient.upsert.done", 1, "self", "index")
    assert list(tmp_path.iterdir()) == []
    assert_told_of_the_interruption(copy)
    done = copy.killed("SemanticClient.delete", 1, "semantic", "index")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("was interrupted") == 1
    assert "interrupted" not in copy.brain("index").stdout
    assert not (found := unlike(copy.outcome(), undisturbed)), found


def assert_told_of_the_interruption(copy: Copy) -> None:
    asked = json.loads(copy.brain("ask", QUESTIONS[0], "--json").stdout)
    assert "The last indexing run was interrupted." in {w["error"] for w in asked["warnings"]}


@pytest.mark.torture
@pytest.mark.parametrize(
    ("moment", "nth"),
    [
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
    ],
)
def test_an_indexing_run_that_is_killed_is_completed_by_the_next(
    copy: Copy, undisturbed: dict[str, Any], moment: str, nth: int
) -> None:
    copy.killed(moment, nth, "self", "index")
    assert_told_of_the_interruption(copy)
    done = copy.brain("index")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("was interrupted") == 1
    assert not (found := unlike(copy.outcome(), undisturbed)), found
    assert "interrupted" not in copy.brain("index").stdout


@pytest.mark.torture
@pytest.mark.parametrize(
    ("moment", "nth"), [("Catalog.write", 1), ("History.see", 1), ("Catalog.write.done", 2)]
)
def test_a_question_that_is_killed_leaves_nothing_half_done(
    copy: Copy, undisturbed: dict[str, Any], moment: str, nth: int
) -> None:
    copy.killed(moment, nth, "self", "ask", QUESTIONS[0])
    assert "eats frogs" in copy.brain("ask", QUESTIONS[0]).stdout
    assert copy.brain("index").returncode == 0
    assert not (found := unlike(copy.outcome(), undisturbed)), found


@pytest.mark.torture
@pytest.mark.parametrize(
    ("victim", "moment"),
    [
        ("semantic", "SemanticClient.upsert"),
        ("database", "GraphitiStore.replace"),
        ("semantic", "SemanticClient.delete"),
        ("keeper", "GraphitiStore.replace"),
        ("database", "GraphLedger.acknowledge.done"),
    ],
)
def test_a_server_that_is_killed_loses_nothing_that_it_acknowledged(
    copy: Copy, undisturbed: dict[str, Any], victim: str, moment: str
) -> None:
    done = copy.killed(moment, 1, victim, "index")
    assert done.returncode == 0, done.stderr
    assert copy.brain("index").returncode == 0
    assert not (found := unlike(copy.outcome(), undisturbed)), found


def test_an_upgrade_of_the_index_that_is_killed_is_made_by_the_next_command(
    finished: Copy, undisturbed: dict[str, Any]
) -> None:
    make_older(finished)
    finished.killed("sql:CREATE VIRTUAL TABLE words", 1, "self", "index")
    assert finished.brain("index").returncode == 0
    assert not (found := unlike(finished.outcome(), undisturbed)), found


@pytest.mark.torture
@pytest.mark.parametrize("moment", ["sql:CREATE VIRTUAL TABLE words", "Catalog.write"])
def test_an_upgrade_that_is_killed_before_changed_notes_are_read_is_made_by_the_next_command(
    copy: Copy, undisturbed: dict[str, Any], moment: str
) -> None:
    make_older(copy)
    copy.killed(moment, 1, "self", "index")
    assert copy.brain("index").returncode == 0
    answers = copy.outcome()["answers"]
    # Without a catalog nobody knows what went, so a renamed note has an end and a beginning.
    assert said(answers) == said(undisturbed["answers"])


def make_older(copy: Copy) -> None:
    with closing(sqlite3.connect(copy.data_dir / "index.db")) as db:
        db.execute("PRAGMA user_version = 3")


def said(answers: list[dict[str, Any]]) -> list[str]:
    return [answer["said"] for answer in answers]


@pytest.mark.parametrize(
    "names", [["graph"], pytest.param(["semantic", "graph"], marks=pytest.mark.torture)]
)
def test_after_a_server_was_killed_its_store_is_compared_again(
    finished: Copy, names: list[str]
) -> None:
    for name in names:
        server = psutil.Process(int((finished.data_dir / "run" / f"{name}.pid").read_text("ascii")))
        gone = [server, *server.children()]  # the database ends with its keeper, a moment later
        server.kill()
        psutil.wait_procs(gone, timeout=20)
        assert finished.wrong() == []
    with closing(sqlite3.connect(finished.data_dir / "history.db")) as db, db:
        db.execute("UPDATE notes SET digest = 'what the graph lost' WHERE id = 1")
    assert json.loads(finished.brain("index", "--json").stdout)["graph_written"] == 1


@pytest.mark.torture
def test_a_service_that_is_killed_while_it_catches_up_costs_no_answer(
    copy: Copy, undisturbed: dict[str, Any]
) -> None:
    with copy.staying("Catalog.write.done", "serve", said="Answering for"):
        done = copy.brain("ask", QUESTIONS[0])
    assert (done.returncode, done.stderr) == (0, "")
    assert "eats frogs" in done.stdout
    assert copy.brain("index").returncode == 0
    assert not (found := unlike(copy.outcome(), undisturbed)), found


def test_a_service_that_is_killed_when_it_asks_back_leaves_no_thread_in_between(
    finished: Copy,
) -> None:
    with finished.staying("QuestionStore.aput.done", "serve", said="Answering for"):
        back = finished.brain("ask", "Tell me about topic 5", "--thread", "t")
    assert back.returncode == 3, back.stderr
    done = finished.brain("ask", "--thread", "t", "--choose", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"]


@pytest.mark.torture
@pytest.mark.parametrize("moment", ["Catalog.write.done", "GraphitiStore.replace.done"])
def test_a_watcher_that_is_killed_in_a_burst_leaves_no_work_undone(
    stage: Stage, copy: Copy, undisturbed: dict[str, Any], tmp_path: Path, moment: str
) -> None:
    stage.rewind()
    watching = replace(copy, variables={"TMPDIR": str(tmp_path)})
    with watching.staying(moment, "watch", said="watching"):
        stage.change()
    assert list(tmp_path.iterdir()) == []
    assert_told_of_the_interruption(copy)
    assert copy.brain("index").stdout.count("was interrupted") == 1
    assert not (found := unlike(copy.outcome(), undisturbed)), found
