"""Notes, by path and text, on the disk."""

from collections.abc import Mapping
from pathlib import Path


def write_notes(vault: Path, notes: Mapping[str, str]) -> None:
    """Write the notes that are not there as they are given; others stay."""
    for path, text in notes.items():
        file = vault / path
        if not file.exists() or file.read_text("utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
