"""Is the first line of an answer the evidence? What questions came to, and measures of it.

A line is right where it and a gold place share a line of the file. A question that the notes do not
answer is rightly met where the answer says so.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from evals.datasets.evidence import AnswerCase, Place
from tools.base.domain import Answer

SURE = 0.8
"""Confidence from which on a line should almost always be right."""
TOP = 3
"""Lines that are looked at beyond the first one."""
NOTES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A quotation of an answer: the note, its lines and how they read."""

    path: str
    first: int
    last: int
    text: str = ""

    def covers(self, gold: Iterable[Place]) -> bool:
        return any(
            self.path == place.path and self.first <= place.lines[1] and place.lines[0] <= self.last
            for place in gold
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOutcome:
    """What a question came to: its quotations and notes in order, and the length of the page."""

    case: AnswerCase
    quoted: tuple[Quoted, ...]
    notes: tuple[str, ...]
    denied: bool
    words: int
    ms: float
    confidence: float | None = None
    error: str | None = None

    @property
    def first(self) -> bool:
        """Whether the first line is evidence."""
        return not self.denied and any(one.covers(self.case.gold) for one in self.quoted[:1])

    @property
    def right(self) -> bool:
        """Whether it begins with evidence, or says that there is none where that is so."""
        return self.first if self.case.answerable else self.denied

    @property
    def sure(self) -> bool:
        """Whether a line is given as one that answers, and not only perhaps."""
        return not self.denied and self.confidence is not None and self.confidence >= SURE

    @property
    def top(self) -> bool:
        """Whether one of the first lines is evidence."""
        return not self.denied and any(one.covers(self.case.gold) for one in self.quoted[:TOP])

    def note_within(self, depth: int) -> bool:
        gold = {place.path for place in self.case.gold}
        return not gold.isdisjoint(self.notes[:depth])

    def line(self) -> str:
        """What is written of the question, as one JSON object."""
        told = {
            "q": self.case.q,
            "kind": self.case.kind,
            "first": self.first,
            "top3": self.top,
            "said_no": self.denied,
            "quoted": [
                {"path": one.path, "lines": [one.first, one.last]} for one in self.quoted[:TOP]
            ],
            "confidence": self.confidence,
            "words": self.words,
            "ms": self.ms,
        }
        refused = {"error": self.error} if self.error is not None else {}
        after = {"after": self.case.after} if self.case.after else {}
        return json.dumps(told | after | refused, ensure_ascii=False)


def outcome_of(case: AnswerCase, answer: Answer) -> AnswerOutcome:
    """What an answer shows, in the order in which it shows it."""
    quoted = [
        Quoted(
            path=result.note_path,
            first=one.line_start,
            last=one.line_end,
            text=one.reads or one.text,
        )
        for result in answer.results
        for one in result.excerpts
    ]
    return AnswerOutcome(
        case=case,
        quoted=tuple(quoted),
        notes=tuple(dict.fromkeys(result.note_path for result in answer.results)),
        denied=denies(answer),
        words=len(answer.answer.split()),
        ms=round(answer.timings_ms.get("total", 0.0), 1),
        confidence=answer.confidence,
    )


def denies(answer: Answer) -> bool:
    """Whether the answer says that the notes do not have it."""
    return answer.status == "no_results" or answer.answer.startswith("## Not in your notes")


def missed(found: Iterable[AnswerOutcome]) -> list[AnswerOutcome]:
    """Those that are met wrongly, what is wrongly denied or not denied before all else."""
    wrong = [one for one in found if not one.right]
    return sorted(wrong, key=lambda one: one.case.answerable and not one.denied)


def came_first(one: AnswerOutcome) -> Quoted | str:
    """The first quotation, or in words what came in its place."""
    if one.error is not None:
        return f"refused: {one.error}"
    if one.denied:
        return "said to be in no note"
    return one.quoted[0] if one.quoted else "nothing"


MEASURES: Mapping[str, str] = {
    "first": "first line is evidence",
    "top3": "one of the first three",
    "note1": "right note first",
    "note5": "among the first five notes",
    "said_no": "told no when unanswerable",
    "false_no": "wrongly told no",
    "sure_wrong": "wrong though sure (0.8)",
    "words": "words of the page, median",
}


def measured(found: Sequence[AnswerOutcome]) -> dict[str, float | None]:
    """Each measure of some questions; None where none of them is of the kind it is taken on."""
    answerable = [one for one in found if one.case.answerable]
    others = [one for one in found if not one.case.answerable]
    return {
        "first": _share(one.first for one in answerable),
        "top3": _share(one.top for one in answerable),
        "note1": _share(one.note_within(1) for one in answerable),
        "note5": _share(one.note_within(NOTES) for one in answerable),
        "said_no": _share(one.denied for one in others),
        "false_no": _share(one.denied for one in answerable),
        "sure_wrong": _share(not one.first for one in found if one.sure),
        "words": median(one.words for one in found) if found else None,
    }


def by_kind(found: Sequence[AnswerOutcome]) -> dict[str, list[AnswerOutcome]]:
    """The questions of each kind, the most frequent first."""
    kinds: dict[str, list[AnswerOutcome]] = {}
    for one in found:
        kinds.setdefault(one.case.kind, []).append(one)
    return dict(sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])))


def in_digits(measure: str, value: float | None) -> str:
    """A measure as a table has it: a share with two digits, a number of words as a whole one."""
    if value is None:
        return ""
    return f"{value:.0f}" if measure == "words" else f"{value:.2f}"


def _share(values: Iterable[bool]) -> float | None:
    kept = list(values)
    return sum(kept) / len(kept) if kept else None
