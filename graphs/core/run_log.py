"""What is told of a question and of an indexing run: to the log, the slow ones' file, the trace."""

from datetime import datetime

from graphs.core import slow_log
from graphs.core.ingest_report import IngestReport
from graphs.core.timings import bottleneck
from tools.base.domain import Answer
from tools.base.errors import BrainError
from tools.runtime.event_log import Field, open_log
from tools.runtime.tracing import Attribute, Span
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog


class Observer:
    """Tells of the runs over one vault."""

    def __init__(self, settings: Settings, catalog: Catalog) -> None:
        self._settings = settings
        self._catalog = catalog
        self._log = open_log(settings)

    def answered(
        self, answer: Answer, *, took_ms: float, now: datetime, span: Span, logged: bool
    ) -> None:
        """Tell of a question that was answered, or asked back, by a run of ``took_ms``.

        One that is not to be ``logged`` stays out of the file of slow ones.
        """
        span.set(_attributes(answer))
        if self._log.texts:
            span.set({"question": answer.query})
        for source in answer.sources_failed:
            self._log.warning("source failed", source=source, ms=answer.timings_ms.get(source))
        slow = took_ms >= self._settings.slow_ms
        if slow and logged:
            slow_log.remember(
                self._settings.slow_path,
                answer,
                notes=self._notes(),
                now=now,
                text=self._log.text(answer.query),
            )
        self._log.info(
            "question",
            slow=slow,
            **_fields(answer),
            question=self._log.text(answer.query),
        )
        for name, ms in answer.timings_ms.items():
            self._log.debug("phase", phase=name, ms=ms)

    def indexed(self, report: IngestReport, *, span: Span) -> None:
        """Tell of an indexing run that ended."""
        counts = {
            "notes": report.notes,
            "written": report.written,
            "removed": report.removed,
            "graph_written": report.graph_written,
            "vectors_written": report.vectors_written,
            "problems": len(report.problems),
        }
        lost = [warning.source for warning in report.warnings]
        span.set({**counts, "warnings": lost})
        tell = self._log.warning if lost else self._log.info
        tell("index run", **counts, warnings=lost, timings_ms=dict(report.timings_ms))

    def failed(self, what: str, error: BaseException) -> None:
        """Tell of a run that ended without an answer, by the kind of its error."""
        self._log.warning(f"{what} failed", error=type(error).__name__)

    def _notes(self) -> int:
        try:
            return self._catalog.counts().notes
        except BrainError:
            return 0


def _attributes(answer: Answer) -> dict[str, Attribute]:
    plan = answer.plan
    told: dict[str, Attribute] = {
        "status": answer.status,
        "results": len(answer.results),
        "contradictions": len(answer.contradictions),
        "sources_failed": list(answer.sources_failed),
        "total_ms": answer.timings_ms["total"],
    }
    if plan is not None:
        told |= {"intent": plan.intent, "route": list(plan.route), "decided_by": plan.decided_by}
    return told


def _fields(answer: Answer) -> dict[str, Field]:
    plan = answer.plan
    route = plan.route if plan else ()
    return {
        "status": answer.status,
        "intent": plan.intent if plan else None,
        "route": list(plan.route) if plan else None,
        "sources_failed": list(answer.sources_failed),
        "results": len(answer.results),
        "bottleneck": bottleneck(answer.timings_ms, beside=route),
        "timings_ms": dict(answer.timings_ms),
    }
