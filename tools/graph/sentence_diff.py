"""What was reworded between two texts of a note, in sentences. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tools.text.markdown.sentences import split

_LONGEST = 300
"""Characters of a sentence in a difference."""
_READ = ("prose", "item", "cell", "task")
"""Kinds of sentences a person reads; a field is told as what it states."""


@dataclass(frozen=True, slots=True)
class Rewording:
    """Sentences that came and sentences that went, each in the order of its text."""

    added: tuple[str, ...]
    removed: tuple[str, ...] = ()


def content_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a whole note that count as its words, long ones cut."""
    found = (" ".join(s.text.split()) for s in split(text) if s.kind in _READ)
    return tuple(s if len(s) <= _LONGEST else f"{s[:_LONGEST]}…" for s in found if s)


def reword(old: Sequence[str], new: Sequence[str]) -> Rewording:
    """Sentences that only one of the two has; what stands elsewhere now did not change."""
    added: list[str] = []
    removed: list[str] = []
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind != "equal":
            removed += old[old_start:old_end]
            added += new[new_start:new_end]
    moved = set(added) & set(removed)
    return Rewording(
        added=tuple(sentence for sentence in added if sentence not in moved),
        removed=tuple(sentence for sentence in removed if sentence not in moved),
    )
