"""How an answer shows claims that clash: contradictions, disagreements of sources, changes. Pure.

``names`` is what links call the notes whose file name alone is ambiguous; ``gone`` by what each
superseded note was superseded.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tools.citations import note_link
from tools.domain import Change, ChangeBasis, Contradiction, ContradictionSide
from tools.rendering_lines import inline
from tools.text.quotes import link_texts

_KNOWN_FROM: Mapping[ChangeBasis, str] = {
    "claims": "the claims say so themselves",
    "notes": "by the dates of the notes",
    "succession": "one note superseded the other",
    "versions": "two versions of one note",
}


def clash_hints(contradictions: Sequence[Contradiction], changes: Sequence[Change]) -> list[str]:
    """A line each that points from the answer to what clashes below it."""
    hints: list[str] = []
    if _own(contradictions):
        hints.append("**Your notes disagree about this: see Contradictions below.**")
    if _cited(contradictions):
        hints.append(
            "**The sources you cite disagree about this: see Disagreements between sources below.**"
        )
    if changes:
        hints.append("**This changed over time: see Changes below.**")
    return hints


def clash_sections(
    contradictions: Sequence[Contradiction],
    changes: Sequence[Change],
    *,
    names: Mapping[str, str],
    gone: Mapping[str, str],
) -> list[str]:
    """The sections of what clashes; none where nothing does."""
    parts: list[str] = []
    if own := _own(contradictions):
        parts.append("## Contradictions")
        for number, found in enumerate(own, start=1):
            kind = found.type.replace("_", " ").capitalize()
            title = f"### {number}. {kind} (confidence {found.confidence:.2f})"
            parts += [title, *_both(found, names=names, gone=gone)]
    if cited := _cited(contradictions):
        parts.append("## Disagreements between sources")
        for number, found in enumerate(cited, start=1):
            who = f"{found.note_a.source} and {found.note_b.source}"
            title = f"### {number}. {inline(who)} disagree (confidence {found.confidence:.2f})"
            parts += [title, *_both(found, names=names, gone=gone)]
    if changes:
        parts.append("## Changes")
        for number, change in enumerate(changes, start=1):
            parts += _changed(number, change, names=names, gone=gone)
    return parts


def _own(found: Sequence[Contradiction]) -> list[Contradiction]:
    return [one for one in found if one.relation == "contradiction"]


def _cited(found: Sequence[Contradiction]) -> list[Contradiction]:
    return [one for one in found if one.relation == "disagreement"]


def _both(found: Contradiction, *, names: Mapping[str, str], gone: Mapping[str, str]) -> list[str]:
    """Both sides, the older first, and why they clash."""
    older, later = found.note_a, found.note_b
    if found.newer == "a":
        older, later = later, older
    newer = "Which one is newer is not known."
    if found.newer != "unknown":
        newer = f"{note_link(later.path, names)} is newer"
        newer += "." if found.relation == "disagreement" else ": it may be the present view."
    return [
        f"- {side_line(older, names, gone)}\n- {side_line(later, names, gone)}",
        (
            f"Why: {inline(found.explanation)} {newer} "
            f"Same subject: {found.similarity:.2f}; decided by {found.decided_by}."
        ),
    ]


def _changed(
    number: int, change: Change, *, names: Mapping[str, str], gone: Mapping[str, str]
) -> list[str]:
    when = "Changed, on which day is not known"
    if change.changed_on and change.known_from == "claims" and change.after.speaks_of:
        day = change.after.speaks_of
        when = f"Changed {'on' if len(day) == len('2024-05-09') else 'in'} {day}"
    elif change.changed_on:
        when = f"Changed on {change.changed_on:%Y-%m-%d}"
    newer = note_link(change.after.path, names)
    return [
        f"### {number}. {when}",
        (
            f"- before: {side_line(change.before, names, gone)}\n"
            f"- since then: {side_line(change.after, names, gone)}"
        ),
        (
            f"Why: {inline(change.explanation)} {newer} is newer: {_KNOWN_FROM[change.known_from]}."
            f" Confidence {change.confidence:.2f}; decided by {change.decided_by}."
        ),
    ]


def side_line(
    side: ContradictionSide,
    names: Mapping[str, str],
    gone: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """One side: its date, its claim, whom it cites, and where it stands."""
    dated = f"{side.timestamp:%Y-%m-%d}" if side.timestamp else "no date"
    if side.version:
        dated = f"version of {side.version:%Y-%m-%d}"
    if side.path in gone:
        dated += f", superseded {inline(gone[side.path])}"
    marks = [f"citing {side.source}"] if side.source else []
    marks += ["an opinion"] if side.opinion else []
    said = f" ({inline(', '.join(marks))})" if marks else ""
    link = f"{note_link(side.path, names, side.heading)} line {side.line}"
    return f"{dated}: “{inline(link_texts(side.claim))}”{said} — {link}"
