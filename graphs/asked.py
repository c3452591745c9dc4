"""What can be said with a question: the arguments of ``brain ask``, and of the tool ``ask``."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, or the reply to one that came back: ``choose`` in a ``thread``."""

    question: str | None = None
    thread: str | None = None
    choose: str | None = None
    intent: Literal["factual", "temporal", "causal", "comparative", "exploratory"] | None = None
    format: Literal["list", "narrative", "table", "timeline"] | None = None
    mode: Literal["auto", "llm", "local"] | None = None
    limit: int | None = None
    as_of: str | None = None
    known_at: str | None = None
    confirm: bool = False
    interactive: bool = True
