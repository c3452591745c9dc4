"""The file of slow questions: private, bounded, without a word of the question."""

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

from graphs.core import slow_log
from tools.base.domain import Answer

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ASKED = "Where does Quillfeather keep the key?"


def asked(**timings: float) -> Answer:
    return Answer(
        status="answered", query=ASKED, thread_id="t", timings_ms={**timings, "total": 2000.0}
    )


def remember(path: Path, answer: Answer, *, at: datetime = NOW, text: str | None = None) -> None:
    slow_log.remember(path, answer, notes=7, now=at, text=text)


def test_a_line_tells_all_but_the_words(tmp_path: Path) -> None:
    path = tmp_path / "slow.jsonl"
    remember(path, asked(judge=1900.0, merge=5.0))
    line = json.loads(path.read_text("utf-8"))
    assert line["bottleneck"] == "judge"
    assert (line["total_ms"], line["notes"], line["results"]) == (2000.0, 7, 0)
    assert line["timings_ms"]["merge"] == 5.0
    assert "Quillfeather" not in path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_words_are_there_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "slow.jsonl"
    remember(path, asked(judge=1900.0), text=ASKED)
    assert json.loads(path.read_text("utf-8"))["question"] == ASKED


def test_those_of_a_week_are_counted_and_the_usual_bottleneck_is_named(tmp_path: Path) -> None:
    path = tmp_path / "slow.jsonl"
    remember(path, asked(merge=1900.0), at=NOW - timedelta(days=8))
    for phase in ("judge", "guard", "judge"):
        remember(path, asked(**{phase: 1900.0}), at=NOW - timedelta(days=1))
    found = slow_log.recent(path, now=NOW)
    assert (found.count, found.bottleneck, found.bottleneck_count) == (3, "judge", 2)
    assert found.in_words == "3 in 7 days; judge took longest in 2"


def test_none_is_said_too_and_a_damaged_line_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "slow.jsonl"
    assert slow_log.recent(path, now=NOW).in_words == "none in 7 days"
    path.write_text('{"time": "yesterday", "bottleneck": "judge"}\n[1]\n{"ti', "utf-8")
    assert slow_log.recent(path, now=NOW).count == 0


def test_the_file_stays_bounded_and_what_was_set_aside_still_counts(tmp_path: Path) -> None:
    path = tmp_path / "slow.jsonl"
    remember(path, asked(judge=1900.0))
    path.write_bytes(path.read_bytes() * (slow_log.MAX_BYTES // path.stat().st_size))
    for _ in range(20):
        remember(path, asked(judge=1900.0))
    files = sorted(tmp_path.glob("slow.jsonl*"))
    assert sum(file.stat().st_size for file in files) < 1_100_000
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    lines = path.read_text("utf-8").splitlines()
    aside = path.with_name("slow.jsonl.1").read_text("utf-8").splitlines()
    assert slow_log.recent(path, now=NOW).count == len(lines) + len(aside)
    assert 0 < len(lines) <= 20


def test_what_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    remember(tmp_path / "none" / "slow.jsonl", asked(judge=1900.0))
    assert not (tmp_path / "none").exists()
