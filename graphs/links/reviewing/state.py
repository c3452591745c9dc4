"""State, input and output of the link graph."""

from typing import Annotated, NotRequired, TypedDict

from langgraph.channels import UntrackedValue

from graphs.core.state import add_new
from graphs.links.suggesting.suggest import Candidates
from tools.base.domain import SourceWarning
from tools.links.connections import NoteConnections
from tools.links.review import Decided, Proposal, Reply, ReviewOptions, Tally


class LinkInput(TypedDict):
    """The note whose links are reviewed; without one all notes, the least connected first."""

    note: NotRequired[str | None]


class LinkState(LinkInput):
    """How far a review is.

    ``reached`` is the note looked at last, as it was linked then, which is where a review of all
    notes stands; ``passed`` are notes up to it that were linked better meanwhile.
    ``source`` is the note under review, None where there is no further one. ``pending`` are the
    suggestions that wait, the first of them is ``proposal`` as it is shown; ``reply`` is what was
    said to it.
    ``decided`` are the last decisions, which can be undone. ``found`` is large, and no checkpoint
    keeps it.
    """

    asked_with: ReviewOptions
    reached: NoteConnections | None
    passed: list[str]
    source: str | None
    found: NotRequired[Annotated[Candidates | None, UntrackedValue]]
    pending: list[Proposal]
    proposal: Proposal | None
    reply: Reply | None
    decided: list[Decided]
    tally: Tally
    refused: list[str]
    warnings: Annotated[list[SourceWarning], add_new]


class LinkOutput(TypedDict):
    """How the review went; ``refused`` says of links why they could not be written."""

    tally: Tally
    refused: list[str]
    warnings: list[SourceWarning]
