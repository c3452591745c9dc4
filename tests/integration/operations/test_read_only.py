"""A data directory that can be read and not written: what is indexed answers all the same."""

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.support.processes.another_user import Stranger, as_root, stranger
from tests.support.processes.command_line import Brain, environment, run_here
from tests.support.processes.mounts import remount, small_disk
from tools.runtime.services import graph_service, stop
from tools.runtime.sqlite import connect
from tools.settings.loading import load_settings
from tools.vault.storage.schemas import CATALOG

pytestmark = [
    pytest.mark.integration,
    as_root,
]

TOLD = "The data directory is read-only. Nothing new is kept"
ASK = ("ask", "What does heron 3 eat?")


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that every user may enter, with a vault and an index whose servers have ended."""
    folder = Path(tempfile.mkdtemp(prefix="brain-test-"))
    folder.chmod(0o755)
    vault = folder / "vault"
    vault.mkdir()
    for number in range(6):
        says = f"# Topic {number}\n\nHeron {number} eats fish.\n\ncauses:: [[Topic {number + 1}]]\n"
        (vault / f"Topic {number}.md").write_text(says, "utf-8")
    brain = partial(run_here, environment=environment(vault, folder / "data"))
    assert brain("index").returncode == 0
    asked = brain(*ASK)
    assert "eats fish" in asked.stdout
    assert TOLD not in asked.stdout + asked.stderr
    brain("stop")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def disk(place: Path) -> Iterator[Path]:
    """A read-only disk with a copy of the index."""
    with small_disk(place / "mounted") as disk:
        shutil.copytree(place / "data", disk / "data")
        remount(disk, "ro")
        yield disk


@pytest.fixture(scope="module")
def brain(place: Path, disk: Path) -> Iterator[Brain]:
    brain = partial(run_here, environment=environment(place / "vault", disk / "data"))
    yield brain
    brain("stop")


@contextmanager
def writable(place: Path, disk: Path, brain: Brain) -> Generator[None]:
    """The disk may be written for the time of the block; what was written is put back then.

    Servers that were started meanwhile end with it. Those that work on copies are others.
    """
    remount(disk, "rw")
    try:
        yield
    finally:
        remount(disk, "rw")
        brain("stop")
        shutil.rmtree(disk / "data")
        shutil.copytree(place / "data", disk / "data")
        remount(disk, "ro")


@contextmanager
def changed(place: Path, text: str) -> Generator[None]:
    """A note that says something else for the time of the block."""
    note = place / "vault" / "Topic 3.md"
    before, info = note.read_text("utf-8"), note.stat()
    note.write_text(text, "utf-8")
    try:
        yield
    finally:
        note.write_text(before, "utf-8")
        os.utime(note, ns=(info.st_atime_ns, info.st_mtime_ns))


def once(done: subprocess.CompletedProcess[str]) -> str:
    """All that a command printed, having said once that nothing is kept."""
    told = " ".join((done.stdout + done.stderr).split())
    assert told.count(TOLD) == 1, told
    return told


def test_a_self_check_says_where_its_page_can_go(brain: Brain, tmp_path: Path) -> None:
    done = brain("eval", "self", "--each", "1")
    assert done.returncode == 0
    assert "Of " in done.stdout
    assert "--report FILE" in done.stderr
    page = tmp_path / "page.html"
    assert brain("eval", "self", "--each", "1", "--report", str(page)).returncode == 0
    assert page.exists()


def test_what_is_indexed_answers_on_a_read_only_mount(brain: Brain) -> None:
    answer = json.loads(brain(*ASK, "--json").stdout)
    assert answer["status"] == "answered"
    assert answer["sources_failed"] == []
    assert "eats fish" in answer["answer"]
    (warning,) = answer["warnings"]
    assert warning["source"] == "index"
    assert "read-only" in warning["error"]
    assert "eats fish" in once(brain(*ASK))
    assert "Topic 3.md" in brain("search", "heron 3").stdout
    assert "Topic 5" in once(brain("facts", "Topic 4"))
    assert "Topic 4" in once(brain("timeline", "Topic 4"))
    assert "6 notes" in once(brain("status"))
    checks = json.loads(brain("doctor", "--json").stdout)
    assert [check["name"] for check in checks if not check["ok"]] == ["data directory"]


def test_a_note_that_changed_meanwhile_is_told_and_not_indexed(brain: Brain, place: Path) -> None:
    with changed(place, "Heron 3 sleeps.\n"):
        answer = json.loads(brain(*ASK, "--json").stdout)
    assert answer["sources_failed"] == []
    assert any("1 new or changed note" in warning["error"] for warning in answer["warnings"])
    assert "eats fish" not in "".join(
        excerpt["text"]
        for result in answer["results"]
        for excerpt in result["excerpts"]
        if result["note_path"] == "Topic 3.md"
    )


def test_a_store_that_cannot_be_read_costs_its_source_alone(
    brain: Brain, place: Path, disk: Path
) -> None:
    graph = graph_service(load_settings(vault=place / "vault", data_dir=disk / "data"))
    asyncio.run(stop(graph))
    with writable(place, disk, brain):
        shutil.rmtree(disk / "data" / "graph" / "appendonlydir")
        (disk / "data" / "graph" / "appendonlydir").write_bytes(b"no folder")
        remount(disk, "ro")
        asked = brain("ask", "Give me an overview of everything about Topic 4", "--json")
    answer = json.loads(asked.stdout)
    assert (answer["status"], answer["sources_failed"]) == ("answered", ["graph"])
    assert "Topic 4.md" in {result["note_path"] for result in answer["results"]}


def test_the_servers_copies_are_private_and_go_with_them_and_it_is_written_again_where_it_can_be(
    brain: Brain, place: Path, disk: Path
) -> None:
    assert brain(*ASK).returncode == 0
    copies = load_settings(vault=place / "vault", data_dir=disk / "data").run_dir / "data"
    files = [path for name in ("chroma", "graph") for path in (copies / name).rglob("*")]
    assert [path for path in (copies, *files) if path.lstat().st_mode & 0o077] == []
    assert files
    brain("stop")
    assert [name for name in ("chroma", "graph") if (copies / name).exists()] == []
    with writable(place, disk, brain), changed(place, "Heron 3 eats newts.\n"):
        assert brain("index").returncode == 0
        asked = brain(*ASK)
    assert "newts" in asked.stdout
    assert TOLD not in asked.stdout


def test_what_must_write_refuses_in_one_line_and_leaves_no_server(brain: Brain) -> None:
    brain("stop")
    for command in (
        ("index",),
        ("index", "--rebuild"),
        ("index", "--extract", ".", "--yes"),
        ("watch",),
        ("reset", "--yes"),
        ("doctor", "--repair"),
    ):
        done = brain(*command)
        assert (done.returncode, done.stdout) == (2, "")
        assert "read-only" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert "No server was running" in brain("stop").stdout


# --- another user --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def other(place: Path) -> Iterator[Stranger]:
    with stranger(place, vault=place / "vault", data_dir=place / "owned") as other:
        yield other


@pytest.fixture
def owned(place: Path) -> Iterator[Path]:
    """The data directory of an index of ours, whose servers have ended."""
    yield shutil.copytree(place / "data", place / "owned")
    shutil.rmtree(place / "owned")


def test_another_user_who_may_only_read_is_answered(owned: Path, other: Stranger) -> None:
    for path in (owned, *owned.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    asked, refused, _ = other.each((*ASK, "--json"), ("index",), ("stop",))
    assert asked[0] == 0, asked
    answer = json.loads(asked[1])
    assert (answer["status"], answer["sources_failed"]) == ("answered", [])
    assert [warning["source"] for warning in answer["warnings"]] == ["index"]
    assert (refused[0], len(refused[2].splitlines())) == (2, 1)
    assert "read-only" in refused[2]


@pytest.mark.usefixtures("owned")
def test_another_user_who_may_not_read_is_told_in_one_line(other: Stranger) -> None:
    commands = (ASK, ("index",), ("doctor",), ("status",), ("facts", "Topic 3"))
    for command, (code, out, err) in zip(commands, other.each(*commands), strict=True):
        assert (code, out) == (2, ""), command
        assert len(err.splitlines()) == 1
        assert "fish" not in err


# --- the files themselves ----------------------------------------------------------------------


@pytest.mark.parametrize("left_open", [False, True])
def test_a_file_is_read_where_nothing_can_be_written(tmp_path: Path, *, left_open: bool) -> None:
    """Also one whose last words are in its write-ahead log only, as a crash leaves it."""
    with small_disk(tmp_path / "disk") as disk:
        path = disk / "index.db"
        connection = connect(path, CATALOG)
        connection.execute("INSERT INTO meta VALUES ('word', 'kept')")
        if left_open:
            for ending in ("", "-wal", "-shm"):
                shutil.copyfile(f"{path}{ending}", disk / f"copy.db{ending}")
            path = disk / "copy.db"
        connection.close()
        remount(disk, "ro")
        with closing(connect(path, CATALOG)) as found:
            kept = found.execute("SELECT value FROM meta WHERE key = 'word'").fetchall()
    assert kept == [("kept",)]
