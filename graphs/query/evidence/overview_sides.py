"""What speaks for a thing and what against it, where the notes say which: an overview by side."""

import asyncio
from collections.abc import Mapping, Sequence

from agents.answerer.sides import side_of
from agents.interpreter.classifiers.head import Vector, vector_text
from graphs.core.deps import Deps
from graphs.query.evidence.overview_material import Found
from tools.base.errors import BrainError
from tools.overview.overview import Group, Overview, Side
from tools.overview.statements import Statement
from tools.text.normalize import fold_name
from tools.text.voice import translate

_TITLES: Mapping[Side | None, str] = {"for": "For", "against": "Against", None: "Also said"}
_LABEL = 4
"""Words of what may be a label of lines."""


async def by_side(found: Found, shown: Sequence[Statement], deps: Deps) -> Overview | None:
    """The lines that are shown by their sides, as labels say; None unless there are both.

    What a sentence without a label speaks for is told too badly: on the wrong side it misleads.
    """
    over = [_labels(one, found.results[one.path].note_title) for one in shown]
    texts = dict.fromkeys(text for labels in over for text in labels)
    sides = dict(
        zip(texts, await asyncio.gather(*(_side(one, deps) for one in texts)), strict=True)
    )
    told: dict[Side | None, list[Statement]] = {side: [] for side in _TITLES}
    for one, labels in zip(shown, over, strict=True):
        side: Side | None = next((side for text in labels if (side := sides[text])), None)
        told[side].append(one)
    if not (told["for"] and told["against"]):
        return None
    groups = [
        Group(title=translate(title), lines=found.lines(told[side]))
        for side, title in _TITLES.items()
        if told[side]
    ]
    return Overview(kind="sides", groups=groups, notes=len({one.path for one in shown}))


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


async def _side(text: str, deps: Deps) -> Side | None:
    try:
        vector: Vector = await deps.embed_question(vector_text(text))
    except BrainError:
        return None
    return side_of(text, vector)
