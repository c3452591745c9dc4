"""Questions that took long, in a file: when, how long, and which phase was to blame."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from graphs.core.timings import bottleneck, in_words
from tools.base.domain import Answer
from tools.runtime.event_log import SharedFile

MAX_BYTES = 500_000
"""Half of what is kept: one full file is kept beside the one being written."""
DAYS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowQuestions:
    """How many there were in the last ``days``; ``bottleneck`` is the phase most often to blame."""

    count: int
    days: int = DAYS
    bottleneck: str | None = None
    bottleneck_count: int = 0

    @property
    def in_words(self) -> str:
        if self.bottleneck is None:
            return f"none in {self.days} days"
        cause = in_words(self.bottleneck)
        return f"{self.count} in {self.days} days; {cause} took longest in {self.bottleneck_count}"


def remember(path: Path, answer: Answer, *, notes: int, now: datetime, text: str | None) -> None:
    """Add a line. Not being able to write costs the line only."""
    route = answer.plan.route if answer.plan else ()
    line = {
        "time": now.isoformat(timespec="seconds"),
        "total_ms": answer.timings_ms["total"],
        "bottleneck": bottleneck(answer.timings_ms, beside=route),
        "timings_ms": dict(answer.timings_ms),
        "status": answer.status,
        "intent": answer.plan.intent if answer.plan else None,
        "route": list(route),
        "sources_failed": list(answer.sources_failed),
        "notes": notes,
        "results": len(answer.results),
        **({} if text is None else {"question": text}),
    }
    SharedFile(path, max_bytes=MAX_BYTES, kept=1).add(line)


def recent(path: Path, *, now: datetime) -> SlowQuestions:
    """Count the questions of the last days; lines that cannot be read count as none."""
    since = now - timedelta(days=DAYS)
    blamed = Counter(
        str(line["bottleneck"])
        for file in (path.with_name(f"{path.name}.1"), path)
        for line in _lines(file)
        if _moment(line.get("time")) >= since and line.get("bottleneck")
    )
    if not blamed:
        return SlowQuestions(count=0)
    ((phase, count),) = blamed.most_common(1)
    return SlowQuestions(count=blamed.total(), bottleneck=phase, bottleneck_count=count)


def _lines(file: Path) -> Iterator[Mapping[str, object]]:
    try:
        written = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in written:
        try:
            read: object = json.loads(line)
        except ValueError:
            continue
        if isinstance(read, dict):
            yield read


def _moment(value: object) -> datetime:
    try:
        return datetime.fromisoformat(str(value)).astimezone()
    except ValueError:
        return datetime.min.replace(tzinfo=datetime.now().astimezone().tzinfo)
