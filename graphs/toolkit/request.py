"""What can be said with a question: the arguments of ``brain ask``, and of the tool ``ask``."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tools.base.errors import InputError

COMMAND = "brain ask"
"""What the command calls itself as a client, which shows its user the words of commands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRequest:
    """A question, or the reply to one that came back: ``choose`` in a ``thread``."""

    __pydantic_config__: ClassVar = {
        "title": "Asked",
        "extra": "forbid",
        "use_attribute_docstrings": True,
    }

    question: str | None = None
    """The question in plain words."""
    thread: str | None = None
    """The thread to go on in: "and that?" then knows what "that" is."""
    choose: str | None = None
    """With a thread and no question: the number of the option to go on with, or what was meant."""
    intent: Literal["factual", "temporal", "causal", "comparative", "exploratory"] | None = None
    """How to read the question; the program decides where nothing is given."""
    format: Literal["list", "narrative", "table", "timeline"] | None = None
    """How to show the answer; by its intent where nothing is given."""
    mode: Literal["auto", "llm", "local"] | None = None
    """Who decides: the program, a language model, or either."""
    limit: int | None = None
    """Notes at the most, 1 to 100."""
    as_of: str | None = None
    """What was true then: a date, a moment, or words such as "last March"."""
    known_at: str | None = None
    """What the notes said by then: a date, a moment, or words."""
    confirm: bool = False
    """Show the plan and ask before searching."""
    interactive: bool = True
    """Whether to ask back where a question is unclear; otherwise it is read as factual."""
    whole: bool = False
    """Show everything that was found, not the short page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How who asks writes what can be said with a question; of programs the arguments' names."""

    thread: str = "`thread`"
    choose: str = "`choose`"
    confirm: str = "`confirm`"
    never_ask: str = "`interactive` false"


def require_consistent(asked: QueryRequest, words: Wording) -> None:
    """Raise InputError for what does not go together."""
    if asked.choose is not None and asked.thread is None:
        raise InputError(f"{words.choose} needs the thread it answers: give {words.thread}, too.")
    if asked.choose is not None and asked.question is not None:
        raise InputError(
            f"Give a question or {words.choose}, not both: {words.choose} answers an earlier one."
        )
    if asked.confirm and not asked.interactive:
        raise InputError(
            f"{words.confirm} asks before searching and {words.never_ask} never asks: give one."
        )
