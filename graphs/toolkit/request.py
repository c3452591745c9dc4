"""What can be said with a question: the arguments of ``brain ask``, and of the tool ``ask``."""

from dataclasses import dataclass
from typing import ClassVar, Literal


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
