"""Stores that were lost or damaged: told in one line, and mended by the next run."""

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.support.processes.command_line import BRAIN, Brain, environment, run, run_here
from tests.support.values.inferred import Damage, read, spoil, version
from tools.graph.extraction.store import InferredStore

pytestmark = pytest.mark.integration


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def variables(write_vault: Callable[[dict[str, str]], Path], data_dir: Path) -> dict[str, str]:
    """What leads the command line to a small vault of its own."""
    notes = {
        "2024-01-01 Basil.md": "Basil wants warm water.\n\ncauses:: [[Tea]]\n",
        "Tea.md": "---\ncreated: 2024-01-02\n---\nTea is a drink of leaves.",
    }
    return environment(write_vault(notes), data_dir)


@pytest.fixture
def brain(variables: dict[str, str]) -> Iterator[Brain]:
    """The command line, once it has indexed."""
    brain = partial(run_here, environment=variables)
    assert brain("index").returncode == 0
    yield brain
    brain("stop")


@pytest.mark.parametrize("store", ["chroma", "graph"])
def test_a_lost_store_is_filled_again_by_the_next_index(
    brain: Brain, data_dir: Path, store: str
) -> None:
    brain("stop")
    shutil.rmtree(data_dir / store)
    assert brain("ask", "What does basil want?").returncode == 0  # makes an empty one
    assert brain("index").returncode == 0
    doctor = brain("doctor")
    assert doctor.returncode == 0, doctor.stdout


def test_a_damaged_graph_is_named_and_mended_by_a_rebuild(brain: Brain, data_dir: Path) -> None:
    brain("stop")
    for file in (data_dir / "graph").rglob("*.aof"):
        file.write_bytes(b"*3\r\n$5\r\nhello, this is no command log" * 20)
    assert "--rebuild" in brain("doctor").stdout
    rebuilt = brain("index", "--rebuild", "--json")
    assert json.loads(rebuilt.stdout)["graph_written"] == 2
    assert brain("doctor").returncode == 0


@pytest.mark.parametrize("damage", ["no database", "newer"])
def test_without_the_inferred_facts_all_else_goes_on(
    brain: Brain, variables: dict[str, str], data_dir: Path, damage: Damage
) -> None:
    read(InferredStore(data_dir / "inferred.db", model="none"), version("Tea.md"), ["Engines"])
    assert brain("index").returncode == 0
    spoil(data_dir / "inferred.db", damage)
    (Path(variables["BRAIN_VAULT"]) / "Tea.md").write_text("Tea is hot.\n\ncauses:: [[Sleep]]\n")

    facts = brain("facts", "Tea", "--json")
    assert [fact["object"] for fact in json.loads(facts.stdout)] == ["Sleep"]
    assert_told(facts.stderr)
    assert [f["object"] for f in json.loads(brain("facts", "Ada", "--json").stdout)] == ["Engines"]
    for command in (("index",), ("index",), ("ask", "What is tea?"), ("status",), ("doctor",)):
        done = brain(*command)
        assert (done.returncode, done.stderr) == (1 if command == ("doctor",) else 0, "")
        assert_told(done.stdout)
    assert "Tea is hot." in brain("ask", "What is tea?").stdout
    refused = brain("index", "--extract", ".", "--yes")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert_told(refused.stderr)


def assert_told(printed: str) -> None:
    """In one line that says what to do; a table breaks it where it likes."""
    told = " ".join(printed.split())
    assert told.count("file of inferred facts") == 1
    assert ("brain index --extract" in told) != ("update brain" in told)


@pytest.mark.parametrize("column", ["said", "at"])
def test_damaged_versions_are_told_by_whatever_needs_them(
    brain: Brain, data_dir: Path, column: str
) -> None:
    with closing(sqlite3.connect(data_dir / "history.db")) as db, db:
        db.execute(f"UPDATE versions SET {column} = x'0102'")  # noqa: S608
        db.execute("UPDATE notes SET dirty = 1")

    past = ("ask", "What is tea?", "--as-of", "2030-01-01")
    for command, code in ((("timeline", "tea"), 2), (("index",), 0), (past, 0)):
        done = brain(*command)
        assert done.returncode == code
        told = done.stdout + done.stderr
        assert "history in the data directory cannot be read (a value in it is damaged)" in told
        assert "move history.db out of the data directory" in told
    assert "Basil wants warm water." in brain("ask", "What does basil want?").stdout


@pytest.mark.usefixtures("brain")
def test_damaged_open_questions_do_not_keep_new_ones_from_being_answered(
    variables: dict[str, str], data_dir: Path
) -> None:
    (data_dir / "checkpoints.db").write_bytes(b"no database, but long enough to be read" * 300)
    done = run("ask", "What does basil want?", environment=variables)
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert "checkpoints.damaged" in done.stderr
    assert "Basil wants warm water." in done.stdout


def test_a_folder_with_other_things_is_not_taken_as_data_directory(
    variables: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o755)
    (other / "letter.txt").write_text("mine", "utf-8")
    done = run_here("index", "--data-dir", str(other), environment=variables)
    assert done.returncode == 2
    assert "holds other things" in done.stderr
    assert other.stat().st_mode & 0o777 == 0o755
    assert [entry.name for entry in other.iterdir()] == ["letter.txt"]


def test_paths_that_are_too_long_are_refused_in_one_line(variables: dict[str, str]) -> None:
    for option in ("--vault", "--data-dir"):
        done = run_here("index", option, "/tmp/" + "x" * 300, environment=variables)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.usefixtures("brain")
def test_output_that_cannot_be_written_is_one_line(variables: dict[str, str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [BRAIN, "status", "--json"],
            env=variables,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "the output cannot be written" in line
