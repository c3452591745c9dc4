"""What speaks for a thing and what against it, as the notes say: an overview by side."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

import numpy as np

from agents.heads import Vector, vector_text
from agents.sides import side_of
from graphs.deps import Deps
from graphs.overview_material import MOST, ROOM, Found, Relevant, chosen_of
from tools.domain import Marked, QueryPlan
from tools.errors import BrainError
from tools.evidence_ranking import Scored
from tools.overview.overview import Group, Overview, Side
from tools.overview.statements import Statement
from tools.spans import Span
from tools.text.normalize import fold_name
from tools.text.voice import ENGLISH, say, speaking
from tools.windows import alone

_READ = 40
"""Spans of which the reader is asked whether they argue."""
_ASKED: Mapping[Side, str] = {
    "for": "What are the advantages of {topic}?",
    "against": "What speaks against {topic}?",
}
_TITLES: Mapping[Side | None, str] = {"for": "For", "against": "Against", None: "Also said"}
_UNREAD = -20.0
"""The logit of a span behind the last token that is read."""
_JUDGED = 20
"""Lines whose side is looked at: those that argue most surely."""
_LABEL = 4
"""Words of what may be a label of lines."""


@dataclass(frozen=True, slots=True)
class Argued:
    """Spans with how surely each argues; ``for_it`` are the places of those rather for it.

    Either is told beside the other spans: that some of them argue the reader sees well, for which
    side much less so.
    """

    relevant: Relevant
    for_it: Set[tuple[str, int, int]]


async def argued_by(plan: QueryPlan, spans: Sequence[Scored], deps: Deps) -> Argued | None:
    """What the reader takes for an answer to what speaks for it or against it.

    None where it cannot be asked.
    """
    read, rest = spans[:_READ], spans[_READ:]
    scores = await deps.weigh(await asyncio.to_thread(_pairs, plan, read), "alone")
    if not scores:
        return None
    given = [_UNREAD if own[0] is None else own[0] for own in scores]
    logits = np.array(given).reshape(len(_ASKED), len(read))
    sure = 1.0 / (1.0 + np.exp(-logits.max(0)))
    leans = logits[0] - logits[1]
    return Argued(
        relevant=[*zip(read, sure.tolist(), strict=True), *((one, 0.0) for one in rest)],
        for_it={
            _place(one.candidate.note.path, one.candidate.span)
            for one, does in zip(read, leans > np.median(leans), strict=True)
            if does
        },
    )


def _pairs(plan: QueryPlan, spans: Sequence[Scored]) -> list[Marked]:
    """Each question with each span, in the language of its note."""

    def asked(question: str, one: Scored) -> str:
        if not plan.concepts:
            return plan.reading.wanted
        with speaking("tr" if one.candidate.note.turkish else ENGLISH):
            return say(question, topic=", ".join(plan.concepts))

    return [alone(one.candidate, asked(own, one)) for own in _ASKED.values() for one in spans]


def _place(path: str, span: Span) -> tuple[str, int, int]:
    return path, span.part, span.order


async def by_side(found: Found, argued: Argued, deps: Deps) -> Overview | None:
    """What speaks for it, what against it, and what else is said; None unless there are both.

    A line is on a side where a label says so and the reader does not say the opposite.
    """
    told = sorted(found.told, key=lambda one: -one.relevance)[:_JUDGED]
    labelled = await _sides(found, told, deps)
    sides = {
        id(one): side
        for one in told
        if (side := labelled.get(id(one)))
        and (_place(one.path, one.span) in argued.for_it) == (side == "for")
    }

    def of_side(side: Side | None) -> list[Statement]:
        own = [one for one in told if sides.get(id(one)) == side]
        room = ROOM * 2 // 5 if side else ROOM // 5
        chosen = chosen_of(own, room=room, most=MOST, group=lambda one: one.path)
        return sorted(chosen, key=told.index)

    chosen = {side: await asyncio.to_thread(of_side, side) for side in _TITLES}
    if not all(chosen[side] for side in _ASKED):
        return None
    groups = [
        Group(title=say(title), lines=found.lines(chosen[side]))
        for side, title in _TITLES.items()
        if chosen[side]
    ]
    notes = len({line.result.note_path for group in groups for line in group.lines})
    return Overview(kind="sides", groups=groups, notes=notes)


async def _sides(found: Found, told: Sequence[Statement], deps: Deps) -> dict[int, Side]:
    """The side of each statement over which something stands that says one.

    What a sentence itself speaks for is told too badly: on the wrong side it misleads.
    """
    over = [_labels(one, found.results[one.path].note_title) for one in told]
    texts = list(dict.fromkeys(chain(*over)))
    vectors = await asyncio.gather(*(_vector(text, deps) for text in texts))
    known: dict[str, Side] = {}
    for text, vector in zip(texts, vectors, strict=True):
        side = None if vector is None else side_of(text, vector)
        if side is not None:
            known[text] = side
    return {
        id(one): known[label]
        for one, labels in zip(told, over, strict=True)
        for label in [next((label for label in labels if label in known), "")]
        if label
    }


def _labels(one: Statement, title: str) -> list[str]:
    """What stands over a statement, the nearest first: its own first words before a colon, too.

    A heading that is the note's name is none, nor is a long one, which tells what is said.
    """
    own, colon, _ = one.span.text.partition(":")
    first = own if colon and one.span.kind != "row" else ""
    headed = one.span.headings[-1] if one.span.headings else ""
    headed = "" if fold_name(headed) == fold_name(title) else headed
    labels = (first, one.lead.rstrip(":"), headed)
    return [text for text in labels if text and len(text.split()) <= _LABEL]


async def _vector(text: str, deps: Deps) -> Vector | None:
    try:
        return await deps.read(vector_text(text))
    except BrainError:
        return None
