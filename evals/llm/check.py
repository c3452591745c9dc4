"""Examine a language model: each role on built-in cases, beside the program without it."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import BaseModel

import prompts
from agents.answerer.llm import synthesise
from agents.llm.admission import ROLES, ModelCheck, Role, RoleCheck
from agents.llm.language_model import language_model
from agents.llm.structured import OnPartial, StructuredModel
from evals.claims.pairs import ClaimPair, run_pairs
from evals.datasets.intents import Case
from evals.datasets.records import Record, Text, read_lines
from evals.interpretation.intents import build_interpreter, run_cases
from tools.base.domain import Excerpt, Marked, Mode, NoteMetadata, Result
from tools.base.errors import BrainError, ModelUnavailableError
from tools.semantic.evidence_reader import EvidenceReader
from tools.settings.settings import ModelSettings
from tools.temporal.clock import local_now

type Rights = list[bool]
"""Of each case, whether it was got right."""


_PATIENCE = 5
"""Replies in a row that are none, after which a model is given up."""


class AnswerCase(Record):
    """A question, lines of notes, and the numbers (from 1) of those that answer it, if any do."""

    example: ClassVar[str] = '{"question": "Who fed the cat?", "lines": ["Ann did."], "right": [1]}'

    question: Text
    lines: tuple[Text, ...]
    right: tuple[int, ...]


async def check_model(settings: ModelSettings, *, advance: Callable[[], None]) -> ModelCheck:
    """The figures of the configured model in each role; ``advance`` hears of every case.

    A case that the model does not answer, in time or in form, it has wrong. Raises
    ModelUnavailableError where it answers none at all.
    """
    found: dict[Role, RoleCheck] = {}
    examined: dict[Role, _Examined] = {role: _Examined(settings) for role in ROLES}
    for role, model in examined.items():
        local = await _rights(role, settings, None, lambda: None)
        began = time.perf_counter()
        with_model = await _rights(role, settings, model, advance)
        took = time.perf_counter() - began
        both = [*zip(with_model, local, strict=True)]
        found[role] = RoleCheck(
            cases=len(both),
            model_right=sum(with_model),
            local_right=sum(local),
            only_model=sum(model and not alone for model, alone in both),
            only_local=sum(alone and not model for model, alone in both),
            seconds=round(took / len(both), 2),
        )
    if not any(model.answered for model in examined.values()):
        raise ModelUnavailableError(f"{examined['judge'].problem} Nothing was kept.")
    return ModelCheck(
        model=settings.chat_model, version=prompts.version(), checked_at=local_now(), roles=found
    )


class _Examined:
    """The model, not asked again once it has given nothing usable ``_PATIENCE`` times running."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._failed = 0
        self.answered = 0
        self.problem = ""

    async def __call__[T: BaseModel](
        self, prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        if self._failed >= _PATIENCE:
            raise ModelUnavailableError(self.problem)
        url, name = self._settings.ollama_url, self._settings.chat_model
        # Made anew: one that was silent for a case is asked for the next all the same.
        model = language_model(url=url, name=name, timeout=self._settings.model_timeout)
        try:
            reply = await model(prompt, schema, on_partial=on_partial)
        except ModelUnavailableError as error:
            self._failed, self.problem = self._failed + 1, error.reason
            raise
        self._failed = 0
        self.answered += 1
        return reply


def cases_of(role: Role) -> int:
    """How many cases a role is examined on: one on each line."""
    return len(_file(role).read_text("utf-8").splitlines())


def _file(role: Role) -> Path:
    return prompts.CASES / f"{role}.jsonl"


async def _rights(
    role: Role,
    settings: ModelSettings,
    model: StructuredModel | None,
    advance: Callable[[], None],
) -> Rights:
    file, mode = _file(role), "llm" if model else "local"
    match role:
        case "interpreter":
            return await _read(read_lines(file, Case), settings, model, mode, advance)
        case "judge":
            return await _judged(read_lines(file, ClaimPair), model, mode, advance)
        case "answerer":
            cases = read_lines(file, AnswerCase)
            if model is None:
                return await asyncio.to_thread(lambda: [_quoted(case) for case in cases])
            return [await _written(case, model, advance) for case in cases]


async def _read(
    cases: Sequence[Case],
    settings: ModelSettings,
    model: StructuredModel | None,
    mode: Mode,
    advance: Callable[[], None],
) -> Rights:
    outcomes = await run_cases(
        cases,
        build_interpreter(settings, model=model),
        mode=mode,
        now=local_now(),
        on_outcome=lambda _: advance(),
    )
    return [
        one.prediction.predicted == one.truth and one.prediction.decided_by != "fallback"
        for one in outcomes
    ]


async def _judged(
    pairs: Sequence[ClaimPair],
    model: StructuredModel | None,
    mode: Mode,
    advance: Callable[[], None],
) -> Rights:
    outcomes = await run_pairs(pairs, model=model, mode=mode, on_outcome=lambda _: advance())
    return [
        one.contradiction == (one.pair.label == "contradiction") and one.decided_by != "fallback"
        for one in outcomes
    ]


async def _written(case: AnswerCase, model: StructuredModel, advance: Callable[[], None]) -> bool:
    """Whether the model cites lines that answer, and those alone; or says that none does."""
    results = [_note(number, line) for number, line in enumerate(case.lines, 1)]
    try:
        said = await synthesise(model, case.question, "list", results)
    except BrainError:
        return False
    finally:
        advance()
    cited = {
        citation.line
        for sentence in said.sentences
        if said.answered
        for citation in sentence.citations
    }
    return bool(cited) == bool(case.right) and cited <= {*case.right}


def _quoted(case: AnswerCase) -> bool:
    """Whether the line that the reader of evidence is surest of answers; or it is of none."""
    texts = [Marked(case.question, line, ((0, len(line)),)) for line in case.lines]
    logits = [scores[0] or 0.0 for scores in _reader().scores(texts, "alone")]
    surest = int(np.argmax(logits))
    return surest + 1 in case.right if logits[surest] > 0 else not case.right


@cache
def _reader() -> EvidenceReader:
    return EvidenceReader()


def _note(number: int, line: str) -> Result:
    """A note that says nothing but the line, at the line of its number."""
    return Result(
        note_path=f"{number}.md",
        note_title=f"Note {number}",
        relevance_score=1.0,
        composite_relevance=1.0,
        tier="highly_relevant",
        sources=("text",),
        primary_source="text",
        match_types=("text",),
        excerpts=(Excerpt(text=line, line_start=number, line_end=number),),
        metadata=NoteMetadata(created_date=None, modified_date=None, building_block=None),
    )
