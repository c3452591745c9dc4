"""The short page: the answer, what else says it, what clashes, and no more. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from tools.base.domain import ContradictionSide, GraphRelation, Result
from tools.evidence.citations import cite_relation
from tools.graph.causal_chains import cause_and_effect, maximal_chains, prevents
from tools.ranking.fusion import each_once
from tools.rendering.contradictions import change_lines
from tools.rendering.lines import (
    BRIEF_WORDS,
    cut,
    entry_lines,
    inline,
    quotation,
    superseded,
    written,
)
from tools.rendering.page import Page
from tools.text.markdown.quotes import quoted_first
from tools.text.voice import counted, stamp, translate, way

_FURTHER = 3
"""Lines shown after the answer."""
_CLASHES = 2
_CHANGES = 3
_STATEMENTS = 4
_CHAINS = 2
_ENTRIES = 6
"""Entries of a timeline, the latest."""
_SIDE_WORDS = 14


def answer_only(page: Page, first: Sequence[str]) -> list[str]:
    """What a model wrote, the moment's facts or else what stands ``first``; then other lines.

    Of causes the notes' own words come first and the chains after them.
    """
    causal = page.format == "narrative"
    told = [] if causal and not page.by_model else written(page, most=_STATEMENTS)
    chains = maximal_chains(note for note in page.results if not note.superseded)[:_CHAINS]
    linked = [_chain(chain, page) for chain in chains] if causal else []
    shown = told or first
    beside = ["\n".join(linked)] if linked else []
    return [*shown, *beside, *further(page, but=None if told else quoted_first(page.results))]


def further(page: Page, *, but: Result | None = None) -> list[str]:
    """The first lines that are quoted, each with its place, but for the first of one note."""
    above = (but.note_path, but.excerpts[0]) if but and but.excerpts else None
    quoted = [(note, one) for note in each_once(page.results) for one in note.excerpts]
    lines = [
        f"- {quotation(note, one, page.names, words=BRIEF_WORDS)}{_gone(note)}"
        for note, one in [one for one in quoted if (one[0].note_path, one[1]) != above][:_FURTHER]
    ]
    return ["\n".join(lines)] if lines else []


def _gone(note: Result) -> str:
    return f" ({superseded(note.superseded.detail)})" if note.superseded else ""


def _chain(chain: Sequence[GraphRelation], page: Page) -> str:
    """A chain from cause to effect, and where each step stands."""
    said = inline(cause_and_effect(chain[0])[0])
    for step in chain:
        link = translate("prevents") if prevents(step) else "→"
        said += f" {link} {inline(cause_and_effect(step)[1])}"
        said += f" ({translate('inferred')})" if step.origin == "inferred" else ""
    places = dict.fromkeys(page.place(cite_relation(step)) for step in chain)
    return f"- {said} — {', '.join(places)}"


def timeline_only(page: Page) -> list[str]:
    """The latest entries of a timeline, by their groups; of few entries more lines each."""
    left, parts = _ENTRIES, list[str]()
    total = sum(len(group.entries) for group in page.groups)
    most = max(1, _ENTRIES // max(1, total))
    for group in reversed(page.groups):
        entries = group.entries[-left:]
        told = (entry_lines(entry, page.names, words=BRIEF_WORDS, most=most) for entry in entries)
        parts = [f"### {group.label}", "\n".join(told), *parts]
        left -= len(entries)
        if left <= 0:
            break
    return (
        [
            f"*{translate('The latest {count} of {total} entries:', count=_ENTRIES, total=total)}*",
            *parts,
        ]
        if total > _ENTRIES
        else parts
    )


def change_summary(page: Page) -> list[str]:
    """Over a timeline that is asked what changed: what was said before, and since then."""
    if not page.answers_with_change:
        return []
    return [change_lines(one, page.names) for one in page.changes[:_CHANGES]]


def conflict_summary(page: Page) -> str:
    """A line for each of the first contradictions and changes."""
    lines = [
        f"- {translate(_KINDS[found.relation])}: {_side(found.note_a)} / {_side(found.note_b)}"
        for found in page.relevant_contradictions[:_CLASHES]
    ]
    lines += [
        f"- {_changed(change.changed_on)}: {_side(change.before)} → {_side(change.after)}"
        for change in page.changes[_CHANGES if page.answers_with_change else 0 :][:_CLASHES]
    ]
    return "\n".join(lines)


def _changed(on: datetime | None) -> str:
    return translate("Changed on {day}", day=stamp(on)) if on else translate("Changed")


_KINDS = {"contradiction": "Contradiction", "disagreement": "Sources disagree"}


def _side(side: ContradictionSide) -> str:
    dated = f", {stamp(side.timestamp)}" if side.timestamp else ""
    return f"“{inline(cut(side.claim, _SIDE_WORDS))}” ([[{side.title}]]{dated})"


def footer(page: Page) -> str:
    """How sure the answer is, how many notes were found, and where the rest is."""
    notes = counted(len(each_once(page.results)), "note")
    rest = translate("{all} shows everything", all=way("`--all`", tool="`whole`"))
    return f"*{' · '.join([*how_sure(page), notes, rest])}*"


def how_sure(page: Page) -> list[str]:
    """The figure of how likely the line quoted first answers, where one does."""
    one_line = not (page.absence or page.plan.reading.clashes)
    known = page.confidence is not None and one_line
    return [translate("confidence {share}", share=f"{page.confidence:.2f}")] if known else []


def joined(parts: Iterable[str]) -> str:
    """Paragraphs of a page."""
    return "\n\n".join(part for part in parts if part) + "\n"
