"""What a question asks for, and how it will be answered: question → QueryPlan.

The wording alone decides when it is clear; otherwise a language model may, if one answers; what
then is still open goes back to the person as a question of ours. What the question is about always
comes from its own words, never from a model.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

import prompts
from agents import phrases, signals
from agents.models import StructuredModel
from tools import guards
from tools.date_axes import find_axes
from tools.dates import FoundPeriod
from tools.domain import (
    INTENTS,
    AnswerFormat,
    Clarification,
    ClarificationOption,
    DecidedBy,
    Intent,
    Mode,
    QueryPlan,
    Source,
)
from tools.errors import ModelUnavailableError

SURE = 0.70
"""At this confidence and above a verdict is acted on without asking."""
COMPETING = 0.08
"""From this probability on an intent is worth offering."""

_THRESHOLDS: Mapping[Intent, float] = {
    "factual": 0.7,
    "temporal": 0.6,
    "causal": 0.6,
    "comparative": 0.6,
    "exploratory": 0.5,
}
_ROUTES: Mapping[Intent, tuple[Source, ...]] = {
    "factual": ("semantic", "text"),
    "temporal": ("graph", "text"),
    "causal": ("graph", "semantic"),
    "comparative": ("semantic", "text", "graph"),
    "exploratory": ("semantic", "text", "graph"),
}
_FORMATS: Mapping[Intent, AnswerFormat] = {
    "factual": "list",
    "temporal": "timeline",
    "causal": "narrative",
    "comparative": "table",
    "exploratory": "list",
}
_COMMANDS: Mapping[str, Intent | None] = {
    "query": None,
    "temporal-query": "temporal",
    "compare": "comparative",
    "surface-related": "exploratory",
}
_COMMAND = re.compile(rf"^\*({'|'.join(_COMMANDS)})\b\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionContext:
    """What surrounds a question: ``known_names`` are note names as ``fold_name`` writes them."""

    now: datetime
    limit: int
    forced_intent: Intent | None = None
    mode: Mode = "auto"
    known_names: Set[str] = frozenset()


class Interpreter(Protocol):
    """A question, already past its guard, to a plan. Raises InputError for an unusable date."""

    async def __call__(self, question: str, context: QuestionContext) -> QueryPlan: ...


class Verdict(BaseModel):
    """The model's reply. The schema is all it can say."""

    model_config = ConfigDict(extra="forbid")

    intent: Intent
    confidence: float = Field(ge=0, le=1)
    reason: str = Field(max_length=300)


def make_interpreter(model: StructuredModel | None) -> Interpreter:
    """The interpreter that ``context.mode`` asks for; ``model`` is None where there is none."""

    async def interpret(question: str, context: QuestionContext) -> QueryPlan:
        local = interpret_locally(
            question,
            now=context.now,
            forced_intent=context.forced_intent,
            limit=context.limit,
            known_names=context.known_names,
        )
        settled = local.decided_by == "command" or context.mode == "local"
        if settled or (context.mode == "auto" and (model is None or local.confidence >= SURE)):
            return local
        if model is None:
            return _fallen_back(local, "No language model is set up.")
        try:
            prompt = await asyncio.to_thread(_prompt, local)  # it reads a file
            verdict = await model(prompt, Verdict)
        except ModelUnavailableError as error:
            return _fallen_back(local, str(error))
        return _judged(local, verdict)

    return interpret


