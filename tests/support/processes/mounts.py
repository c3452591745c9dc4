"""File systems of a test's own, which may be full or read-only; skipped where none may be made."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(at: Path) -> Generator[Path]:
    """A new folder that is a file system of its own, of 64 MB, until the block ends."""
    at.mkdir()
    _mount("-t", "tmpfs", "-o", "size=64m", "tmpfs", str(at))
    try:
        yield at
    finally:
        subprocess.run(["umount", "--lazy", at], check=True)


@contextmanager
def read_only_view(of: Path, *, at: Path) -> Generator[Path]:
    """A new folder that shows another, and cannot be written through, until the block ends."""
    at.mkdir()
    _mount("--bind", str(of), str(at))
    try:
        _mount("-o", "remount,ro,bind", str(at))
        yield at
    finally:
        subprocess.run(["umount", "--lazy", at], check=True)


def remount(disk: Path, how: str) -> None:
    """Have a ``small_disk`` be read-only ("ro") or writable ("rw") from now on."""
    _mount("-o", f"remount,{how}", str(disk))


def _mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("mounting is not allowed here")
