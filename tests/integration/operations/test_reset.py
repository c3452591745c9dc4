"""``brain reset`` deletes the index, asks first, and deletes nothing else."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from graphs.stores.index_lock import only_indexer
from tests.support.processes.command_line import Brain, environment, run, run_here
from tests.support.values.inferred import read, version
from tools.graph.extraction.store import InferredStore

pytestmark = pytest.mark.integration

NOTES = {"Tea.md": "Tea is hot.", "Milk.md": "Milk is cold.\n\ncauses:: [[Tea]]"}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def brain(vault: Path, data_dir: Path) -> Iterator[Brain]:
    brain = partial(run_here, environment=environment(vault, data_dir))
    assert brain("index").returncode == 0
    yield brain
    brain("stop")


def names(folder: Path) -> set[str]:
    """What is there, without what SQLite keeps beside a file that is open."""
    return {entry.name for entry in folder.iterdir() if not entry.name.endswith(("-wal", "-shm"))}


def test_what_the_notes_do_not_have_is_kept(brain: Brain, vault: Path, data_dir: Path) -> None:
    (vault / "Tea.md").write_text("Tea is cold by now.", "utf-8")
    assert brain("index").returncode == 0
    read(InferredStore(data_dir / "inferred.db", model="none"), version("Tea.md"), ["Engines"])
    done = brain("reset", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 texts of notes" in done.stdout
    assert not names(data_dir) & {"index.db", "chroma", "graph"}
    assert {"history.db", "inferred.db", "vault"} <= names(data_dir)
    assert brain("index").returncode == 0
    assert brain("doctor").returncode == 0
    past = brain("timeline", "Tea", "--json").stdout
    assert "hot" in past
    assert "cold by now" in past


def test_everything_leaves_no_trace(brain: Brain, vault: Path, data_dir: Path) -> None:
    watched = {"BRAIN_SLOW_MS": "0.001", "BRAIN_LOG": "debug"}
    run_here("ask", "What is hot?", environment=environment(vault, data_dir) | watched)
    assert {"slow-questions.jsonl", "index-run.json", "logs"} <= names(data_dir)
    done = brain("reset", "--everything", "--yes", "--json")
    assert done.returncode == 0
    assert {"index", "vectors", "graph", "history"} <= json.loads(done.stdout)["deleted"].keys()
    assert not data_dir.exists()
    assert brain("index").returncode == 0


def test_nothing_is_deleted_without_a_terminal(brain: Brain, vault: Path, data_dir: Path) -> None:
    before = names(data_dir)
    done = run("reset", environment=environment(vault, data_dir), stdin="vault\n")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert names(data_dir) == before
    assert brain("doctor").returncode == 0


def test_nothing_is_deleted_while_another_process_indexes(brain: Brain, data_dir: Path) -> None:
    before = names(data_dir)
    with only_indexer(data_dir):
        done = brain("reset", "--yes")
    assert done.returncode == 2
    assert "being indexed" in done.stderr
    assert names(data_dir) == before


def test_what_is_not_ours_stays_and_links_are_not_followed(
    brain: Brain, vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter.txt").write_text("mine", "utf-8")
    brain("stop")
    (data_dir / "chroma").rename(tmp_path / "moved")
    (data_dir / "chroma").symlink_to(precious)
    (data_dir / "graph" / "link").symlink_to(precious)
    (data_dir / "diary.txt").write_text("mine too", "utf-8")
    done = brain("reset", "--everything", "--yes")
    assert done.returncode == 0, done.stderr
    assert "diary.txt" in done.stdout
    assert names(data_dir) == {"diary.txt"}
    assert (precious / "letter.txt").read_text("utf-8") == "mine"
    assert names(vault) == NOTES.keys()


@pytest.mark.usefixtures("brain")
def test_another_vaults_index_is_not_deleted(data_dir: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "Note.md").write_text("A note.", "utf-8")
    before = names(data_dir)
    done = run_here("reset", "--yes", environment=environment(other, data_dir))
    assert done.returncode == 2
    assert "another vault" in done.stderr
    assert names(data_dir) == before


def test_a_vault_without_an_index_has_nothing_to_delete(vault: Path, data_dir: Path) -> None:
    done = run_here("reset", "--yes", environment=environment(vault, data_dir))
    assert done.returncode == 2
    assert not data_dir.exists()


def test_the_index_of_a_vault_that_is_gone_can_be_deleted(
    brain: Brain, vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    vault.rename(tmp_path / "elsewhere")
    assert brain("reset", "--everything", "--yes").returncode == 0
    assert not data_dir.exists()
