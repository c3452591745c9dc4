"""What a question leans on: those before it in its thread, and what answered the last.

A trained head tells a question that cannot be understood by itself ("and his job?"). Such a one is
searched for together with what was asked before it; the reader of evidence is given both, and where
the last answer stood counts for what stands near it (``tools/evidence/features.py``). Its weights
are learned by ``evals/training/follow_ups.py``.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agents.interpreter.classifiers.features import Features
from agents.interpreter.classifiers.head import Vector, read_head
from tools.base.domain import Answer, Before, Period, QueryPlan
from tools.text.markdown.quotes import quoted_first

WEIGHTS = Path(__file__).with_name("conversation.npz")
LEANS = 0.5
"""From this probability on a question is read with what was asked before it."""
_LINE = 100
"""Characters of the last answer's first line that are kept."""
_PLACES = 3
"""Lines of the last answer beside which a next one may stand."""


def context_dependence(features: Features, vector: Vector | None) -> float:
    """How likely a question cannot be understood by itself."""
    head = read_head(WEIGHTS)
    return head.shares(head.outputs(features, vector), with_vector=vector is not None)[1]


def with_context(asked: Sequence[str], question: str) -> str:
    """A question behind those it leans on, to search for."""
    return " ".join((*asked, question))


def context_of_answer(answer: Answer, plan: QueryPlan) -> Before:
    """What the next question of the thread may lean on, once one was answered by its plan."""
    if answer.listing is not None:
        stand = [(one.note_path, one.line or 1) for one in answer.listing.items if one.note_path]
        return context_of_line(plan, line="", places=[(path, line, line) for path, line in stand])
    first = quoted_first(answer.results)
    if first is None or not first.excerpts:
        return context_of_line(plan, line="", places=())
    # The note that is quoted first leads, whichever stands first among the results.
    results = sorted(answer.results, key=lambda one: one is not first)
    places = [(one.note_path, part) for one in results for part in one.excerpts]
    return context_of_line(
        plan,
        line=first.excerpts[0].reads or first.excerpts[0].text,
        places=[(path, part.line_start, part.line_end) for path, part in places],
    )


def context_of_line(
    plan: QueryPlan, *, line: str, places: Sequence[tuple[str, int, int]]
) -> Before:
    """What may be leaned on behind a question answered by this ``line`` at these ``places``.

    A question that leaned keeps the one that said what all is about, and the listing before it.
    Where nothing answered, what answered before stays.
    """
    earlier = plan.reading.before or Before()
    asked = (*earlier.questions[:1], plan.reading.question)
    if earlier.questions and not (places or plan.vault):
        return replace(earlier, questions=asked)
    during = Period(start=plan.start_date, end=plan.end_date)
    return Before(
        questions=asked,
        line=" ".join(line.split())[:_LINE],
        places=tuple(places[:_PLACES]),
        concepts=plan.concepts,
        intent=plan.intent,
        listed=plan.vault or earlier.listed,
        period=during if plan.vault else earlier.period,
    )
