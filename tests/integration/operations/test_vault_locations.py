"""Vaults and data directories in unusual places: moved, copied, nested, read-only, other users."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from tests.support.processes.another_user import (
    SYSTEM_PYTHON,
    as_root,
    run_as_nobody,
    with_system_python,
)
from tests.support.processes.command_line import Brain, environment, run_here
from tests.support.processes.mounts import read_only_view
from tools.runtime.services import ensure, graph_service
from tools.settings.loading import load_settings
from tools.settings.settings import default_data_dir
from tools.settings.sources import run_dir_of

pytestmark = pytest.mark.integration

NOTES = {f"Topic {number}.md": f"Heron {number} eats fish.\n" for number in range(6)}


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """The command line on a vault that is indexed, its servers running.

    The data directory was an empty folder that anybody could write to.
    """
    given = tmp_path_factory.mktemp("given") / "data"
    given.mkdir()
    given.chmod(0o777)
    brain = at(made(tmp_path_factory.mktemp("notes") / "vault"), given)
    assert brain("index").returncode == 0
    yield brain
    brain("stop")


@pytest.fixture
def vault(brain: Brain, tmp_path: Path) -> Iterator[Path]:
    """That vault, which is put back where a test moves it or writes beside it."""
    vault = place(brain, "BRAIN_VAULT")
    kept = shutil.copytree(vault, tmp_path / "kept")
    yield vault
    shutil.rmtree(vault.parent)
    shutil.copytree(kept, vault)


@pytest.fixture
def in_use(brain: Brain) -> Path:
    """Its data directory."""
    return place(brain, "BRAIN_DATA_DIR")


@pytest.fixture
def data_dir(in_use: Path, tmp_path: Path) -> Path:
    """A copy of it, which has no servers."""
    return copied(in_use, tmp_path / "data")


def place(brain: Brain, variable: str) -> Path:
    return Path(brain.keywords["environment"][variable])  # pyright: ignore[reportFunctionMemberAccess]


def copied(data_dir: Path, to: Path) -> Path:
    to.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", data_dir, to], check=True)
    return to


def made(vault: Path) -> Path:
    vault.mkdir(parents=True)
    for name, text in NOTES.items():
        (vault / name).write_text(text, "utf-8")
    return vault


def at(vault: Path, data_dir: Path) -> Brain:
    return partial(run_here, environment=environment(vault, data_dir))


def server(data_dir: Path, name: str) -> psutil.Process:
    return psutil.Process(int((data_dir / "run" / f"{name}.pid").read_text("ascii")))


# --- moved -----------------------------------------------------------------------------------


def test_a_moved_vault_and_no_other_goes_on_with_its_index(
    vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    asyncio.run(ensure(graph_service(load_settings(vault=vault, data_dir=data_dir))))
    running = server(data_dir, "graph")
    copy = shutil.copytree(vault, tmp_path / "copy")
    still = at(copy, data_dir)("index", "--moved")
    assert (still.returncode, "still is where it was" in still.stderr) == (2, True)
    there = vault.rename(tmp_path / "renamed")
    other = tmp_path / "other"
    other.mkdir()
    (other / "Diary.md").write_text("Rain.", "utf-8")
    refused = at(other, data_dir)("index", "--moved")
    assert (refused.returncode, "not those of that index" in refused.stderr) == (2, True)
    moved = at(there, data_dir)
    refused = moved("index")
    assert refused.returncode == 2
    assert "brain index --moved" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert running.is_running()
    done = moved("index", "--moved", "--json")
    assert done.returncode == 0, done.stderr
    assert "index of 6 notes was taken over" in done.stderr
    report = json.loads(done.stdout)
    assert (report["written"], report["vectors_written"]) == (0, 0)
    assert not running.is_running()
    assert moved("doctor").returncode == 0
    moved("stop")


def test_the_index_that_a_moved_vault_left_behind_is_found(
    vault: Path, in_use: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    old = copied(in_use, default_data_dir(vault))
    there = vault.rename(tmp_path / "renamed")
    new = default_data_dir(there)
    moved = at(there, new)
    done = moved("index", "--moved", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["vectors_written"] == 0
    assert (old.exists(), new.exists()) == (False, True)
    assert moved("doctor").returncode == 0
    moved("stop")


def test_without_a_terminal_a_new_index_is_made_and_the_old_one_told(
    vault: Path, in_use: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    old = copied(in_use, default_data_dir(vault))
    there = vault.rename(tmp_path / "renamed")
    moved = at(there, default_data_dir(there))
    done = moved("index")
    assert done.returncode == 0
    assert "brain index --moved" in done.stderr
    assert (old.exists(), default_data_dir(there).exists()) == (True, True)
    moved("stop")


# --- copied while in use ---------------------------------------------------------------------


def test_a_copy_of_a_data_directory_in_use_has_servers_of_its_own(
    brain: Brain, vault: Path, in_use: Path, tmp_path: Path
) -> None:
    copy = at(vault, copied(in_use, tmp_path / "copied"))
    own = {name: server(in_use, name) for name in ("semantic", "graph")}
    assert "fish" in copy("ask", "What does heron 3 eat?").stdout
    doctor = copy("doctor")
    assert doctor.returncode == 0, doctor.stdout
    for name, process in own.items():
        assert server(tmp_path / "copied", name).pid != process.pid
    assert copy("reset", "--everything", "--yes").returncode == 0
    assert all(process.is_running() for process in own.values())
    assert brain("doctor").returncode == 0


# --- nested and read-only --------------------------------------------------------------------


def test_a_vault_inside_another_has_an_index_of_its_own(
    brain: Brain, vault: Path, tmp_path: Path
) -> None:
    for name, text in NOTES.items():
        (vault.parent / name).write_text(text, "utf-8")
    outer = at(vault.parent, tmp_path / "outer")
    for each, notes in ((outer, 12), (brain, 6)):
        assert json.loads(each("index", "--json").stdout)["notes"] == notes
        assert each("doctor").returncode == 0
    outer("stop")


@as_root
def test_a_vault_on_a_read_only_mount_is_indexed_and_asked(vault: Path, tmp_path: Path) -> None:
    with read_only_view(vault, at=tmp_path / "mounted") as mounted:
        brain = at(mounted, tmp_path / "data")
        assert brain("index").returncode == 0
        assert "fish" in brain("ask", "What does heron 3 eat?").stdout
        assert brain("doctor", "--repair").returncode == 0
        brain("stop")


# --- other users -----------------------------------------------------------------------------

_TRIES = """
import os, socket, sys
data_dir, cache = sys.argv[1:3]
os.stat(data_dir)  # what keeps us out is the directory itself, nothing above it
open_to_us = []
def attempt(name, try_it):
    try:
        try_it()
    except OSError:
        return
    open_to_us.append(name)
