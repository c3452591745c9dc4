"""The lines of notes as they are on disk now."""

from collections.abc import Iterable
from pathlib import Path

from tools.base.errors import InputError
from tools.vault.disk.files import read_bytes
from tools.vault.notes.notes import decode


def read_lines(paths: Iterable[str], *, root: Path, max_bytes: int) -> dict[str, list[str]]:
    """The lines of each note; those that are gone or unreadable are absent."""
    lines: dict[str, list[str]] = {}
    for path in paths:
        try:
            text, _ = decode(read_bytes(root, path, max_bytes=max_bytes))
        except (InputError, OSError):
            continue
        lines[path] = text.split("\n")
    return lines
