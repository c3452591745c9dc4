"""The tool that links two notes: it shows what that changes, then writes just that."""

import hashlib
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphs.toolkit.arguments import NodeId
from graphs.toolkit.tool import Arguments, Session, tool
from tools.base.domain import SourceWarning
from tools.base.errors import InputError
from tools.links.kinds import LinkType, Spot
from tools.links.planned import LinkRequest, NoteChange, PlannedLink
from tools.links.rules import LONGEST_CONTEXT, LONGEST_HEADING
from tools.vault.disk.replace import ChangedError
from tools.vault.editing.places import DEFAULT_SECTION

_MARK_LENGTH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateLink(Arguments):
    source: NodeId
    """The note that links: its path, title or alias."""
    target: NodeId
    """The note that it links to."""
    relation: LinkType
    """What the source does to the target."""
    context: Annotated[str, Field(max_length=LONGEST_CONTEXT)] = ""
    """A sentence in plain words that says why, written beside the link."""
    place: Spot = "section"
    """Where it goes: to the end of a section, as an inline field, or into the frontmatter."""
    section: Annotated[str, Field(max_length=LONGEST_HEADING)] = DEFAULT_SECTION
    """The heading of that section, which is made where it is missing."""
    both_ways: bool = True
    """Whether the target says of it, too."""
    write: bool = False
    """Whether to write it; without, it is shown what would be written."""
    plan: Annotated[str, Field(max_length=64)] | None = None
    """To write: the ``plan`` of the call that showed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCreated:
    """A link, and the lines that it brings to each note; ``written`` says whether it is there.

    ``plan`` stands for what was shown, ``remarks`` are what to think of before it is written.
    ``number`` is there once it is written: undo_link takes it out by that. ``warnings`` say what
    is not indexed yet.
    """

    source: str
    target: str
    relation: str
    changes: tuple[NoteChange, ...]
    remarks: tuple[str, ...]
    plan: str
    written: bool = False
    number: int | None = None
    warnings: tuple[SourceWarning, ...] = ()


@tool(
    "Link two notes",
    tier="librarian",
    prerequisites=("suggest_links",),
    next_steps=("create_link", "undo_link"),
    hints={"ChangedError": "Call without write to see what it would be now."},
)
async def create_link(session: Session, given: CreateLink) -> LinkCreated:
    """Link two notes of the vault with a typed link, in two calls.

    The first, without ``write``, writes nothing: it gives the lines that would come into each note.
    Show them to the person. If they agree, call again with the same arguments, ``write`` true and
    the ``plan`` of the first call; what has changed meanwhile is refused.
    """
    if given.write and given.plan is None:
        raise InputError(
            "Nothing was written: call without write first, show the person what would change, "
            "then give its plan."
        )
    request = LinkRequest.at_spot(
        given.source,
        given.target,
        relation=given.relation,
        context=given.context,
        spot=given.place,
        section=given.section,
        one_way=not given.both_ways,
    )
    planned = await session.brain.links.plan(request, by=session.author)
    if not given.write:
        return _shown(planned)
    if given.plan != _mark(planned):
        raise ChangedError("Nothing was written: the link would not be what that plan showed.")
    write, warnings = await session.brain.links.create(planned, written=session.written)
    return _shown(planned, number=write.id, warnings=warnings)


def _mark(planned: PlannedLink) -> str:
    """A mark of all that is shown of a link, and of the bytes that it is to come between."""
    write = planned.write
    bytes_of_notes = [(edit.path, edit.before, edit.after) for edit in write.edits]
    shown = (write.relation, bytes_of_notes, planned.warnings)
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:_MARK_LENGTH]


def _shown(
    planned: PlannedLink, *, number: int | None = None, warnings: tuple[SourceWarning, ...] = ()
) -> LinkCreated:
    return LinkCreated(
        source=planned.write.source,
        target=planned.write.target,
        relation=planned.write.relation,
        changes=planned.changes,
        remarks=planned.warnings,
        plan=_mark(planned),
        written=number is not None,
        number=number,
        warnings=warnings,
    )
