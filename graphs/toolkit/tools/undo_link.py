"""The tool that takes a link out of its notes again, if a program wrote it."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphs.links.writing.journal import reading
from graphs.toolkit.audit_log.callers import is_of_program
from graphs.toolkit.tool import Arguments, Session, tool
from tools.base.domain import SourceWarning
from tools.base.errors import AccessError, InputError
from tools.settings.settings import Settings

_LARGEST = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoLink(Arguments):
    number: Annotated[int, Field(ge=1, le=_LARGEST)]
    """The number that create_link gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUndone:
    """The link that is no more, and the ``notes`` that it was taken out of."""

    source: str
    target: str
    relation: str
    notes: tuple[str, ...]
    warnings: tuple[SourceWarning, ...] = ()


@tool(
    "Take out a link that was written",
    tier="librarian",
    looks_itself=True,
    removes="content",
    prerequisites=("create_link",),
    next_steps=("suggest_links",),
)
async def undo_link(session: Session, given: UndoLink) -> LinkUndone:
    """Take a link that create_link wrote out of its notes, out of all of them or of none.

    What else was changed in the notes stays. A link that the person wrote is theirs to take out.
    """
    settings = session.brain.settings
    await asyncio.to_thread(_require_program, settings, given.number)
    write, warnings = await session.brain.links.undo(given.number, written=session.written)
    return LinkUndone(
        source=write.source,
        target=write.target,
        relation=write.relation,
        notes=write.paths,
        warnings=warnings,
    )


def _require_program(settings: Settings, number: int) -> None:
    """Raise for a link that no program wrote."""
    with reading(settings) as journal:
        write = None if journal is None else journal.find(number)
    if write is None:
        raise InputError(f"There is no link {number}: create_link gives the number of each.")
    if not is_of_program(write.by):
        raise AccessError(
            f"The link {number} was written by the person, who takes it out with `brain link undo`."
        )
