"""What goes into an extraction and what comes out, and which of it is believed. Pure."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from tools.text.normalize import fold

LONGEST_NAME = 120
LONGEST_FACT = 600
"""Characters of an entity's name and of a fact's sentence; what is longer is no name, no fact."""

_CONTROL = re.compile(r"<|\[(?=/?[A-Z_]+\])")
"""What a prompt's own marks begin with, and what chat templates take for another turn."""
_STEM = 4
"""Letters by which an inflected word is known again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeText:
    """One part of one version of a note, as a language model reads it.

    ``part`` counts from 0; ``line`` is the part's first line in the note; ``valid_at`` is the
    version's valid time, to which "today" and "now" refer.
    """

    note_path: str
    title: str
    text: str
    content_hash: str
    valid_at: datetime
    part: int = 0
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class InferredFact:
    """A fact a model read out of a note; ``episode`` is the part of the version that says it.

    Facts of several notes share a ``uuid`` where they were found to be the same. ``valid_at`` is
    None where only the end is known. A type is one of ``ENTITY_TYPES``, or None.
    """

    uuid: str
    note_path: str
    content_hash: str
    episode: str
    line: int
    subject: str
    relation: str
    object: str
    fact: str
    created_at: datetime
    subject_type: str | None = None
    object_type: str | None = None
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    expired_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """An earlier inferred fact that this episode ends: from when, and when that was known."""

    uuid: str
    invalid_at: datetime | None
    expired_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What one episode gave, and how many questions the model was asked for it."""

    episode: str
    facts: tuple[InferredFact, ...]
    closed: tuple[Closing, ...]
    calls: int


def harmless(text: str) -> str:
    """``text`` in which nothing can end a section of a prompt or open another speaker's turn."""
    return _CONTROL.sub(lambda mark: "‹" if mark[0] == "<" else "⟦", text)


def grounded(name: str, text: str) -> bool:
    """Whether a word of ``name`` stands in ``text``, in whatever ending.

    A small model likes to repeat the names of the examples it was shown.
    """
    if not name.strip() or len(name) > LONGEST_NAME:
        return False
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name))  # as folding reads it
    # A short word in small letters ("of", "the") tells nothing, unless there is no other.
    telling = [word for word in words if len(word) >= _STEM or not word.islower()] or words
    said = fold(text)
    return any(re.search(_known_again(fold(word)), said) for word in telling)


def _known_again(word: str) -> str:
    """A pattern for a folded word: a longer one by how it begins, a short one as it is."""
    ending = "" if len(word) >= _STEM else r"(?!\w)"
    return rf"(?<!\w){re.escape(word[:_STEM])}{ending}"