def interpret_locally(
    question: str,
    *,
    now: datetime,
    forced_intent: Intent | None = None,
    limit: int = 10,
    known_names: Set[str] = frozenset(),
) -> QueryPlan:
    """The plan by the question's wording alone: pure, within milliseconds.

    Raises InputError for a date or a limit that cannot be used.
    """
    command = _COMMAND.match(question)
    asked = question[command.end() :] if command else question
    forced = forced_intent or (_COMMANDS[command[1].lower()] if command else None)
    found, known = find_axes(asked, now=now)
    asked = _without(asked, known)
    span = found.span if found else None
    reading = signals.read(asked, date_span=span)
    probabilities = _certain(forced) if forced else reading.probabilities
    intent = forced or max(INTENTS, key=probabilities.__getitem__)
    return QueryPlan(
        query=question,
        intent=intent,
        confidence=probabilities[intent],
        probabilities=probabilities,
        decided_by="command" if forced else "local",
        reason=_wording(reading.signals) if not forced else f"asked for as {forced}",
        concepts=phrases.concepts(asked, dates=span, names=known_names),
        subjects=_subjects(intent, asked, span, known_names),
        start_date=_start(found),
        end_date=_end(found),
        similarity_threshold=_threshold(intent, asked),
        limit=guards.limit(limit),
        route=_ROUTES[intent],
        format=_FORMATS[intent],
        known_at=_end(known),
    )


def choose(plan: QueryPlan, intent: Intent) -> QueryPlan:
    """The plan after the person has said which reading was meant."""
    chosen = _with_intent(plan, intent)
    return replace(
        chosen,
        confidence=1.0,
        probabilities=_certain(intent),
        decided_by="user",
        reason=f"chosen as {intent}",
    )


def with_subject(plan: QueryPlan, subject: str) -> QueryPlan:
    """The plan with one more thing to compare."""
    clean = guards.concept(subject)
    first = plan.subjects or plan.concepts[:1]
    return replace(
        plan,
        subjects=tuple(dict.fromkeys((*first, clean))),
        concepts=tuple(dict.fromkeys((*plan.concepts, clean))),
    )


# --- asking back ---------------------------------------------------------------------------

_LABELS: Mapping[Intent, str] = {
    "factual": "A short answer: what {topic} is",
    "temporal": "A timeline: how {topic} changed over time",
    "causal": "Reasons and effects: what leads to {topic} and what follows from it",
    "comparative": "A comparison: {topic}",
    "exploratory": "Everything around it: all notes on {topic}",
}
_TURKISH_LABELS: Mapping[Intent, str] = {
    "factual": "Kısa yanıt: {topic} nedir",
    "temporal": "Zaman çizelgesi: {topic} zamanla nasıl değişti",
    "causal": "Nedenler ve sonuçlar: {topic} neye bağlı, neye yol açıyor",
    "comparative": "Karşılaştırma: {topic}",
    "exploratory": "Her şey: {topic} ile ilgili bütün notlar",
}


def clarification(plan: QueryPlan) -> Clarification | None:
    """What to ask the person before searching, or None if the plan can be carried out.

    Below 0.70 two to four readings, likeliest first; for a comparison of one thing, the second.
    """
    turkish = phrases.is_turkish(plan.query)
    if plan.confidence < SURE:
        return _which_reading(plan, turkish=turkish)
    if plan.intent == "comparative" and len(plan.subjects) < 2:
        one = plan.subjects[0] if plan.subjects else _topic(plan, turkish=turkish)
        ask = (
            f"{one} neyle karşılaştırılsın?" if turkish else f"What should {one} be compared with?"
        )
        return Clarification(question=ask, options=())
    return None


def _which_reading(plan: QueryPlan, *, turkish: bool) -> Clarification:
    ranked: list[Intent] = sorted(INTENTS, key=lambda intent: -plan.probabilities[intent])
    likely: list[Intent] = [intent for intent in ranked if plan.probabilities[intent] >= COMPETING]
    offered = likely[:4] if len(likely) >= 2 else ranked[:2]
    labels = _TURKISH_LABELS if turkish else _LABELS
    return Clarification(
        question="Hangisini istiyorsunuz?" if turkish else "Which of these do you want?",
        options=tuple(
            ClarificationOption(
                number=number,
                label=labels[intent].format(topic=_topic(plan, turkish=turkish, intent=intent)),
                intent=intent,
            )
            for number, intent in enumerate(offered, 1)
        ),
    )


