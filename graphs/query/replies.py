"""What the user's reply to an interrupt means. Pure."""

from collections.abc import Set
from dataclasses import replace

from agents.interpreter.commands import named_things, why_unusable
from agents.interpreter.plan import choose, with_subjects
from agents.interpreter.sense_choice import with_sense
from tools.base import guards
from tools.base.domain import Clarification, QueryPlan
from tools.base.errors import InputError
from tools.text.normalize import fold

_YES = frozenset({"1", "y", "yes", "true", "e", "evet"})
_NO = frozenset({"2", "n", "no", "false", "h", "hayir"})


def chosen(
    plan: QueryPlan, asked: Clarification, reply: object, *, names: Set[str] = frozenset()
) -> QueryPlan | None:
    """Plan for the option's number, or for the subjects given; None if it is neither."""
    text = str(reply).strip()
    if not asked.options:
        if why_unusable(plan, text, names=names) is not None:
            return None
        return with_subjects(plan, named_things(plan, text, names=names))
    for option in asked.options:
        if text == str(option.number):
            if option.intent is None:
                return with_sense(plan, option.notes)
            return choose(plan, option.intent)
    return None


def repeat_clarification(
    plan: QueryPlan, asked: Clarification, reply: object, *, names: Set[str] = frozenset()
) -> Clarification:
    """The same question, after a reply that chose nothing: first why not."""
    why = None if asked.options else why_unusable(plan, str(reply), names=names)
    return replace(asked, question=f"{why} {asked.question}") if why else asked


def agreed(reply: object) -> bool | None:
    """Read a yes (1) or a no (2); None if it is neither."""
    word = fold(str(reply).strip())
    if word in _YES:
        return True
    return False if word in _NO else None


def check_number(reply: str, *, options: int) -> None:
    """Raise InputError unless the reply is the number of an option, from 1."""
    if reply.strip() not in {str(number) for number in range(1, options + 1)}:
        raise InputError(
            f"There is no option {guards.terminal_text(reply)[:20]!r}: "
            f"choose a number from 1 to {options}. Your question is kept."
        )
