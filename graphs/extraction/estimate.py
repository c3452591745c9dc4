"""What a reading by a model would take: questions, words and time."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from graphs.extraction.plan import Plan
from tools.graph.extraction.store import InferredStore, Rate

CALLS_PER_PART = 6.0
"""Questions a part takes until it is measured: entities, facts, same entities, and a few facts
compared with earlier ones."""
_WORDS_OF_A_PROMPT = (5_700, 7_900, 3_300, 4_100)
"""Characters of Graphiti's own in a prompt for entities, for facts, for the same entities, and in
each further one; the first three hold the part's text too."""
_CHARS_PER_TOKEN = 4

type Measure = Callable[[str], Awaitable[float | None]]
"""Ask the model one question of a prompt's usual length about a text: the seconds it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a run would take. ``tokens`` are those the model reads; it costs no money.

    ``seconds`` is None where nothing is known yet; ``measured_on`` says what it rests on.
    """

    folders: tuple[str, ...]
    model: str
    notes: int
    parts: int
    calls: int
    calls_per_part: float
    tokens: int
    seconds: float | None
    measured_on: Literal["earlier parts", "one question", "nothing"]
    read: int
    given_up: int
    unindexed: int


def estimate(
    plan: Plan, *, model: str, rate: Rate | None, seconds_per_call: float | None
) -> Preview:
    """What the plan takes, by what is known of the model. Pure."""
    sizes = [size for pending in plan.pending for _, size in pending.parts]
    per_part = rate.calls if rate is not None else CALLS_PER_PART
    if rate is not None:
        seconds, measured_on = rate.seconds * len(sizes), "earlier parts"
    elif seconds_per_call is not None:
        seconds, measured_on = seconds_per_call * per_part * len(sizes), "one question"
    else:
        seconds, measured_on = None, "nothing"
    return Preview(
        folders=plan.folders,
        model=model,
        notes=len(plan.pending),
        parts=len(sizes),
        calls=round(per_part * len(sizes)),
        calls_per_part=round(per_part, 1),
        tokens=sum(prompt_tokens(size, calls=per_part) for size in sizes),
        seconds=seconds,
        measured_on=measured_on if sizes else "nothing",
        read=plan.read,
        given_up=plan.given_up,
        unindexed=plan.unindexed,
    )


def prompt_tokens(size: int, *, calls: float) -> int:
    """Tokens a model reads for one part of ``size`` characters in ``calls`` questions. Pure."""
    entities, facts, same, each = _WORDS_OF_A_PROMPT
    chars = entities + facts + 2 * size
    if calls > 2:
        chars += round(min(calls - 2, 1.0) * (same + size) + max(calls - 3, 0.0) * each)
    return math.ceil(chars / _CHARS_PER_TOKEN)


async def preview(
    plan: Plan, *, model: str, store: InferredStore, first_text: str, measure: Measure | None
) -> Preview:
    """What the plan takes; ``measure`` is asked only where no earlier part tells."""
    rate = store.rate()
    seconds = None
    if rate is None and measure is not None and plan.pending:
        seconds = await measure(first_text)
    return estimate(plan, model=model, rate=rate, seconds_per_call=seconds)
