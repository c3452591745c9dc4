"""``brain doctor`` names what is wrong with each store, and ``--repair`` mends it."""

import json
import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from graphs.operations.doctor import SAMPLE
from graphs.service.client import token_draft, token_file
from tests.support.processes.command_line import Brain, indexed_here
from tests.support.processes.service_process import ServiceProcess, running_service
from tests.support.waiting import until
from tools.vault.catalog.catalog import Catalog

pytestmark = pytest.mark.integration

NOTES = {
    f"topics/Topic {number}.md": f"# Topic {number}\n\nThe heron number {number} eats fish.\n\n"
    f"causes:: [[Topic {number + 1}]]\n"
    for number in range(40)
}


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """The command line on an indexed vault; a test leaves it mended."""
    folder = tmp_path_factory.mktemp("doctor")
    with indexed_here(folder, NOTES) as brain:
        yield brain


@pytest.fixture
def data_dir(brain: Brain) -> Path:
    return place(brain, "BRAIN_DATA_DIR")


@pytest.fixture
def vault(brain: Brain) -> Path:
    return place(brain, "BRAIN_VAULT")


def place(brain: Brain, variable: str) -> Path:
    return Path(brain.keywords["environment"][variable])  # pyright: ignore[reportFunctionMemberAccess]


def wrong(brain: Brain) -> dict[str, str]:
    """The checks that are not well, by name."""
    done = brain("doctor", "--json")
    checks = json.loads(done.stdout)
    assert done.returncode == (0 if all(check["ok"] for check in checks) else 1)
    return {check["name"]: check["detail"] for check in checks if not check["ok"]}


def mended(brain: Brain) -> str:
    """What ``--repair`` says that it did; nothing is wrong afterwards, and no note was touched."""
    before = notes(brain)
    done = brain("doctor", "--repair", "--json")
    checks = json.loads(done.stdout)
    assert done.returncode == 0, checks
    assert wrong(brain) == {}
    assert notes(brain) == before
    return "\n".join(check["detail"] for check in checks if check["name"] == "repaired")


def notes(brain: Brain) -> dict[Path, tuple[int, int, int, bytes]]:
    """What is in the vault, to the byte."""
    found: dict[Path, tuple[int, int, int, bytes]] = {}
    for path in place(brain, "BRAIN_VAULT").rglob("*"):
        info = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        found[path] = (info.st_mtime_ns, info.st_size, info.st_mode, content)
    return found


def change(data_dir: Path, file: str, *statements: str) -> None:
    with closing(sqlite3.connect(data_dir / file)) as db, db:
        for statement in statements:
            db.execute(statement)


