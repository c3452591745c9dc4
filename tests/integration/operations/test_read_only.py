"""A data directory that can be read and not written: what is indexed answers all the same."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.support.processes.another_user import as_root, stranger
from tests.support.processes.command_line import Brain, environment, run_here
from tests.support.processes.mounts import remount, small_disk
from tools.runtime.sqlite import connect
from tools.settings.loading import load_settings
from tools.vault.storage.schemas import CATALOG

pytestmark = [
    pytest.mark.integration,
    as_root,
]

TOLD = "The data directory is read-only. Nothing new is kept"
ASK = ("ask", "What does heron 3 eat?")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="brain-test-"))
    folder.chmod(0o755)
    vault = folder / "vault"
    vault.mkdir()
    for number in range(6):
        says = f"# Topic {number}\n\nHeron {number} eats fish.\n\ncauses:: [[Topic {number + 1}]]\n"
        (vault / f"Topic {number}.md").write_text(says, "utf-8")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def mounted(place: Path) -> Iterator[Path]:
    with small_disk(place / "mounted") as disk:
        yield disk


@pytest.fixture
def brain(place: Path, mounted: Path) -> Iterator[Brain]:
    brain = partial(run_here, environment=environment(place / "vault", mounted / "data"))
    assert brain("index").returncode == 0
    asked = brain(*ASK)
    assert "eats fish" in asked.stdout
    assert TOLD not in asked.stdout + asked.stderr
    brain("stop")
    remount(mounted, "ro")
    yield brain
    brain("stop")


def once(done: subprocess.CompletedProcess[str]) -> str:
    """All that a command printed, having said once that nothing is kept."""
    told = " ".join((done.stdout + done.stderr).split())
    assert told.count(TOLD) == 1, told
    return told


def test_a_self_check_says_where_its_page_can_go(brain: Brain, place: Path) -> None:
    done = brain("eval", "self", "--each", "1")
    assert done.returncode == 0
    assert "Of " in done.stdout
    assert "--report FILE" in done.stderr
    page = place / "page.html"
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


def test_what_must_write_refuses_in_one_line_and_leaves_no_server(brain: Brain) -> None:
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


def test_a_note_that_changed_meanwhile_is_told_and_not_indexed(brain: Brain, place: Path) -> None:
    (place / "vault" / "Topic 3.md").write_text("Heron 3 sleeps.\n", "utf-8")
    answer = json.loads(brain(*ASK, "--json").stdout)
    assert answer["sources_failed"] == []
    assert any("1 new or changed note" in warning["error"] for warning in answer["warnings"])
    assert "eats fish" not in "".join(
        excerpt["text"]
        for result in answer["results"]
        for excerpt in result["excerpts"]
        if result["note_path"] == "Topic 3.md"
    )


def test_the_servers_copies_are_private_and_go_with_them(brain: Brain, place: Path) -> None:
    assert brain(*ASK).returncode == 0
    settings = load_settings(vault=place / "vault", data_dir=place / "mounted" / "data")
    copies = settings.run_dir / "data"
    files = [path for name in ("chroma", "graph") for path in (copies / name).rglob("*")]
    assert [path for path in (copies, *files) if path.lstat().st_mode & 0o077] == []
    assert files
    brain("stop")
    assert [name for name in ("chroma", "graph") if (copies / name).exists()] == []


def test_it_is_written_again_where_it_can_be(brain: Brain, place: Path) -> None:
    assert brain(*ASK).returncode == 0
    (place / "vault" / "Topic 3.md").write_text("Heron 3 eats newts.\n", "utf-8")
    brain("stop")
    remount(place / "mounted", "rw")
    assert brain("index").returncode == 0
    asked = brain(*ASK)
    assert "newts" in asked.stdout
    assert TOLD not in asked.stdout


def test_a_store_that_cannot_be_read_costs_its_source_alone(brain: Brain, mounted: Path) -> None:
    remount(mounted, "rw")
    shutil.rmtree(mounted / "data" / "graph" / "appendonlydir")
    (mounted / "data" / "graph" / "appendonlydir").write_bytes(b"no folder")
    remount(mounted, "ro")
    asked = brain("ask", "Give me an overview of everything about Topic 4", "--json")
    answer = json.loads(asked.stdout)
    assert (answer["status"], answer["sources_failed"]) == ("answered", ["graph"])
    assert "Topic 4.md" in {result["note_path"] for result in answer["results"]}


@pytest.fixture
def owned(place: Path) -> Path:
    """The data directory of an index of ours, whose servers have ended."""
    owner = partial(run_here, environment=environment(place / "vault", place / "data"))
    assert owner("index").returncode == 0
    owner("stop")
    return place / "data"


def test_another_user_who_may_only_read_is_answered(place: Path, owned: Path) -> None:
    for path in (owned, *owned.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    with stranger(place, vault=place / "vault", data_dir=owned) as other:
        try:
            asked = other.brain(*ASK, "--json")
            assert asked.returncode == 0, asked.stderr
            answer = json.loads(asked.stdout)
            assert (answer["status"], answer["sources_failed"]) == ("answered", [])
            assert [warning["source"] for warning in answer["warnings"]] == ["index"]
            refused = other.brain("index")
            assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
            assert "read-only" in refused.stderr
        finally:
            other.brain("stop")


def test_another_user_who_may_not_read_is_told_in_one_line(place: Path, owned: Path) -> None:
    with stranger(place, vault=place / "vault", data_dir=owned) as other:
        for command in (ASK, ("index",), ("doctor",), ("status",), ("facts", "Topic 3")):
            refused = other.brain(*command)
            assert (refused.returncode, refused.stdout) == (2, ""), command
            assert len(refused.stderr.splitlines()) == 1
            assert "fish" not in refused.stderr


# --- the files themselves ----------------------------------------------------------------------


@pytest.mark.parametrize("left_open", [False, True])
def test_a_file_is_read_where_nothing_can_be_written(mounted: Path, *, left_open: bool) -> None:
    """Also one whose last words are in its write-ahead log only, as a crash leaves it."""
    path = mounted / "index.db"
    connection = connect(path, CATALOG)
    connection.execute("INSERT INTO meta VALUES ('word', 'kept')")
    if left_open:
        for ending in ("", "-wal", "-shm"):
            shutil.copyfile(f"{path}{ending}", mounted / f"copy.db{ending}")
        path = mounted / "copy.db"
    connection.close()
    remount(mounted, "ro")
    with closing(connect(path, CATALOG)) as found:
        assert found.execute("SELECT value FROM meta WHERE key = 'word'").fetchall() == [("kept",)]
