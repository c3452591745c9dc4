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
SHORT = 40_000
"""Bytes for which what grows with the square takes longer than ``SHORT_SECONDS``, four times what
the slowest of such notes takes."""
SHORT_SECONDS = 4.0
WHOLE = ("yaml/", "shape/long word")
"""What is read whole all the same: frontmatter and a paragraph that are too long to be read."""
LONG = [path for path, raw in NOTES.items() if len(raw) > SHORT and not path.startswith(WHOLE)]


def read(path: str, raw: bytes) -> Note:
    return parse_note(path, raw, mtime=datetime(2024, 1, 1, tzinfo=UTC))


def without_middle(raw: bytes) -> bytes:
    """A note of the same shape, for what it begins is still ended."""
    text = raw.decode("utf-8", "surrogatepass")
    half = len(text) * SHORT // len(raw) // 2
    return (text[:half] + text[-half:]).encode("utf-8", "surrogatepass")


def within_time(path: str, raw: bytes, *, seconds: float) -> None:
    started = time.process_time()
    note = read(path, raw)
    passages = chunk_note(note)
    version_content(note)
    took = time.process_time() - started
    assert took < seconds
    lines = note.text.count("\n") + 1
    marks = (*note.headings, *note.links, *note.fields, *note.tasks, *note.callouts)
    assert all(1 <= mark.line <= lines for mark in marks)
    assert all(1 <= one.line_start <= one.line_end <= lines for one in passages)
    assert all("\n" not in warning for warning in note.warnings)


@pytest.mark.parametrize("path", NOTES, ids=ascii)
def test_a_hostile_note_is_read_cut_and_told_in_bounded_time(path: str) -> None:
    raw = without_middle(NOTES[path]) if path in LONG else NOTES[path]
    within_time(path, raw, seconds=SHORT_SECONDS)


@pytest.mark.torture
@pytest.mark.parametrize("path", LONG, ids=ascii)
def test_a_long_hostile_note_is_too(path: str) -> None:
    within_time(path, NOTES[path], seconds=SECONDS * (1 + len(NOTES[path]) / 200_000))


@pytest.mark.parametrize("length", [10_000, pytest.param(20_000, marks=pytest.mark.torture)])
@pytest.mark.parametrize(
    "unit",
    ["> [!", "[k:: v] ", "> [!note] x\n", "[[a|b]] #c ", "[a](b) ", "k:: v\n", "![[a]] ", "`a` "],
)
def test_a_paragraph_four_times_as_long_takes_about_four_times_as_long(
    unit: str, length: int
) -> None:
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
    assert seconds(4 * length) < 10 * max(seconds(length), 0.005)
