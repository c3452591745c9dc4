"""What the words of a question say, read once: all that comes after the interpreter goes by it."""

from collections.abc import Mapping
from dataclasses import replace

from agents.interpreter.conversation import with_context
from agents.interpreter.turkish.gloss import in_english
from tools.base.domain import AnswerKind, Before, OverviewKind, QuestionReading
from tools.evidence.answerability import names_in
from tools.graph.causal_chains import direction
from tools.temporal.periods.states import asks_for_change
from tools.text.language import is_turkish
from tools.text.other_languages import other_language_code

_ONE_DAY = 0.6
"""From this probability on a question that speaks of a change asks when it was."""


def reading_of(
    question: str,
    *,
    asked: str,
    dates: tuple[int, int] | None,
    wanted: str,
    compared: tuple[str, ...],
    kinds: Mapping[AnswerKind, float],
    before: Before | None = None,
    overview: OverviewKind | None = None,
    clashes: bool = False,
) -> QuestionReading:
    """Read a question without its command; ``asked`` is it without when something was known.

    ``dates`` is where in ``asked`` a date stands, ``wanted`` it without what is excluded, and
    ``compared`` what its words set against each other; ``kinds`` are those of ``answer_kinds``.
    What it leans on (``before``) is searched for with it; ``overview`` is that asked for, if not
    ``clashes``.
    """
    if before is not None:
        wanted = with_context(before.questions, wanted)
    turkish = is_turkish(wanted if before else question)
    reading = QuestionReading(
        question=question,
        asked=asked,
        wanted=wanted,
        dates=dates,
        compared=compared,
        turkish=turkish,
        language="tr" if turkish else other_language_code(question) or "en",
        direction=direction(question),
        names=names_in(wanted if before else question),
        kinds=kinds,
        english=in_english(wanted) if turkish else "",
        before=before,
        overview=overview,
        clashes=clashes,
    )
    # "When did my diet change?" asks for a day, "the timeline of my diet" does not.
    one_day = reading.likely("when") >= _ONE_DAY
    return replace(reading, change=asks_for_change(question) and not one_day)
