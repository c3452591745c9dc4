"""What a check of ``brain doctor`` says."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from tools.base.errors import BrainError
from tools.rendering.problems import some_of

NAMED = 3
"""Notes that a check names; it counts them all."""
REPAIR = "`brain doctor --repair` mends it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at; ``detail`` says what was found and what to do."""

    name: str
    ok: bool
    detail: str


async def checked(name: str, check: Awaitable[Check]) -> Check:
    """The check, or why it could not be made."""
    try:
        return await check
    except BrainError as error:
        return Check(name=name, ok=False, detail=str(error))


def some(paths: Sequence[str]) -> str:
    """The first few of these notes and how many more there are."""
    return some_of(paths, most=NAMED)
