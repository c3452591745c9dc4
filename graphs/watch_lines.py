"""What ``brain watch`` prints: a line for each thing that happens, in words or as JSON."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphs.ingest import NAMED, Progress
from graphs.state import IngestReport
from graphs.terminal import show_line
from tools.domain import Json, Problem, SourceWarning
from tools.guards import terminal_json

type Event = Literal[
    "watching", "indexing", "indexed", "waiting", "gone", "back", "problem", "stopped"
]

MANY = 50
"""So many notes at once take long enough that one is told before they are indexed."""
_SHOWN = 3


@dataclass(kw_only=True)
class Lines:
    """``clock`` gives the moment of each line. What stays as it was is not said again."""

    clock: Callable[[], datetime]
    as_json: bool = False
    _waiting: str | None = None
    _warnings: tuple[SourceWarning, ...] = ()
    _problems: frozenset[Problem] = field(default_factory=frozenset[Problem])

    def say(self, event: Event, words: str, **facts: Json) -> None:
        """Print one thing that happened."""
        if event == "waiting" and words == self._waiting:
            return
        self._waiting = words if event == "waiting" else None
        at = self.clock()
        if self.as_json:
            line = {"event": event, "at": at.isoformat(timespec="milliseconds"), "message": words}
            sys.stdout.write(terminal_json(json.dumps(line | facts, ensure_ascii=False)) + "\n")
        else:
            show_line(f"{at:%H:%M:%S} {words}")
        sys.stdout.flush()

    def progress(self, show: Callable[[Progress], None] | None) -> Callable[[Progress], None]:
        """Hear how far a run is: one of many notes is told of once, and ``show`` hears of all."""
        told = False

        def hear(progress: Progress) -> None:
            nonlocal told
            if progress.phase == "text" and progress.total >= MANY and not told:
                told = True
                self.say("indexing", f"Reading {progress.total} notes.", total=progress.total)
            if show is not None:
                show(progress)

        return hear

    def began(self, report: IngestReport, *, seconds: float) -> None:
        """Tell of the first run; what is wrong with notes `brain doctor` tells."""
        self._problems = frozenset(report.problems)
        self.say(
            "watching",
            f"{report.notes} notes are indexed ({report.written} of them now, in {seconds:.1f} s); "
            "watching. Ctrl-C ends it.",
            notes_indexed=report.notes,
            written=report.written,
            removed=report.removed,
        )
        self._warn(report)

    def indexed(self, report: IngestReport, *, seconds: float) -> None:
        """Tell of a run, unless it found nothing to do."""
        facts: dict[str, Json] = {
            "written": report.written,
            "removed": report.removed,
            "graph_written": report.graph_written,
            "vectors_written": report.vectors_written,
            "notes": list(report.named),
            "seconds": round(seconds, 2),
        }
        if any((report.written, report.removed, report.graph_written, report.vectors_written)):
            self.say("indexed", f"{_in_words(report)} in {seconds:.1f} s.", **facts)
        found: dict[str, list[str]] = {}
        for problem in report.problems:
            if problem not in self._problems:
                found.setdefault(problem.message, []).append(problem.note_path)
        for message, paths in found.items():
            self.say("problem", f"{_listed(paths)}: {message}", notes=list(paths[:NAMED]))
        self._problems = frozenset(report.problems)
        self._warn(report)

    def _warn(self, report: IngestReport) -> None:
        for warning in report.warnings:
            if warning not in self._warnings:
                self.say("problem", f"{warning.source}: {warning.error} {warning.impact}")
        self._warnings = report.warnings


def _in_words(report: IngestReport) -> str:
    changed = report.written + report.removed
    if not changed:
        return (
            f"Completed: {report.graph_written} notes in the graph, "
            f"{report.vectors_written} passages embedded"
        )
    counts = {"indexed": report.written, "removed": report.removed}
    did = " and ".join(f"{count} {what}" for what, count in counts.items() if count)
    return f"{did}: {_listed(report.named, of=changed)}"


def _listed(paths: Sequence[str], *, of: int | None = None) -> str:
    more = (of or len(paths)) - _SHOWN
    return ", ".join(paths[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
