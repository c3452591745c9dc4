"""How an answer shows claims that clash: contradictions, disagreements of sources, changes. Pure.

``names`` is what links call the notes whose file name alone is ambiguous; ``gone`` by what each
superseded note was superseded.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tools.base.domain import (
    Change,
    ChangeBasis,
    Contradiction,
    ContradictionSide,
    ContradictionType,
)
from tools.claims.report import Conflict, FoundConflict, sides
from tools.evidence.citations import note_link
from tools.rendering.lines import inline, superseded
from tools.text.markdown.quotes import link_texts
from tools.text.voice import counted, stamp, stamp_of, translate

_TYPES: Mapping[ContradictionType, str] = {
    "negation": "Negation",
    "conflicting_values": "Conflicting values",
    "opposing_sentiment": "Opposing sentiment",
    "semantic_conflict": "Semantic conflict",
}
_KNOWN_FROM: Mapping[ChangeBasis, str] = {
    "claims": "the claims say so themselves",
    "notes": "by the dates of the notes",
    "succession": "one note superseded the other",
    "versions": "two versions of one note",
}
_ONE_THING = 0.7
"""Claims that have more in common than this say themselves that they are of one thing."""
_LONG_DAYS = 30
"""Days between two notes in which a thing may well have changed."""
_SOURCES_DISAGREE = (
    "The sources you cite disagree about this: see Disagreements between sources below."
)


def conflict_hints(contradictions: Sequence[Contradiction], changes: Sequence[Change]) -> list[str]:
    """A line each that points from the answer to what clashes below it."""
    hints: list[str] = []
    if _own(contradictions):
        hints.append(
            f"**{translate('Your notes disagree about this: see Contradictions below.')}**"
        )
    if _cited(contradictions):
        hints.append(f"**{translate(_SOURCES_DISAGREE)}**")
    if changes:
        hints.append(f"**{translate('This changed over time: see Changes below.')}**")
    return hints


def conflict_sections(
    contradictions: Sequence[Contradiction],
    changes: Sequence[Change],
    *,
    names: Mapping[str, str],
    gone: Mapping[str, str],
) -> list[str]:
    """The sections of what clashes; none where nothing does."""
    parts: list[str] = []
    if own := _own(contradictions):
        parts.append(f"## {translate('Contradictions')}")
        for number, found in enumerate(own, start=1):
            kind = translate(_TYPES[found.type])
            title = f"### {number}. {kind} ({_sure(found.confidence)})"
            parts += [title, *_both(found, names=names, gone=gone)]
    if cited := _cited(contradictions):
        parts.append(f"## {translate('Disagreements between sources')}")
        for number, found in enumerate(cited, start=1):
            title = f"### {number}. {_disagreeing(found)} ({_sure(found.confidence)})"
            parts += [title, *_both(found, names=names, gone=gone)]
    if changes:
        parts.append(f"## {translate('Changes')}")
        for number, change in enumerate(changes, start=1):
            parts += _changed(number, change, names=names, gone=gone)
    return parts


def conflict_list(found: Sequence[FoundConflict], *, dismissed: int, unsure: int) -> str:
    """Pairs found in the whole vault as markdown, each with the key that dismisses it.

    ``dismissed`` and ``unsure`` ones are counted.
    """
    parts: list[str] = []
    for number, one in enumerate(found, start=1):
        marks = [*marks_of(one), f"key {one.key}"]
        lines = [f"- {side_line(side, {})}" for side in sides(one.clash)]
        hold = [f"Both can be so {reason}." for reason in both_hold(one.clash)]
        why = " ".join([f"Why: {inline(one.clash.explanation)}", *hold])
        parts += [f"### {number}. {kind_of(one.clash)} ({', '.join(marks)})", "\n".join(lines), why]
    if not found:
        parts.append("None that is sure." if unsure else "No contradictions found.")
    if unsure:
        left = f"{counted(unsure, 'pair')} less sure"
        parts.append(f"{left}: `brain contradictions --unsure` shows them, too.")
    if dismissed:
        parts.append(f"{counted(dismissed, 'pair')} dismissed.")
    return "\n\n".join(parts) + "\n"


def kind_of(clash: Conflict) -> str:
    """What a pair is, in words: a change, which sources disagree, or how both sides clash."""
    if isinstance(clash, Change):
        return "Change"
    if clash.relation == "disagreement":
        return _disagreeing(clash)
    return _TYPES[clash.type]


def _disagreeing(found: Contradiction) -> str:
    one, other = inline(found.note_a.source or ""), inline(found.note_b.source or "")
    return translate("{one} and {other} disagree", one=one, other=other)


def marks_of(one: FoundConflict) -> list[str]:
    """What is said of a pair beside its kind: that it is new, and how sure it is."""
    marks = ["new"] if one.new else []
    marks += [] if one.sure else ["less sure"]
    return [*marks, f"confidence {one.clash.confidence:.2f}"]


def both_hold(clash: Conflict) -> list[str]:
    """What would make both sides of a pair true, where their notes tell of it."""
    one, other = sides(clash)
    reasons: list[str] = []
    if isinstance(clash, Contradiction) and one.timestamp and other.timestamp:
        first, last = sorted((one.timestamp, other.timestamp))
        if (last - first).days >= _LONG_DAYS:
            reasons.append(f"if it changed between {stamp(first)} and {stamp(last)}")
    apart = one.title != other.title and clash.similarity < _ONE_THING
    if apart and not isinstance(clash, Change):
        reasons.append(f"if “{inline(one.title)}” and “{inline(other.title)}” are of two things")
    return reasons


def _sure(share: float) -> str:
    return translate("confidence {share}", share=f"{share:.2f}")


def _own(found: Sequence[Contradiction]) -> list[Contradiction]:
    return [one for one in found if one.relation == "contradiction"]


def _cited(found: Sequence[Contradiction]) -> list[Contradiction]:
    return [one for one in found if one.relation == "disagreement"]


def _both(found: Contradiction, *, names: Mapping[str, str], gone: Mapping[str, str]) -> list[str]:
    """Both sides, the older first, and why they clash."""
    older, later = found.note_a, found.note_b
    if found.newer == "a":
        older, later = later, older
    newer, link = translate("Which one is newer is not known."), note_link(later.path, names)
    if found.newer != "unknown" and found.relation == "disagreement":
        newer = translate("{note} is newer.", note=link)
    elif found.newer != "unknown":
        newer = translate("{note} is newer: it may be the present view.", note=link)
    return [
        f"- {side_line(older, names, gone)}\n- {side_line(later, names, gone)}",
        (
            f"{translate('Why:')} {inline(found.explanation)} {newer} "
            + translate(
                "Same subject: {share:.2f}; decided by {who}.",
                share=found.similarity,
                who=found.decided_by,
            )
        ),
    ]


def _changed(
    number: int, change: Change, *, names: Mapping[str, str], gone: Mapping[str, str]
) -> list[str]:
    when = translate("Changed, on which day is not known")
    if change.changed_on and change.known_from == "claims" and change.after.speaks_of:
        spoken = change.after.speaks_of
        whole = len(spoken) == len("2024-05-09")
        when = translate("Changed on {day}" if whole else "Changed in {day}", day=stamp_of(spoken))
    elif change.changed_on:
        when = translate("Changed on {day}", day=stamp(change.changed_on))
    newer = note_link(change.after.path, names)
    return [
        f"### {number}. {when}",
        change_lines(change, names, gone),
        (
            f"{translate('Why:')} {inline(change.explanation)} "
            + translate(
                "{note} is newer: {why}. Confidence {share:.2f}; decided by {who}.",
                note=newer,
                why=translate(_KNOWN_FROM[change.known_from]),
                share=change.confidence,
                who=change.decided_by,
            )
        ),
    ]


def change_lines(
    change: Change, names: Mapping[str, str], gone: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Both sides of a change, the earlier first."""
    return (
        f"- {translate('before')}: {side_line(change.before, names, gone)}\n"
        f"- {translate('since then')}: {side_line(change.after, names, gone)}"
    )


def side_line(
    side: ContradictionSide,
    names: Mapping[str, str],
    gone: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """One side: its date, its claim, whom it cites, and where it stands."""
    dated = stamp(side.timestamp) if side.timestamp else translate("no date")
    if side.version:
        dated = translate("version of {day}", day=stamp(side.version))
    if side.path in gone:
        dated += f", {superseded(gone[side.path])}"
    marks = [translate("citing {source}", source=side.source)] if side.source else []
    marks += [translate("an opinion")] if side.opinion else []
    said = f" ({inline(', '.join(marks))})" if marks else ""
    link = f"{note_link(side.path, names, side.heading)} {translate('line {line}', line=side.line)}"
    return f"{dated}: “{inline(link_texts(side.claim))}”{said} — {link}"
