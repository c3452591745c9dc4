"""Evidence → cited answer. Locally the words are the notes' own; a model may write them anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agents.answerer.causal_narrative import narrative
from agents.answerer.llm import OnDraft, synthesise
from agents.interpreter.plan import moment
from agents.llm.structured import StructuredModel
from tools.base.domain import (
    AnswerFormat,
    DecidedBy,
    GraphRelation,
    Mode,
    Moment,
    QueryPlan,
    Result,
)
from tools.base.errors import ModelAbsentError, ModelUnavailableError
from tools.evidence.citations import CitedSentence, cite_relation
from tools.graph.facts_at import as_known
from tools.graph.relations import PLAIN, phrase
from tools.text.voice import stamp, translate

_FACTS = 12
_MENTIONS = PLAIN | {"TAGGED"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What an answer may rest on: verified results only."""

    plan: QueryPlan
    format: AnswerFormat
    results: Sequence[Result]
    mode: Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Sentences of an answer, who wrote them, and what the reader should know about that."""

    statements: tuple[CitedSentence, ...]
    decided_by: DecidedBy
    remarks: tuple[str, ...] = ()


class Answerer(Protocol):
    """Write an answer from the material, every sentence with its citations."""

    async def __call__(self, material: Material, *, on_draft: OnDraft | None = None) -> Written: ...


def make_answerer(
    model: StructuredModel | None,
    *,
    expected: bool = True,
    refusal: Callable[[], str | None] = lambda: None,
) -> Answerer:
    """Compose the two ways: the model's words when they can be had and hold, else the notes'.

    Who did not set up a model (``expected`` is False) is told that there is none only on insisting
    on one. ``refusal`` says why it is not asked in ``auto``, if it is not.
    """

    async def write(material: Material, *, on_draft: OnDraft | None = None) -> Written:
        local = Written(statements=write_locally(material), decided_by="local")
        if model is None or material.mode == "local" or not material.results:
            return local
        if material.mode == "auto" and (why := refusal()):
            return replace(local, remarks=_without_model(why) if expected else ())
        try:
            return await _write_with(model, material, local, on_draft)
        except ModelUnavailableError as error:
            if isinstance(error, ModelAbsentError) and not expected and material.mode == "auto":
                return local
            return replace(local, remarks=_without_model(error))

    return write


def _without_model(why: object) -> tuple[str, ...]:
    return (translate("Written without a language model: {why}", why=why),)


def write_locally(material: Material) -> tuple[CitedSentence, ...]:
    """For a causal question, the chains in words, then what the notes say.

    For the state of things at a moment, what held then; else nothing.
    """
    plan = material.plan
    if material.format == "list" and moment(plan) != Moment():
        return _held(material.results, moment(plan))
    if material.format != "narrative":
        return ()
    return narrative(_current(material.results), plan.reading, plan.concepts)


async def _write_with(
    model: StructuredModel, material: Material, local: Written, on_draft: OnDraft | None
) -> Written:
    """The model's sentences that hold; the notes' own where none does, or none answers."""
    results = material.results if material.format == "timeline" else _current(material.results)
    question, shown = material.plan.reading.question, material.format
    said = await synthesise(model, question, shown, results, on_draft=on_draft)
    if said.answered and said.sentences:
        return Written(statements=said.sentences, decided_by="llm", remarks=said.remarks)
    no_answer = translate(
        "The model found no answer in the evidence; these are the notes' own words."
    )
    remarks = said.remarks if said.answered else (*said.remarks, no_answer)
    return replace(local, remarks=remarks)


def _current(results: Sequence[Result]) -> list[Result]:
    """The results that no later note took the place of."""
    return [r for r in results if r.superseded is None]


def _held(results: Sequence[Result], at: Moment) -> tuple[CitedSentence, ...]:
    """What the notes stated with a word of their own, links in passing left out."""
    facts = [fact for r in results for fact in r.chain if fact.relation not in _MENTIONS]
    return tuple(_stated(fact, _times(fact, at)) for fact in facts[:_FACTS])


def _times(fact: GraphRelation, at: Moment) -> str:
    """Since when it held, and until when, if that was known by then."""
    since = (
        translate("since {day}", day=stamp(fact.valid_at))
        if fact.valid_at
        else translate("undated")
    )
    ended = as_known(fact, at.known_at).invalid_at
    return f"{since}, {translate('until {day}', day=stamp(ended))}" if ended else since


def _stated(step: GraphRelation, times: str) -> CitedSentence:
    """One edge in words; in brackets that a model inferred it, and when it held."""
    said = ", ".join((*(("inferred",) if step.origin == "inferred" else ()), times))
    words = f"{step.source_title} {phrase(step.relation)} {step.target_title}"
    return CitedSentence(text=f"{words} ({said}).", citations=(cite_relation(step),))
