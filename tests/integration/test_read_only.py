"""A data directory that can be read and not written: what is indexed answers all the same."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.command_line import Brain, environment, run_here
from tests.mounts import remount, small_disk
from tools.settings import load_settings
from tools.sqlite_files import connect
from tools.vault.schemas import CATALOG

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.getuid() != 0, reason="needs root, to mount or be another user"),
]

NOBODY = 65534
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


def test_a_user_who_may_only_read_is_answered(place: Path) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("needs setpriv, to be another user")
    owner = partial(run_here, environment=environment(place / "vault", place / "data"))
    assert owner("index").returncode == 0
    owner("stop")
    for path in (place / "data", *(place / "data").rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    cache = place / "home" / ".cache" / "brain"
    ours = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "brain"
    shutil.copytree(ours, cache)
    for path in (place / "home", *(place / "home").rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    other = partial(_as_nobody, place)
    can = other("-c", "import graphs.app, chromadb")
    if can.returncode:
        pytest.skip("another user cannot run this Python")
    main = "from graphs.cli import main; main()"
    try:
        asked = other("-c", main, *ASK, "--json")
        assert asked.returncode == 0, asked.stderr
        answer = json.loads(asked.stdout)
        assert (answer["status"], answer["sources_failed"]) == ("answered", [])
        assert [warning["source"] for warning in answer["warnings"]] == ["index"]
        refused = other("-c", main, "index")
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
        assert "read-only" in refused.stderr
    finally:
        other("-c", main, "stop")


def _as_nobody(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    home = place / "home"
    unset = ("XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    variables = {
        name: value
        for name, value in environment(place / "vault", place / "data").items()
        if name not in unset
    }
    return subprocess.run(
        [
            *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
            # It may read everything, so that it can run this Python wherever that is.
            *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
            *(sys.executable, *arguments),
        ],
        env={**variables, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


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
