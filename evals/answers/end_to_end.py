"""What a person meets who asks a vault: ``python -m evals.answers.end_to_end --help``.

Each question goes the whole way, read, searched, merged, quoted, as ``brain ask`` would. Measured
are the evidence notes among the first five, and for questions that ask when whether the first
result is an evidence note, shows its date, and names the day of the labelled answer.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.datasets.collection import lines, note
from evals.metrics import ranking
from evals.metrics.figures import table
from evals.metrics.ranking import mean
from graphs.app import open_brain
from graphs.core.state import QueryContext
from tools.base.domain import Answer, Period
from tools.base.errors import InputError
from tools.base.guards import MAX_QUESTION
from tools.temporal.event_time import resolve_event_time
from tools.temporal.periods.question_period import find_period

type AnsweredQuestion = tuple[Mapping[str, Any], Answer]
"""A labelled question and the answer to it."""

_FIRST = 5
_CONTEXT = QueryContext(mode="local", interactive=False, limit=10)


def main() -> None:
    """Ask every vault its questions and print the figures of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with questions.jsonl and vaults")
    parser.add_argument("--kind", default="temporal", help="category of questions, or all")
    given = parser.parse_args()
    asyncio.run(measure(given.folder, given.kind))


async def measure(folder: Path, kind: str) -> None:
    asked = [
        question
        for question in lines(folder / "questions.jsonl")
        if question["answerable"] and question["evidence"]
        if kind in ("all", question["category"])
    ]
    answered = {
        vault: await ask(folder / vault, [q for q in asked if q["vault"] == vault])
        for vault in sorted({str(question["vault"]) for question in asked})
    }
    every = [one for found in answered.values() for one in found]
    rows = {**answered, "all": every}
    table(f"{folder.name}, {kind}", list(FOUND), {name: finding(of) for name, of in rows.items()})
    table(f"{folder.name}, when", list(DATED), {name: dating(of) for name, of in rows.items()})
    read = Counter(answer.plan.intent for _, answer in every if answer.plan)
    sys.stdout.write(f"Read as: {', '.join(f'{name} {n}' for name, n in read.most_common())}\n")


async def ask(vault: Path, questions: Sequence[Mapping[str, Any]]) -> list[AnsweredQuestion]:
    """Index the vault in a temporary place and ask it every question."""
    with tempfile.TemporaryDirectory(prefix="brain-eval-") as data_dir:
        async with open_brain(vault, data_dir=data_dir, mode="local") as brain:
            await brain.index()
            return [
                (q, await brain.ask(str(q["question"])[:MAX_QUESTION], context=_CONTEXT))
                for q in questions
            ]


# --- measures ------------------------------------------------------------------------------

FOUND = ("questions", "R@5", "ms p50", "ms p95")
DATED = ("questions", "first is evidence", "its date shown", "answers dated", "equal", "within")


def finding(asked: Sequence[AnsweredQuestion]) -> list[float]:
    """Share of the evidence notes among the first five, and time of an answer."""
    times = sorted(answer.timings_ms["total"] for _, answer in asked)
    return [
        len(asked),
        mean(recall(*one) for one in asked),
        times[len(times) // 2],
        times[int(len(times) * 0.95)],
    ]


def recall(question: Mapping[str, Any], answer: Answer) -> float:
    notes = list(dict.fromkeys(result.note_path for result in answer.results))
    return ranking.recall(notes, evidence(question), depth=_FIRST)


def evidence(question: Mapping[str, Any]) -> set[str]:
    return {note(one) for one in question["evidence"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the first result of an answer shows of time."""

    right: bool
    dated: bool
    told: Period | None
    gold: Period | None


def dating(asked: Sequence[AnsweredQuestion]) -> list[float]:
    """Of the questions that ask when: what their first results show.

    "Equal" and "within" are shares of the labelled answers that are dates: the same days named, or
    days of which one period holds the other.
    """
    cases = [shown(*one) for one in asked if one[1].plan and one[1].plan.reading.asks("when")]
    dates = [case for case in cases if case.gold is not None]
    return [
        len(cases),
        share(case.right for case in cases),
        share(case.right and case.dated for case in cases),
        len(dates),
        share(case.told == case.gold for case in dates),
        share(_nested(case.told, case.gold) for case in dates),
    ]


def shown(question: Mapping[str, Any], answer: Answer) -> Shown:
    first = answer.results[0] if answer.results else None
    line = (
        resolve_event_time(first, first.excerpts[0], question=str(question["question"]))
        if first and first.excerpts
        else None
    )
    date = first.metadata.created_date if first else None
    told = Period(start=_day(line.period.start), end=_day(line.period.end)) if line else None
    opening = answer.answer.split("\n## ", 2)[1] if "\n## " in answer.answer else ""
    return Shown(
        right=first is not None and first.note_path in evidence(question),
        dated=date is not None and f"{date.day} {date:%B %Y}" in opening,
        told=told,
        gold=labelled(str(question["answer"])),
    )


_RELATIVE = re.compile(
    r"(?:the )?(?P<what>day|week|weekend|month|year|\w+day) before (?P<date>\d.*\d{4})\.?$",
    re.IGNORECASE,
)
_WITHIN = {"day": "yesterday"}


def labelled(answer: str) -> Period | None:
    """The days of a labelled answer: "7 May 2023", "2022", "The Friday before 15 July 2023"."""
    text = re.sub(r"(?<=\d)(?=[A-Z])", " ", answer.strip())
    now, asked = datetime(2100, 1, 1, tzinfo=UTC), text
    if relative := _RELATIVE.match(text):
        base = _read(relative["date"], now)
        if base is None or base.start is None:
            return None
        what = relative["what"].lower()
        now, asked = base.start, _WITHIN.get(what, f"last {what}")
    elif not re.fullmatch(r"(?:in |on |around )?[\w ,]*\d{4}\.?", text, re.IGNORECASE):
        return None
    return _read(asked, now)


def _read(text: str, now: datetime) -> Period | None:
    try:
        found = find_period(text, now=now)
    except InputError:
        return None
    if found is None:
        return None
    return Period(start=_day(found.period.start), end=_day(found.period.end))


def _day(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment else None


def _nested(one: Period | None, other: Period | None) -> bool:
    if not (one and other and one.start and one.end and other.start and other.end):
        return False
    inside = one.start >= other.start and one.end <= other.end
    return inside or (other.start >= one.start and other.end <= one.end)


def share(values: Iterable[bool]) -> float:
    kept = list(values)
    return sum(kept) / len(kept) if kept else 0.0


if __name__ == "__main__":
    main()
