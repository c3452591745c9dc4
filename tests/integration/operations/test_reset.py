"""``brain reset`` deletes the index, asks first, and deletes nothing else."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from graphs.links.learn import learn
from graphs.stores.index_lock import only_indexer
from graphs.toolkit.audit_log.log import AuditLog
from tests.support.processes.command_line import Brain, environment, indexed_here, run_here
from tests.support.values.calls import a_call
from tests.support.values.inferred import read, version
from tools.graph.extraction.store import InferredStore
from tools.runtime.services import ensure, graph_service, is_running
from tools.settings.loading import load_settings
from tools.vault.storage.link_feedback import LinkDecision

pytestmark = pytest.mark.integration

NOTES = {"Tea.md": "Tea is cold by now.", "Milk.md": "Milk is cold.\n\ncauses:: [[Tea]]"}
DECISION = LinkDecision(
    at=datetime(2026, 12, 1, tzinfo=UTC),
    source="Milk.md",
    target="Tea.md",
    accepted=False,
    probability=0.3,
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an indexed vault and a data directory whose servers have ended.

    There is an earlier text of a note in it, what is written about slow questions, and a decision
    on a suggested link.
    """
    folder = tmp_path_factory.mktemp("kept")
    watched = {"BRAIN_SLOW_MS": "0.001", "BRAIN_LOG": "debug"}
    with indexed_here(folder, {**NOTES, "Tea.md": "Tea is hot."}, **watched) as brain:
        (folder / "vault" / "Tea.md").write_text(NOTES["Tea.md"], "utf-8")
        assert brain("index").returncode == 0
        assert brain("ask", "What is hot?").returncode == 0
    settings = load_settings(vault=folder / "vault", data_dir=folder / "data")
    assert AuditLog(settings.audit_dir).add(a_call(), ms=1) is None
    assert learn(settings, [DECISION]) == ()
    return folder


@pytest.fixture
def vault(kept: Path, tmp_path: Path) -> Iterator[Path]:
    """The vault, which is put back where a test moves it."""
    vault = kept / "vault"
    before = shutil.copytree(vault, tmp_path / "vault")
    yield vault
    shutil.rmtree(vault, ignore_errors=True)
    shutil.copytree(before, vault)


@pytest.fixture
def data_dir(kept: Path, tmp_path: Path) -> Path:
    """A copy of the data directory, without servers."""
    return shutil.copytree(kept / "data", tmp_path / "data")


@pytest.fixture
def brain(vault: Path, data_dir: Path) -> Iterator[Brain]:
    brain = at(vault, data_dir)
    yield brain
    brain("stop")


def at(vault: Path, data_dir: Path) -> Brain:
    return partial(run_here, environment=environment(vault, data_dir))


def content(folder: Path) -> dict[Path, bytes]:
    """What is there to the byte, without what SQLite keeps beside a file that is open."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path: path.read_bytes() for path in files if not path.name.endswith(("-wal", "-shm"))}


def names(folder: Path) -> set[str]:
    """The same, by names alone, of the folder itself."""
    return {entry.name for entry in folder.iterdir() if not entry.name.endswith(("-wal", "-shm"))}


def test_what_the_notes_do_not_have_is_kept(brain: Brain, data_dir: Path) -> None:
    read(InferredStore(data_dir / "inferred.db", model="none"), version("Tea.md"), ["Engines"])
    done = brain("reset", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 texts of notes" in done.stdout
    assert not names(data_dir) & {"index.db", "chroma", "graph"}
    kept = {"history.db", "inferred.db", "vault", "audit", "link-feedback.json"}
    assert kept <= names(data_dir)
    assert brain("index").returncode == 0
    assert brain("doctor").returncode == 0
    past = brain("timeline", "Tea", "--json").stdout
    assert "hot" in past
    assert "cold by now" in past


def test_everything_leaves_no_trace(brain: Brain, vault: Path, data_dir: Path) -> None:
    assert {"slow-questions.jsonl", "index-run.json", "logs"} <= names(data_dir)
    graph = graph_service(load_settings(vault=vault, data_dir=data_dir))
    asyncio.run(ensure(graph))
    done = brain("reset", "--everything", "--yes", "--json")
    assert done.returncode == 0
    deleted = json.loads(done.stdout)["deleted"].keys()
    assert {"index", "vectors", "graph", "history", "audit log", "link feedback"} <= deleted
    assert (data_dir.exists(), is_running(graph)) == (False, False)
    assert brain("index").returncode == 0


def test_nothing_is_deleted_without_a_terminal(brain: Brain, data_dir: Path) -> None:
    before = content(data_dir)
    done = brain("reset", stdin="vault\n")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert content(data_dir) == before


def test_nothing_is_deleted_while_another_process_indexes(brain: Brain, data_dir: Path) -> None:
    before = content(data_dir)
    with only_indexer(data_dir):
        done = brain("reset", "--yes")
    assert done.returncode == 2
    assert "being indexed" in done.stderr
    assert content(data_dir) == before


def test_what_is_not_ours_stays_and_links_are_not_followed(
    brain: Brain, vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter.txt").write_text("mine", "utf-8")
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


def test_another_vaults_index_is_not_deleted(data_dir: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "Note.md").write_text("A note.", "utf-8")
    before = content(data_dir)
    done = at(other, data_dir)("reset", "--yes")
    assert done.returncode == 2
    assert "another vault" in done.stderr
    assert content(data_dir) == before


def test_a_vault_without_an_index_has_nothing_to_delete(vault: Path, tmp_path: Path) -> None:
    done = at(vault, tmp_path / "none")("reset", "--yes")
    assert done.returncode == 2
    assert not (tmp_path / "none").exists()


def test_the_index_of_a_vault_that_is_gone_can_be_deleted(
    brain: Brain, vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    vault.rename(tmp_path / "elsewhere")
    assert brain("reset", "--everything", "--yes").returncode == 0
    assert not data_dir.exists()
