"""Which sense of a name is meant: what is asked, and what follows from the reply. Pure."""

from collections.abc import Iterable
from dataclasses import replace

from agents.interpreter.classifiers.intents import SURE
from tools.base.domain import AmbiguousName, Clarification, ClarificationOption, QueryPlan, Sense
from tools.text.voice import translate

MOST_OFFERED = 4
"""Senses that are offered, the likeliest; behind them stands the option for all."""


def which_sense(found: AmbiguousName) -> Clarification:
    """Ask which sense is meant, or all of them."""
    offered = found.senses[:MOST_OFFERED]
    options = [
        ClarificationOption(number=number, label=in_words(sense), notes=sense.notes)
        for number, sense in enumerate(offered, 1)
    ]
    every = ClarificationOption(number=len(options) + 1, label=translate("All of them"))
    return Clarification(
        question=translate("Which {name} do you mean?", name=found.name),
        options=(*options, every),
    )


def with_sense(plan: QueryPlan, notes: Iterable[str]) -> QueryPlan:
    """The plan with the name's sense that has these notes; without any, for all senses.

    Nobody is asked twice: what kind of answer is wanted is taken for what it most likely is.
    """
    path = next(iter(notes), None)
    senses = plan.ambiguous.senses if plan.ambiguous else ()
    meant = next((sense for sense in senses if path in sense.notes), None)
    sure = max(plan.confidence, SURE)
    return replace(plan, ambiguous=None, sense=meant, confidence=sure)


def searched_all(found: AmbiguousName) -> str:
    """A line on a name of several senses where nobody was asked."""
    senses = "; ".join(map(in_words, found.senses))
    return translate(
        "“{name}” stands for several things in your notes: {senses}. All were searched.",
        name=found.name,
        senses=senses,
    )


def in_words(sense: Sense) -> str:
    """A sense by the title of its note, and what tells it apart."""
    return f"{sense.title} – {sense.about}" if sense.about else sense.title
