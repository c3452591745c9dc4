"""Watches leave nothing behind for long, also those that are killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.vault.watch.fence import Fence, left_behind, remove_left_behind


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run" / "watches"


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("watch-*"))


def killed(folder: Path) -> None:
    """Have another process make a fence, and kill it."""
    code = "import sys, pathlib; from tools.vault.watch.fence import Fence\n"
    code += "fence = Fence(pathlib.Path(sys.argv[1])); print('made', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"made\n"
        assert len(left_behind(folder)) < len(files(folder))
        process.kill()


def test_what_a_killed_process_left_goes_with_the_next_start(folder: Path) -> None:
    living = Fence(folder)
    killed(folder)
    killed(folder)
    assert len(files(folder)) == 2
    fence = Fence(folder)
    assert files(folder) == sorted([Path(living.path), Path(fence.path)])
    fence.close()
    living.close()
    assert files(folder) == []


def test_what_a_killed_process_left_can_be_removed_by_itself(folder: Path) -> None:
    assert left_behind(folder) == []
    living = Fence(folder)
    killed(folder)
    assert len(left_behind(folder)) == 1
    remove_left_behind(folder)
    assert files(folder) == [Path(living.path)]
    living.close()


def test_only_its_user_can_enter_the_folder(folder: Path) -> None:
    Fence(folder).close()
    assert {folder.stat().st_mode & 0o777, folder.parent.stat().st_mode & 0o777} == {0o700}
