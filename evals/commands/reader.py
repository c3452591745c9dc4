"""What ``brain eval reader`` does: questions with texts in, how surely each text answers out."""

import json
import math
from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field
from pydantic import model_validator as validator

from evals.commands.outputs import (
    apart,
    at_least_one,
    notify,
    progress,
    require_outputs,
    write_line,
    written,
)
from evals.datasets.records import Record, Text, read_lines
from evals.metrics.ranking import average_precision, mean, reciprocal_rank
from graphs.cli.output.exit_codes import OK
from tools.base.domain import Marked
from tools.semantic.evidence_reader import EvidenceReader
from tools.text.voice import counted


class ReaderCase(Record):
    """A question and texts; ``answers`` are the places (from 0) of those that answer it."""

    example: ClassVar[str] = (
        '{"query": "Who paints it?", "candidates": ["Marta does.", "It is blue."], "answers": [0]}'
    )

    query: Text
    candidates: tuple[Text, ...] = Field(min_length=1)
    answers: tuple[int, ...] | None = None

    @validator(mode="after")
    def _answers_are_there(self) -> Self:
        if self.answers and not all(0 <= one < len(self.candidates) for one in self.answers):
            raise ValueError("`answers` are places of `candidates`, the first is 0")
        return self


def reader(file: Path, *, out: Path, limit: int | None) -> int:
    """Score every text; say how well they are ranked where it is known which ones answer.

    Raises InputError before anything is written for input that cannot be used.
    """
    at_least_one(limit, "question")
    outputs = require_outputs(out=out)
    cases = read_lines(file, ReaderCase)[:limit]
    apart(file, outputs)
    weigh = EvidenceReader()
    precisions: list[float] = []
    ranks: list[float] = []
    with written(out) as sink, progress("questions read", len(cases)) as advance:
        for case in cases:
            texts = [Marked(case.query, text, [(0, len(text))]) for text in case.candidates]
            scores = [own[0] or 0.0 for own in weigh.scores(texts, "alone")]
            likely = 1.0 / (1.0 + math.exp(-max(scores)))
            told = {"scores": [round(one, 4) for one in scores], "answerable": round(likely, 3)}
            write_line(sink, json.dumps({"query": case.query, **told}, ensure_ascii=False))
            if case.answers and len(set(case.answers)) < len(scores):
                right = frozenset(case.answers)
                order = sorted(range(len(scores)), key=lambda at: -scores[at])
                precisions.append(average_precision((scores[at], at in right) for at in order))
                ranks.append(reciprocal_rank(order, right))
            advance()
    if ranks:
        figures = f"MAP {mean(precisions):.3f}, MRR {mean(ranks):.3f}"
        notify(f"{counted(len(ranks), 'question')} with texts of both kinds: {figures}")
    return OK
