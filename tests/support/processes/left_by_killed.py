"""What writers that kill themselves left, each at another moment: made once, then copied."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.support.processes.countdown import settings_in
from tests.support.processes.crashing import ROOT
from tools.settings.settings import Settings

type Killed = Callable[..., list[Settings]]
"""The vaults in which a step, given by name, was not done to its end."""
type Stage = Callable[[str, str], Path]


def run_dying(writer: str, *arguments: str | Path, timeout: float = 300) -> None:
    """Run a writer of this package to its end, within so many seconds."""
    command = [sys.executable, "-m", f"{__package__}.{writer}", *arguments]
    subprocess.run(command, cwd=ROOT, check=True, timeout=timeout)


def stage_of(writer: str, folders: pytest.TempPathFactory) -> Stage:
    """Makes the folder of a step, and of whether the file system has all that it may have."""

    @cache
    def made(step: str, able: str) -> Path:
        folder = folders.mktemp(f"{step}-{able}")
        run_dying(writer, folder, step, able)
        return folder

    return made


def copies(stage: Stage, at: Path, *, least: int) -> Killed:
    """Copies of them that a test may change, more than ``least`` of a step."""

    def copied(step: str, able: str = "yes") -> list[Settings]:
        shutil.copytree(stage(step, able), at, dirs_exist_ok=True, symlinks=True)
        left = [settings_in(one) for one in sorted(at.iterdir())]
        assert len(left) > least
        return left

    return copied
