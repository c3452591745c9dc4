"""The parts of a plan that follow from its intent, and how a person's reply changes them."""

import re
from collections.abc import Mapping, Set
from dataclasses import replace
from datetime import timedelta

from agents import phrases
from tools import guards
from tools.dates import find_period
from tools.domain import INTENTS, AnswerFormat, Intent, QueryPlan, Source

_THRESHOLDS: Mapping[Intent, float] = {
    "factual": 0.7,
    "temporal": 0.6,
    "causal": 0.6,
    "comparative": 0.6,
    "exploratory": 0.5,
}
ROUTES: Mapping[Intent, tuple[Source, ...]] = {
    "factual": ("semantic", "text"),
    "temporal": ("graph", "text"),
    "causal": ("graph", "semantic"),
    "comparative": ("semantic", "text", "graph"),
    "exploratory": ("semantic", "text", "graph"),
}
FORMATS: Mapping[Intent, AnswerFormat] = {
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


def commanded(question: str) -> Intent | None:
    """The intent that a command at the start of the question names."""
    command = _COMMAND.match(question)
    return _COMMANDS[command[1].lower()] if command else None


def without_command(question: str) -> str:
    """What follows the command, or the whole question."""
    return _COMMAND.sub("", question)


def choose(plan: QueryPlan, intent: Intent) -> QueryPlan:
    """The plan after the person has said which reading was meant."""
    chosen = with_intent(plan, intent)
    return replace(
        chosen,
        confidence=1.0,
        probabilities=certain(intent),
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


def with_intent(plan: QueryPlan, intent: Intent) -> QueryPlan:
    asked = without_command(plan.query)
    # The date itself is settled; any moment that reads it as one shows where it stands.
    moment = plan.end_date - timedelta(seconds=1) if plan.end_date else plan.start_date
    found = find_period(asked, now=moment) if moment else None
    dates = found.span if found else None
    return replace(
        plan,
        intent=intent,
        subjects=plan.subjects if intent == plan.intent else subjects(intent, asked, dates),
        similarity_threshold=threshold(intent, asked),
        route=ROUTES[intent],
        format=FORMATS[intent],
    )


def subjects(
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


def threshold(intent: Intent, asked: str) -> float:
    said = phrases.similarity_word(asked)
    return _THRESHOLDS[intent] if said is None else said


def certain(intent: Intent) -> Mapping[Intent, float]:
    """The probabilities of an intent that somebody named."""
    return {other: float(other == intent) for other in INTENTS}
