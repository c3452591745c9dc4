"""What to ask the person back when a question has several readings, or compares one thing."""

import re
from collections.abc import Mapping
from dataclasses import replace

from agents.interpreter.classifiers.intents import SURE
from agents.interpreter.sense_choice import which_sense
from tools.base.domain import INTENTS, Clarification, ClarificationOption, Intent, QueryPlan
from tools.text.normalize import flatten
from tools.text.voice import translate, use_language

COMPETING = 0.08
"""From this probability on an intent is worth offering."""

_LABELS: Mapping[Intent, str] = {
    "factual": "A short answer: what {topic} is",
    "temporal": "A timeline: how {topic} changed over time",
    "causal": "Reasons and effects: what leads to {topic} and what follows from it",
    "comparative": "A comparison: {topic}",
    "exploratory": "Everything around it: all notes on {topic}",
}


def clarification(plan: QueryPlan) -> Clarification | None:
    """What to ask the person before searching, or None if the plan can be carried out.

    Which sense of a name is meant comes first; after that no reading is asked for.
    Below 0.70 two to four readings, likeliest first; for a bare comparison of one thing, or of a
    thing with itself, the second; nothing of what the catalog answers, or contradictions do.
    Other comparisons that name no two things are carried out as far as words go.
    """
    with use_language(plan.reading.language):
        return _asked_back(plan)


def _asked_back(plan: QueryPlan) -> Clarification | None:
    if plan.vault is not None or plan.reading.clashes:
        return None
    if plan.ambiguous is not None:
        return which_sense(plan.ambiguous)
    if plan.confidence < SURE:
        return _which_reading(plan)
    if plan.intent == "comparative" and len(plan.subjects) < 2:
        one = plan.subjects[0] if plan.subjects else _topic(plan)
        ask = translate("What should {name} be compared with?", name=one)
        if _names_twice(plan):
            return Clarification(question=f"{translate('Both are the same.')} {ask}", options=())
        return Clarification(question=ask, options=()) if _names_one(plan) else None
    return None


def with_as_written(asked: Clarification, plan: QueryPlan) -> Clarification:
    """``asked`` of a respelled plan, with an option more: the plan as it was written."""
    with use_language(plan.reading.language):
        label = translate("As it is written: {topic}", topic=_topic(plan))
    as_written = ClarificationOption(
        number=len(asked.options) + 1,
        label=label,
        intent=asked.options[0].intent,
    )
    return replace(asked, options=(*asked.options, as_written))


def _names_twice(plan: QueryPlan) -> bool:
    """Whether its one thing stands on both sides, be it in other letters or with an article."""
    if not plan.subjects:
        return False
    one = re.escape(flatten(plan.subjects[0]))
    both = rf"\b{one},? (?:{_JOINT}) (?:(?:the|an?|my) )?{one}\b"
    return re.search(both, flatten(plan.reading.question)) is not None


_JOINT = r"and|or|vs\.?|versus|with|to|from|against|than|ve|veya|ile|ya da"


def _names_one(plan: QueryPlan) -> bool:
    """Whether it was told to compare, and nothing else was said that could be gone by."""
    told = plan.decided_by in ("command", "user")
    return told or _BARE.search(flatten(plan.reading.question)) is not None


_BARE = re.compile(
    r"^(?:please |can you |could you )?(?:compare|contrast)\b(?:\s+\S+){0,5}$"
    r"|^(?:\S+\s+){0,5}(?:karsilastir|kiyasla)\w*\W*$"
)


def _which_reading(plan: QueryPlan) -> Clarification:
    ranked: list[Intent] = sorted(INTENTS, key=lambda intent: -plan.probabilities[intent])
    likely: list[Intent] = [intent for intent in ranked if plan.probabilities[intent] >= COMPETING]
    offered = likely[:4] if len(likely) >= 2 else ranked[:2]
    return Clarification(
        question=translate("Which of these do you want?"),
        options=tuple(
            ClarificationOption(
                number=number,
                label=translate(_LABELS[intent], topic=_topic(plan, intent=intent)),
                intent=intent,
            )
            for number, intent in enumerate(offered, 1)
        ),
    )


def _topic(plan: QueryPlan, *, intent: Intent | None = None) -> str:
    joint = translate(" and ")
    if intent == "comparative":
        sides = plan.subjects if len(plan.subjects) > 1 else plan.concepts[:2]
        return joint.join(sides if len(sides) > 1 else (*sides, translate("something else")))
    return joint.join(plan.concepts[:2]) or translate("this")
