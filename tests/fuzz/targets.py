"""What is fuzzed and what must hold: each target takes any bytes and raises AssertionError."""

import json
import tempfile
import time
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import chdir, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from agents.interpreter.clarification import clarification
from agents.interpreter.interpreter import interpret_locally
from agents.interpreter.plan import choose
from tests.fuzz.texts import text_of
from tests.unit.tools.rendering.test_rendering_hostile import hostile_page
from tools.base import guards
from tools.base.domain import INTENTS, AnswerFormat, Excerpt
from tools.base.errors import BrainError
from tools.claims.assertions import extract_claims
from tools.claims.forms import analyse
from tools.graph.statements import version_content
from tools.rendering.answer import render
from tools.settings.loading import load_model_settings
from tools.temporal.periods.question_period import find_period, read_dates
from tools.temporal.relative_to_line import named_days
from tools.text.markdown.links import unlinked
from tools.text.markdown.quotes import link_texts, quote
from tools.text.markdown.sentences import split
from tools.text.markdown.tables import tables_in
from tools.vault.notes import markdown
from tools.vault.notes.chunks import chunk_note
from tools.vault.notes.notes import parse_note

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)
SECONDS_PER_100_KB = 5.0
"""Of processor time: a busy machine is a fifth as fast at times; what blows up takes minutes."""
_DIRECTIONS = frozenset({"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"})


def note(data: bytes) -> None:
    """Parser, chunker and statements, on the bytes as they are and on the text they stand for."""
    for raw in (data, text_of(data).encode("utf-8", "surrogatepass")):
        with suppress(BrainError):
            read = parse_note("a/b.md", raw, mtime=NOW)
            lines = read.text.split("\n")
            marks = (*read.headings, *read.links, *read.fields, *read.tasks, *read.callouts)
            assert all(1 <= mark.line <= len(lines) for mark in marks)
            assert all(1 <= b.line_start <= b.line_end <= len(lines) for b in read.blocks)
            assert 1 <= read.body_line <= len(lines) + 1
            json.dumps(dict(read.frontmatter), allow_nan=False).encode()
            for one in chunk_note(read):
                assert 1 <= one.line_start <= one.line_end <= len(lines)
                assert one.text in "\n".join(lines[one.line_start - 1 : one.line_end])
                assert one.text.strip()
            version_content(read).to_json()


def prose(data: bytes) -> None:
    """Words without markup, links and tables, and where the sentences and claims stand."""
    text = text_of(data)
    for line in text.split("\n"):
        assert "\n" not in markdown.plain(line)
    unlinked(text)
    link_texts(text)
    list(tables_in(text.split("\n")))
    found = split(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    passage = Excerpt(text=text, line_start=3, line_end=3 + text.count("\n"), heading=None)
    for one in found[:20]:
        quoted = quote(passage, one, columns=(), weights={})
        assert quoted.text in text
        assert 3 <= quoted.line_start <= quoted.line_end <= passage.line_end
        analyse(one.text[:2000])
    for claim in extract_claims(text, line_start=3, note_path="a.md", note_title="a"):
        assert 3 <= claim.line <= passage.line_end


def guarding(data: bytes) -> None:
    """What a guard lets through is clean, and clean it passes again."""
    text = text_of(data)
    for guard in (guards.question, guards.concept, guards.subject, guards.thread_id):
        with suppress(BrainError):
            clean = guard(text)
            assert guard(clean) == clean
            assert clean == guards.terminal_text(clean) or guard is guards.question
    shown = guards.terminal_text(text)
    assert not any(map(_is_obeyed, shown))
    assert "\n" not in guards.one_line(text)
    written = json.dumps(text, ensure_ascii=False)
    assert json.loads(guards.terminal_json(written)) == text


def _is_obeyed(letter: str) -> bool:
    """Whether it commands a terminal or a text's direction, and is no text."""
    commands = unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\n\t"
    return commands or unicodedata.bidirectional(letter) in _DIRECTIONS


def dates(data: bytes) -> None:
    """Periods of questions and of lines: whole, and where they are said to stand."""
    text = text_of(data)
    with suppress(BrainError):
        found = find_period(text[:2000], now=NOW)
        assert found is None or 0 <= found.span[0] < found.span[1] <= len(text)
    read_dates(text[:20_000], now=NOW, ahead=True, old=True)
    named_days(text[:2000], NOW)


def question(data: bytes) -> None:
    """A question that the guard lets through has a plan, and one for each reading of it."""
    with suppress(BrainError):
        asked = guards.question(text_of(data)[: guards.MAX_QUESTION])
        plan = interpret_locally(asked, now=NOW)
        assert plan.start_date is None or plan.end_date is None or plan.start_date < plan.end_date
        assert all(0 < len(concept) <= guards.MAX_CONCEPT for concept in plan.concepts)
        clarification(plan)
        for intent in INTENTS:
            choose(plan, intent)


def rendering(data: bytes) -> None:
    """A page on which every word is hostile is no command to a terminal."""
    text = text_of(data)[:5_000]
    for shown in get_args(AnswerFormat):
        written = render(hostile_page(shown, text, statements=True))
        assert written == guards.terminal_text(written)


def settings(data: bytes) -> None:
    """A ``brain.toml`` of any bytes is read or refused in one line."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for raw in (data, text_of(data).encode("utf-8", "surrogatepass")):
            Path("brain.toml").write_bytes(raw)
            refused = _refused()
            assert refused == guards.one_line(refused), refused


def _refused() -> str:
    """Why the settings cannot be used; empty where they can."""
    try:
        load_model_settings()
    except BrainError as error:
        return str(error)
    return ""


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    one.__name__: one for one in (note, prose, guarding, dates, question, rendering, settings)
}


def within_time(name: str, data: bytes, *, slower: float = 1.0) -> None:
    """Run a target on ``data``; AssertionError also if it takes too long for that much text.

    ``slower`` is how many times as long instrumented code takes.
    """
    started = time.process_time()
    TARGETS[name](data)
    took = time.process_time() - started
    size = len(text_of(data))
    limit = SECONDS_PER_100_KB * (1 + size / 100_000) * slower
    assert took < limit, f"{took:.1f} s for {size} characters"