def _topic(plan: QueryPlan, *, turkish: bool, intent: Intent | None = None) -> str:
    joint = " ve " if turkish else " and "
    if intent == "comparative":
        sides = plan.subjects if len(plan.subjects) > 1 else plan.concepts[:2]
        other = "başka bir şey" if turkish else "something else"
        return joint.join(sides if len(sides) > 1 else (*sides, other))
    return joint.join(plan.concepts[:2]) or ("bu konu" if turkish else "this")


# --- the plan's parts ----------------------------------------------------------------------


def _with_intent(plan: QueryPlan, intent: Intent) -> QueryPlan:
    asked = _COMMAND.sub("", plan.query)
    # The date itself is settled; any moment that reads it as one shows where it stands.
    ends = [end - timedelta(seconds=1) for end in (plan.end_date, plan.known_at) if end]
    moment = max((*ends, *filter(None, [plan.start_date])), default=None)
    found, known = find_axes(asked, now=moment) if moment else (None, None)
    asked = _without(asked, known)
    dates = found.span if found else None
    return replace(
        plan,
        intent=intent,
        subjects=plan.subjects if intent == plan.intent else _subjects(intent, asked, dates),
        similarity_threshold=_threshold(intent, asked),
        route=_ROUTES[intent],
        format=_FORMATS[intent],
    )


def _subjects(
    intent: Intent,
    asked: str,
    dates: tuple[int, int] | None,
    names: Set[str] = frozenset(),
) -> tuple[str, ...]:
    """Only a comparison has subjects; two years may be what it compares."""
    if intent != "comparative":
        return ()
    without = phrases.subjects(asked, dates=dates, names=names)
    if len(without) > 1 or dates is None:
        return without
    with_dates = phrases.subjects(asked, names=names)
    return with_dates if len(with_dates) > 1 else without


def _threshold(intent: Intent, asked: str) -> float:
    said = phrases.similarity_word(asked)
    return _THRESHOLDS[intent] if said is None else said


def _without(asked: str, known: FoundPeriod | None) -> str:
    """``asked``, as long as before, without the words that say when something was known."""
    if known is None:
        return asked
    start, end = known.span
    return asked[:start] + " " * (end - start) + asked[end:]


def _start(found: FoundPeriod | None) -> datetime | None:
    return found.period.start if found else None


def _end(found: FoundPeriod | None) -> datetime | None:
    return found.period.end if found else None


def _certain(intent: Intent) -> Mapping[Intent, float]:
    return {other: float(other == intent) for other in INTENTS}


def _wording(names: tuple[str, ...]) -> str:
    return f"wording: {', '.join(names[:4])}" if names else "nothing in the wording decides"


# --- the model -----------------------------------------------------------------------------


def _prompt(local: QueryPlan) -> str:
    """The question goes in as a JSON string, so that nothing in it can end the quotation."""
    guess = ", ".join(f"{intent} {p:.2f}" for intent, p in local.probabilities.items())
    return prompts.render(
        "interpreter", question=json.dumps(local.query, ensure_ascii=False), guess=guess
    )


def _judged(local: QueryPlan, verdict: Verdict) -> QueryPlan:
    """The local plan with the model's intent; the other intents share what confidence is left."""
    rest = 1.0 - local.probabilities[verdict.intent]
    left = 1.0 - verdict.confidence
    probabilities: dict[Intent, float] = {}
    for intent, p in local.probabilities.items():
        share = p / rest if rest > 0 else 1 / (len(INTENTS) - 1)
        probabilities[intent] = verdict.confidence if intent == verdict.intent else left * share
    reason = " ".join(guards.terminal_text(verdict.reason).split())
    return _decided(_with_intent(local, verdict.intent), "llm", reason, probabilities)


def _fallen_back(local: QueryPlan, why: str) -> QueryPlan:
    return _decided(local, "fallback", f"{local.reason}; {why}", local.probabilities)


def _decided(
    plan: QueryPlan, by: DecidedBy, reason: str, probabilities: Mapping[Intent, float]
) -> QueryPlan:
    return replace(
        plan,
        decided_by=by,
        reason=reason,
        probabilities=probabilities,
        confidence=probabilities[plan.intent],
    )
