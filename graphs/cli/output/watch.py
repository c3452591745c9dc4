"""What ``brain watch`` prints: a line for each thing that happens, in words or as JSON."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphs.cli.output.console import show_line
from graphs.core.ingest_report import IngestReport
from graphs.ingest.graph import NAMED, Progress
from tools.base.domain import Change, Json, Problem, SourceWarning
from tools.base.guards import one_line, terminal_json
from tools.claims.report import FoundConflict, sides
from tools.rendering.problems import by_message, some_of
from tools.text.voice import counted

type Event = Literal[
    "watching", "indexing", "indexed", "clash", "waiting", "gone", "back", "problem", "stopped"
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

    def emit(self, event: Event, words: str, **facts: Json) -> None:
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
                self.emit(
                    "indexing", f"Reading {counted(progress.total, 'note')}.", total=progress.total
                )
            if show is not None:
                show(progress)

        return hear

    def conflict(self, found: FoundConflict) -> None:
        """Tell of a pair of claims that clashes and was not told of before."""
        one, other = sides(found.clash)
        kind = "changes" if isinstance(found.clash, Change) else "contradicts"
        said = [f"{side.title}, line {side.line}: “{side.claim}”" for side in (one, other)]
        self.emit(
            "clash",
            one_line(f"One note {kind} what another says. {said[0]} / {said[1]}"),
            key=found.key,
            notes=[one.path, other.path],
        )

    def began(self, report: IngestReport, *, seconds: float) -> None:
        """Tell of the first run; what is wrong with notes `brain doctor` tells."""
        self._problems = frozenset(report.problems)
        self.emit(
            "watching",
            f"{counted(report.notes, 'note is', 'notes are')} indexed ({report.written} now, in "
            f"{seconds:.1f} s); "
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
            self.emit("indexed", f"{_in_words(report)} in {seconds:.1f} s.", **facts)
        new = [problem for problem in report.problems if problem not in self._problems]
        for message, paths in by_message(new).items():
            words = f"{some_of(paths, most=_SHOWN)}: {message}"
            self.emit("problem", words, notes=list(paths[:NAMED]))
        self._problems = frozenset(report.problems)
        self._warn(report)

    def _warn(self, report: IngestReport) -> None:
        for warning in report.warnings:
            if warning not in self._warnings:
                self.emit("problem", f"{warning.source}: {warning.error} {warning.impact}")
        self._warnings = report.warnings


def _in_words(report: IngestReport) -> str:
    changed = report.written + report.removed
    if not changed:
        return (
            f"Completed: {counted(report.graph_written, 'note')} in the graph, "
            f"{counted(report.vectors_written, 'passage')} embedded"
        )
    counts = {"indexed": report.written, "removed": report.removed}
    did = " and ".join(f"{count} {what}" for what, count in counts.items() if count)
    return f"{did}: {some_of(report.named, most=_SHOWN, of=changed)}"
