"""What an interrupt shows a person, and what holds where nobody is there to reply."""

from dataclasses import asdict, replace

from agents.interpreter.plan import with_intent
from agents.interpreter.search_targets import time_alone
from graphs.core.nodes import Update
from tools.base.domain import Clarification, QueryPlan
from tools.rendering.plan import plan_in_words
from tools.text.voice import translate


def clarification_payload(asked: Clarification) -> dict[str, object]:
    """Payload of the clarifying interrupt."""
    return {"kind": "clarification", **asdict(asked)}


def confirmation_payload(plan: QueryPlan) -> dict[str, object]:
    """Payload of the confirming interrupt: what would be searched, and the two answers."""
    options = [
        {"number": 1, "label": translate("Run it")},
        {"number": 2, "label": translate("Leave it")},
    ]
    return {
        "kind": "confirmation",
        "question": translate("Run this search?"),
        "plan": plan_in_words(plan, only_time=bool(time_alone(plan))),
        "options": options,
    }


def assume_factual(plan: QueryPlan, asked: Clarification) -> Update:
    """Take a question that nobody clarified as factual, and say so."""
    taken = (
        translate("The question can be read in several ways; it was taken as asking for a fact.")
        if asked.options
        else translate("Only one thing to compare was named; it was taken as asking for a fact.")
    )
    return {
        "plan": replace(
            with_intent(plan, "factual"),
            confidence=plan.probabilities["factual"],
            decided_by="fallback",
            reason="taken as asking for a fact, since nobody was asked",
        ),
        "remarks": [taken],
    }
