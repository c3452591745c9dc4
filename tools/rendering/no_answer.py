"""How an answer says that the notes do not have it. Pure."""

from collections.abc import Sequence

from tools.evidence.answerability import MissingEvidence
from tools.rendering.lines import inline
from tools.rendering.page import Absence
from tools.text.voice import counted, moment, translate

_WORDS = 4
"""Missing words that are named; more would be the question over again."""


def absent_lines(absence: Absence) -> list[str]:
    """What was looked for and not found, and how fresh the index is, as paragraphs."""
    return [f"## {translate('Not in your notes')}", _why(absence.lacking), _freshness(absence)]


def _why(lacking: MissingEvidence) -> str:
    person, another = inline(lacking.person or ""), inline(lacking.another or "")
    if person and another:
        return translate(
            "No line found says this of {person}; the nearest one is {another}'s.",
            person=person,
            another=another,
        )
    if lacking.missing:
        words = _listed([f"“{inline(word)}”" for word in lacking.missing[:_WORDS]])
        return translate(
            "No line found has {words}; what comes nearest speaks of something else.", words=words
        )
    if person:
        return translate(
            "The lines found that come nearest do not speak of {person}.", person=person
        )
    return translate("No line found holds enough of what is asked.")


def _listed(words: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return translate(" or ").join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _freshness(absence: Absence) -> str:
    notes = counted(absence.notes, "note")
    when = moment(absence.checked)
    if not absence.stale:
        return translate(
            "The index holds {notes} and was up to date with the files at {when}.",
            notes=notes,
            when=when,
        )
    changed = counted(absence.stale, "note")
    return translate(
        "The index holds {notes}; {changed} changed since and were not searched ({when}).",
        notes=notes,
        changed=changed,
        when=when,
    )
