"""Notes that mean harm: each is read whole, in bounded time, and told of in its own lines."""

import time
from datetime import UTC, datetime

import pytest

from tests.support.vaults.hostile_vault import notes
from tools.base.domain import Note
from tools.graph.statements import version_content
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note

SECONDS = 10.0
"""Of processor time, for a start and for each further 200 KB: five times what it takes, for a busy
machine is that much slower at times, and what grows with the square takes minutes."""
NOTES = dict(notes())


def read(path: str, raw: bytes) -> Note:
    return parse_note(path, raw, mtime=datetime(2024, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("path", NOTES, ids=ascii)
def test_a_hostile_note_is_read_cut_and_told_in_bounded_time(path: str) -> None:
    raw = NOTES[path]
    started = time.process_time()
    note = read(path, raw)
    passages = chunk_note(note)
    version_content(note)
    took = time.process_time() - started
    assert took < SECONDS * (1 + len(raw) / 200_000)
    lines = note.text.count("\n") + 1
    marks = (*note.headings, *note.links, *note.fields, *note.tasks, *note.callouts)
    assert all(1 <= mark.line <= lines for mark in marks)
    assert all(1 <= one.line_start <= one.line_end <= lines for one in passages)
    assert all("\n" not in warning for warning in note.warnings)


@pytest.mark.parametrize(
    "unit",
    ["> [!", "[k:: v] ", "> [!note] x\n", "[[a|b]] #c ", "[a](b) ", "k:: v\n", "![[a]] ", "`a` "],
)
def test_a_paragraph_twice_as_long_takes_about_twice_as_long(unit: str) -> None:
    def seconds(length: int) -> float:
        raw = (unit * (length // len(unit))).encode()
        taken: list[float] = []
        for _ in range(3):
            started = time.process_time()
            read("a.md", raw)
            taken.append(time.process_time() - started)
            raw += b" "  # what was read before is remembered
        return min(taken)

    seconds(2_000)
    assert seconds(80_000) < 10 * max(seconds(20_000), 0.005)