def test_all_is_well_after_an_index(brain: Brain) -> None:
    done = brain("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert "40 files were read: each is as it was indexed." in done.stdout
    assert "40 of 40 sampled passages are found by their own vector (recall 1.000)" in done.stdout
    assert "LOOK" not in done.stdout
    assert len(NOTES) < SAMPLE


def test_a_changed_file_of_the_same_size_and_time_is_found(brain: Brain, vault: Path) -> None:
    note = vault / "topics" / "Topic 3.md"
    info = note.stat()
    note.write_text(note.read_text("utf-8").replace("heron", "stork"), "utf-8")
    os.utime(note, ns=(info.st_atime_ns, info.st_mtime_ns))
    found = wrong(brain)
    assert found.keys() == {"contents"}
    assert "topics/Topic 3.md" in found["contents"]
    assert "1 note was read again" in mended(brain)
    assert "stork number 3" in brain("ask", "What does the stork eat?").stdout


@pytest.mark.parametrize(
    "damage",
    [
        "INSERT INTO words (words) VALUES ('delete-all')",
        "INSERT INTO words (rowid, title, headings, body) VALUES (9999, 'a', 'b', 'c')",
        "DELETE FROM words_data WHERE id > 10",
    ],
)
def test_words_that_are_not_found_are_written_anew(
    brain: Brain, data_dir: Path, damage: str
) -> None:
    change(data_dir, "index.db", damage)
    assert wrong(brain).keys() == {"words"}
    assert "index was made again" in mended(brain)
    assert "topics/Topic 7.md" in brain("search", "heron number 7").stdout


def test_a_note_that_the_index_lost_or_invented_is_put_right(brain: Brain, data_dir: Path) -> None:
    catalog = Catalog(data_dir / "index.db")
    catalog.remove(["topics/Topic 5.md"])
    catalog.close()
    change(
        data_dir,
        "index.db",
        "UPDATE notes SET path = 'topics/Ghost.md' WHERE path = 'topics/Topic 6.md'",
    )
    found = wrong(brain)
    assert {"text index", "history"} <= found.keys()
    assert "topics/Ghost.md" in found["text index"]
    mended(brain)


def test_what_the_history_lost_is_seen_again(brain: Brain, data_dir: Path) -> None:
    change(
        data_dir,
        "history.db",
        "DELETE FROM versions WHERE path = 'topics/Topic 8.md'",
        "UPDATE notes SET live = 0 WHERE path = 'topics/Topic 9.md'",
    )
    found = wrong(brain)
    assert found.keys() == {"history"}
    assert "topics/Topic 8.md" in found["history"]
    assert "topics/Topic 9.md" in found["history"]
    mended(brain)


def test_vectors_that_are_missing_or_not_needed_are_put_right(brain: Brain, data_dir: Path) -> None:
    change(data_dir, "index.db", "DELETE FROM vectors WHERE vector_id < '8'")
    change(data_dir, "index.db", "INSERT INTO vectors VALUES ('invented')")
    assert wrong(brain).keys() == {"vectors"}
    mended(brain)


def test_notes_that_the_graph_lost_are_written_again(brain: Brain, data_dir: Path) -> None:
    change(data_dir, "history.db", "UPDATE notes SET digest = 'other' WHERE id < 5")
    found = wrong(brain)
    assert found.keys() == {"graph"}
    assert "4 notes are not in it as they were written" in found["graph"]
    assert "4 notes were written to the graph" in mended(brain)


def test_a_damaged_index_is_set_aside_and_made_again(brain: Brain, data_dir: Path) -> None:
    spoil(data_dir / "index.db")
    assert "file index.db" in wrong(brain)
    assert "kept as index.damaged" in mended(brain)


def test_a_damaged_history_is_kept_beside_the_new_one(brain: Brain, data_dir: Path) -> None:
    spoil(data_dir / "history.db")
    assert "file history.db" in wrong(brain)
    assert "history.damaged" in mended(brain)
    assert (data_dir / "history.damaged").exists()


def test_a_damaged_journal_of_links_is_kept_and_what_is_lost_is_said(
    brain: Brain, data_dir: Path
) -> None:
    (data_dir / "link-journal.db").write_bytes(b"no database at all" * 300)
    assert "file link-journal.db" in wrong(brain)
    assert "`brain link undo` no longer knows of them" in mended(brain)
    assert (data_dir / "link-journal.damaged").exists()


@pytest.mark.parametrize(
    "stores",
    [
        ("chroma", "graph"),
        pytest.param(("chroma",), marks=pytest.mark.torture),
        pytest.param(("graph",), marks=pytest.mark.torture),
    ],
)
def test_a_damaged_store_is_set_aside_and_filled_again(
    brain: Brain, data_dir: Path, stores: tuple[str, ...]
) -> None:
    brain("stop")
    for file in [path for store in stores for path in (data_dir / store).rglob("*")]:
        if file.suffix in (".aof", ".sqlite3"):
            file.write_bytes(b"this is nothing that a store could read" * 400)
    assert wrong(brain)
    said = mended(brain)
    assert [store for store in ("chroma", "graph") if f"{store}.damaged" in said] == [*stores]


def test_folders_that_others_can_open_are_closed(brain: Brain, data_dir: Path) -> None:
    for folder in (data_dir, data_dir / "run", data_dir / "logs"):
        folder.chmod(0o755)
    found = wrong(brain)
    assert "the data directory" in found.get("privacy", "") or found == {}
    mended(brain)
    for folder in (data_dir, data_dir / "run", data_dir / "logs"):
        assert folder.stat().st_mode & 0o777 == 0o700


@contextmanager
def served(brain: Brain) -> Generator[ServiceProcess]:
    """A service process that watches the vault."""
    with running_service(brain.keywords["environment"]) as serving:  # pyright: ignore[reportFunctionMemberAccess]
        question = "What does heron number 3 eat?"
        until(lambda: brain("ask", question).returncode == 0 and watches(serving.data_dir))
        yield serving


def watches(data_dir: Path) -> list[Path]:
    return list((data_dir / "run" / "watches").glob("watch-*"))


def test_what_killed_processes_leave_is_removed_and_what_living_ones_have_is_not(
    brain: Brain, data_dir: Path
) -> None:
    with served(brain) as serving:
        assert wrong(brain) == {}
        assert "removed" not in mended(brain)
        assert len(serving.leftovers()) == 2
        assert watches(data_dir)
        serving.kill()
        draft = token_draft(data_dir)
        draft.write_text("half a tok", "ascii")
        token_file(data_dir).chmod(0o644)
        found = wrong(brain)
        assert found.keys() == {"privacy", "leftovers"}
        assert "serve.token" in found["privacy"]
        for name in ("serve.sock", "serve.draft", "of watches"):
            assert name in found["leftovers"]
        token = serving.token
        mended(brain)
        assert (serving.leftovers(), draft.exists(), watches(data_dir)) == ([], False, [])
        assert (serving.token, token_file(data_dir).stat().st_mode & 0o777) == (token, 0o600)


def spoil(file: Path) -> None:
    """Overwrite the middle of a database, and what SQLite would restore it from."""
    for ending in ("-wal", "-shm"):
        Path(f"{file}{ending}").unlink(missing_ok=True)
    raw = bytearray(file.read_bytes())
    start = len(raw) // 4
    raw[start : start * 3] = b"\x5a" * (start * 2)
    file.write_bytes(raw)
