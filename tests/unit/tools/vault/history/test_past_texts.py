"""Texts of versions that git keeps: read one after the other, and what is left where git fails."""

import tracemalloc
from pathlib import Path

import pytest

from tests.support.vaults.desk import Desk
from tests.support.vaults.desk import desk_in_git as desk
from tests.support.vaults.histories import change, commit, see
from tests.support.vaults.repositories import git
from tools.vault.history.past import read_past

__all__ = ["desk"]

LARGE = 90_000
"""Bytes, below what a note may have here."""


def keep(desk: Desk, texts: list[str]) -> None:
    """Commit a note with each of these texts, one after the other."""
    for text in texts:
        git(desk.vault, "hash-object", "-w", "--stdin", stdin=text.encode())
    commit(desk.history, *(change("Tea.md", text, on=on) for on, text in enumerate(texts, 1)))


def test_no_more_than_a_few_texts_are_in_memory_at_once(desk: Desk) -> None:
    keep(desk, [f"# {number}\n\n```\n{'x' * LARGE}\n```\n" for number in range(100)])
    tracemalloc.start()
    try:
        desk.fill()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert desk.history.unread() == []
    assert peak < 20 * LARGE


def test_without_git_the_texts_are_there_that_were_seen(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(desk, ["Green.", "Black.", "Green."])
    desk.fill()
    see(desk.history, {"Tea.md": "White."}, on=5)
    # Between the last two it was gone: it is on no disk, and this desk has no catalog.
    versions = [v for v in desk.history.versions(["Tea.md"])["Tea.md"] if v.content_hash]

    def texts() -> list[str | None]:
        notes = read_past(versions, root=desk.vault, history=desk.history, max_bytes=100)
        return [notes[v.key].text if v.key in notes else None for v in versions]

    assert texts() == ["Green.", "Black.", "Green.", "White."]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert texts() == [None, None, None, "White."]