def connect(path):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
attempt("list", lambda: os.listdir(data_dir))
for path in sys.argv[3:]:
    attempt("read " + path, lambda: open(path, "rb").close())
    attempt("write " + path, lambda: open(path, "ab").close())
    attempt("replace " + path, lambda: os.unlink(path))
    if path.endswith(".sock"):
        attempt("connect " + path, lambda: connect(path))
attempt("new", lambda: open(os.path.join(data_dir, "new"), "wb").close())
if os.path.isdir(cache):
    attempt("cache", lambda: open(os.path.join(cache, "new"), "wb").close())
print(open_to_us)
"""


@as_root
@with_system_python
@pytest.mark.parametrize(
    "given",
    [
        True,  # as a user would make it who gives an empty folder
        pytest.param(False, marks=pytest.mark.torture),
    ],
)
def test_another_user_can_neither_read_nor_connect_nor_replace(
    brain: Brain, vault: Path, in_use: Path, tmp_path: Path, *, given: bool
) -> None:
    data_dir = in_use if given else tmp_path / "new"
    using = brain if given else at(vault, data_dir)
    assert using("index").returncode == 0
    for folder in (data_dir.parent, *list(data_dir.parent.parents)[:-2]):
        folder.chmod(folder.stat().st_mode | 0o011)  # else what is tested is pytest's own folder
    paths = {*data_dir.rglob("*"), *run_dir_of(data_dir).rglob("*")}
    assert {"semantic.sock", "graph.sock", "history.db"} <= {path.name for path in paths}
    cache = Path.home() / ".cache" / "brain"
    done = run_as_nobody(SYSTEM_PYTHON, "-c", _TRIES, data_dir, cache, *paths)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
    if not given:
        using("stop")
