"""Stores that were lost or damaged: told in one line, and mended by the next run."""

import asyncio
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
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tools.graph.extraction.store import InferredStore
from tools.runtime.services import graph_service, semantic_service, stop
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

NOTES = {
    "2024-01-01 Basil.md": "Basil wants warm water.\n\ncauses:: [[Tea]]\n",
    "Tea.md": "---\ncreated: 2024-01-02\n---\nTea is a drink of leaves.",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folder = tmp_path_factory.mktemp("renewed")
    yield from renewed(Indexed(vault=folder / "vault", data_dir=folder / "data"), NOTES)


@pytest.fixture
def place(shared: Renewed) -> Iterator[Indexed]:
    """Indexed; inferred facts are gone afterwards, and a test mends what no run would."""
    made = shared.anew()
    yield made
    for file in made.data_dir.glob("inferred.db*"):
        file.unlink()


@pytest.fixture
def brain(place: Indexed) -> Brain:
    return partial(run_here, environment=place.environment)


def lose_server(place: Indexed, store: str) -> None:
    """End the server of a store; the next command that needs it starts another."""
    settings = load_settings(vault=place.vault, data_dir=place.data_dir)
    asyncio.run(stop((graph_service if store == "graph" else semantic_service)(settings)))


@pytest.mark.parametrize("store", ["chroma", "graph"])
def test_a_lost_store_is_filled_again_by_the_next_index(
    place: Indexed, brain: Brain, store: str
) -> None:
    lose_server(place, store)
    shutil.rmtree(place.data_dir / store)
    assert brain("ask", "What does basil want?").returncode == 0  # makes an empty one
    assert brain("index").returncode == 0
    doctor = brain("doctor")
    assert doctor.returncode == 0, doctor.stdout


def test_a_damaged_graph_is_named_and_mended_by_a_rebuild(place: Indexed, brain: Brain) -> None:
    lose_server(place, "graph")
    for file in (place.data_dir / "graph").rglob("*.aof"):
        file.write_bytes(b"*3\r\n$5\r\nhello, this is no command log" * 20)
    assert "--rebuild" in brain("doctor").stdout
    rebuilt = brain("index", "--rebuild", "--json")
    assert json.loads(rebuilt.stdout)["graph_written"] == 2
    assert brain("doctor").returncode == 0


@pytest.mark.parametrize("damage", ["no database", "newer"])
def test_without_the_inferred_facts_all_else_goes_on(
    place: Indexed, brain: Brain, damage: Damage
) -> None:
    file = place.data_dir / "inferred.db"
    read(InferredStore(file, model="none"), version("Tea.md"), ["Engines"])
    assert brain("index").returncode == 0
    spoil(file, damage)
    (place.vault / "Tea.md").write_text("Tea is hot.\n\ncauses:: [[Sleep]]\n")

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


@pytest.fixture
def history(place: Indexed) -> Iterator[sqlite3.Connection]:
    """The history of the notes, whose versions are afterwards what they were."""
    with closing(sqlite3.connect(place.data_dir / "history.db")) as db:
        before = db.execute("SELECT said, at, id FROM versions").fetchall()
        yield db
        with db:
            db.executemany("UPDATE versions SET said = ?, at = ? WHERE id = ?", before)


@pytest.mark.parametrize("column", ["said", "at"])
def test_damaged_versions_are_told_by_whatever_needs_them(
    history: sqlite3.Connection, brain: Brain, column: str
) -> None:
    with history:
        history.execute(f"UPDATE versions SET {column} = x'0102'")  # noqa: S608
        history.execute("UPDATE notes SET dirty = 1")

    past = ("ask", "What is tea?", "--as-of", "2030-01-01")
    for command, code in ((("timeline", "tea"), 2), (("index",), 0), (past, 0)):
        done = brain(*command)
        assert done.returncode == code
        told = done.stdout + done.stderr
        assert "history in the data directory cannot be read (a value in it is damaged)" in told
        assert "move history.db out of the data directory" in told
    assert "Basil wants warm water." in brain("ask", "What does basil want?").stdout


def test_damaged_open_questions_do_not_keep_new_ones_from_being_answered(
    place: Indexed,
) -> None:
    file = place.data_dir / "checkpoints.db"
    file.write_bytes(b"no database, but long enough to be read" * 300)
    done = run("ask", "What does basil want?", environment=place.environment)
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert "checkpoints.damaged" in done.stderr
    assert "Basil wants warm water." in done.stdout


@pytest.fixture
def variables(write_vault: Callable[[dict[str, str]], Path], tmp_path: Path) -> dict[str, str]:
    """What leads the command line to a vault that was never indexed."""
    return environment(write_vault(NOTES), tmp_path / "data")


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


def test_output_that_cannot_be_written_is_one_line(place: Indexed) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [BRAIN, "status", "--json"],
            env=place.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "the output cannot be written" in line
