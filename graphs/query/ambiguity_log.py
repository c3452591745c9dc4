"""Questions that had several readings, in a file the user can read, use as cases, and delete."""

import contextlib
import json
import os
from datetime import datetime
from pathlib import Path

from tools.base.domain import Clarification, Intent, QueryPlan
from tools.text.normalize import flatten

MAX_BYTES = 1_000_000
"""Nothing is added beyond; deleting the file starts it anew."""


def remember(
    path: Path, plan: QueryPlan, *, asked: Clarification, now: datetime, chosen: Intent | None
) -> None:
    """Add a line; ``intent`` is what the user chose, and missing where nobody was asked.

    ``also`` are the other readings that were offered: ``brain eval intents``, which takes the file
    as it is, then counts the question as ambiguous. Not being able to write costs the line only.
    """
    line: dict[str, object] = {
        "query": plan.reading.question,
        "asked": now.isoformat(timespec="seconds"),
        "probabilities": {name: round(p, 3) for name, p in plan.probabilities.items()},
    }
    if chosen is not None:
        line["intent"] = chosen
        offered = dict.fromkeys(option.intent for option in asked.options)
        line["also"] = [intent for intent in offered if intent != chosen]
    written = (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace")
    with contextlib.suppress(OSError):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if os.fstat(file).st_size < MAX_BYTES:
                os.write(file, written)  # one call: lines of two processes never mix
        finally:
            os.close(file)


def form(plan: QueryPlan) -> str:
    """The question without what it is about, so that a choice holds for "tell me about Y" too."""
    text = flatten(plan.reading.question)
    for phrase in sorted((*plan.subjects, *plan.concepts), key=len, reverse=True):
        text = text.replace(flatten(phrase), "_")
    return " ".join(text.strip(" ?.!").split())
