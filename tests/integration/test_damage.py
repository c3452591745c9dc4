"""Stores that were lost or damaged: told in one line, and mended by the next run."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.command_line import BRAIN, environment, run, run_here

pytestmark = pytest.mark.integration

type Brain = Callable[..., subprocess.CompletedProcess[str]]


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
