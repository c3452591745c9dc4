"""What is asked for an answer, who decides, and what an answer lacks where one of them failed."""

from dataclasses import dataclass
from typing import Literal, get_args

Source = Literal["semantic", "text", "graph"]
Mode = Literal["auto", "llm", "local"]
DecidedBy = Literal["local", "llm", "user", "command", "fallback"]
SOURCES: tuple[Source, ...] = get_args(Source)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWarning:
    """A source, or something else, that did not do its part, and what the answer lacks for it."""

    source: str
    error: str
    impact: str
