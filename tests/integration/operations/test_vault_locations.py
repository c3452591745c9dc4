"""Vaults and data directories in unusual places: moved, copied, nested, read-only, other users."""

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
from tools.settings.settings import default_data_dir
from tools.settings.sources import run_dir_of

pytestmark = pytest.mark.integration

NOTES = {f"Topic {number}.md": f"Heron {number} eats fish.\n" for number in range(6)}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return made(tmp_path / "vault")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def brain(vault: Path, data_dir: Path) -> Iterator[Brain]:
    brain = at(vault, data_dir)
    assert brain("index").returncode == 0
    yield brain
    brain("stop")


def made(vault: Path) -> Path:
    vault.mkdir(parents=True)
    for name, text in NOTES.items():
        (vault / name).write_text(text, "utf-8")
    return vault


def at(vault: Path, data_dir: Path) -> Brain:
    return partial(run_here, environment=environment(vault, data_dir))


# --- moved -----------------------------------------------------------------------------------


def test_a_moved_vault_goes_on_with_its_index(brain: Brain, vault: Path, data_dir: Path) -> None:
    brain("stop")
    there = vault.rename(vault.with_name("renamed"))
    moved = at(there, data_dir)
    refused = moved("index")
    assert refused.returncode == 2
    assert "brain index --moved" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    done = moved("index", "--moved", "--json")
    assert done.returncode == 0, done.stderr
    assert "index of 6 notes was taken over" in done.stderr
    report = json.loads(done.stdout)
    assert (report["written"], report["vectors_written"]) == (0, 0)
    assert moved("doctor").returncode == 0
    moved("stop")


@pytest.mark.usefixtures("brain")
def test_only_the_vault_that_was_indexed_can_have_been_moved(
    vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(vault, copy)
    still = at(copy, data_dir)("index", "--moved")
    assert (still.returncode, "still is where it was" in still.stderr) == (2, True)
    vault.rename(tmp_path / "gone")
    other = tmp_path / "other"
    other.mkdir()
    (other / "Diary.md").write_text("Rain.", "utf-8")
    refused = at(other, data_dir)("index", "--moved")
    assert (refused.returncode, "not those of that index" in refused.stderr) == (2, True)
    assert at(copy, data_dir)("index", "--moved").returncode == 0


def test_the_index_that_a_moved_vault_left_behind_is_found(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    old = default_data_dir(vault)
    assert at(vault, old)("index").returncode == 0
    at(vault, old)("stop")
    there = vault.rename(vault.with_name("renamed"))
    new = default_data_dir(there)
    moved = at(there, new)
    done = moved("index", "--moved", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["vectors_written"] == 0
    assert (old.exists(), new.exists()) == (False, True)
    assert moved("doctor").returncode == 0
    moved("stop")


def test_without_a_terminal_a_new_index_is_made_and_the_old_one_told(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    assert at(vault, default_data_dir(vault))("index").returncode == 0
    at(vault, default_data_dir(vault))("stop")
    there = vault.rename(vault.with_name("renamed"))
    moved = at(there, default_data_dir(there))
    done = moved("index")
    assert done.returncode == 0
    assert "brain index --moved" in done.stderr
    moved("stop")


# --- copied while in use ---------------------------------------------------------------------


def test_a_copy_of_a_data_directory_in_use_has_servers_of_its_own(
    brain: Brain, vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    copied = tmp_path / "copied"
    subprocess.run(["cp", "-a", data_dir, copied], check=True)
    copy = at(vault, copied)
    own = {name: server(data_dir, name) for name in ("semantic", "graph")}
    assert "fish" in copy("ask", "What does heron 3 eat?").stdout
    doctor = copy("doctor")
    assert doctor.returncode == 0, doctor.stdout
    for name, process in own.items():
        assert server(copied, name).pid != process.pid
    assert copy("reset", "--everything", "--yes").returncode == 0
    assert all(process.is_running() for process in own.values())
    assert brain("doctor").returncode == 0


def server(data_dir: Path, name: str) -> psutil.Process:
    return psutil.Process(int((data_dir / "run" / f"{name}.pid").read_text("ascii")))


# --- nested and read-only --------------------------------------------------------------------


def test_a_vault_inside_another_has_an_index_of_its_own(vault: Path, tmp_path: Path) -> None:
    inner = made(vault / "inner")
    outer_brain, inner_brain = at(vault, tmp_path / "o"), at(inner, tmp_path / "i")
    for each, notes in ((outer_brain, 12), (inner_brain, 6)):
        assert json.loads(each("index", "--json").stdout)["notes"] == notes
        assert each("doctor").returncode == 0
        each("stop")


@as_root
def test_a_vault_on_a_read_only_mount_is_indexed_and_asked(
    vault: Path, data_dir: Path, tmp_path: Path
) -> None:
    with read_only_view(vault, at=tmp_path / "mounted") as mounted:
        brain = at(mounted, data_dir)
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
@pytest.mark.usefixtures("brain")
@pytest.mark.parametrize("loose", [False, True])
def test_another_user_can_neither_read_nor_connect_nor_replace(
    vault: Path, tmp_path: Path, *, loose: bool
) -> None:
    data_dir = tmp_path / "data"
    if loose:  # as a user would make it who gives an empty folder
        data_dir = tmp_path / "given"
        data_dir.mkdir(mode=0o777)
        data_dir.chmod(0o777)
        assert at(vault, data_dir)("index").returncode == 0
    for folder in (tmp_path, *list(tmp_path.parents)[:-2]):
        folder.chmod(folder.stat().st_mode | 0o011)  # else what is tested is pytest's own folder
    paths = {*data_dir.rglob("*"), *run_dir_of(data_dir).rglob("*")}
    assert {"semantic.sock", "graph.sock", "history.db"} <= {path.name for path in paths}
    cache = Path.home() / ".cache" / "brain"
    done = run_as_nobody(SYSTEM_PYTHON, "-c", _TRIES, data_dir, cache, *paths)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
    if loose:
        at(vault, data_dir)("stop")
