"""What is asked for an answer, who decides, and what an answer lacks where one of them failed."""

from dataclasses import dataclass
from typing import Literal

type Source = str
"""The name of a search: of ``graphs/query/retrieval``, what it is registered by."""
Mode = Literal["auto", "llm", "local"]
DecidedBy = Literal["local", "llm", "user", "command", "fallback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWarning:
    """A source, or something else, that did not do its part, and what the answer lacks for it."""

    source: str
    error: str
    impact: str
