"""The tool that suggests what a note should link to."""

from dataclasses import dataclass

from graphs.links.suggesting.suggest import DEFAULT_LIMIT, LinkQuery
from graphs.toolkit.arguments import NodeId
from graphs.toolkit.readiness import bring_up_to_date
from graphs.toolkit.tool import Arguments, Session, tool
from tools.links.suggestion import LinkSuggestions


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestLinks(Arguments):
    note: NodeId
    """The note: its path, title or alias."""
    limit: int = DEFAULT_LIMIT
    """How many at the most, 1 to 50; what cannot be used falls back with a warning."""
    threshold: float = 0.0
    """The least similarity in meaning, 0 to 1; what cannot be used falls back with a warning."""
    either_way: bool = False
    """Whether to leave out notes that link to it themselves, too."""


@tool("Suggest links for a note", next_steps=("read_note", "create_link"), looks_itself=True)
async def suggest_links(session: Session, given: SuggestLinks) -> LinkSuggestions:
    """List the notes that a note should link to and does not, the likeliest first.

    Each has how likely the person would make the link (``probability``), what both notes have in
    common, and where its name stands in the note as plain text. Nothing is written.
    """
    await bring_up_to_date(session.deps)  # for its error; what it warns of comes with the result
    query = LinkQuery(
        note=given.note, limit=given.limit, threshold=given.threshold, either_way=given.either_way
    )
    return await session.brain.links.suggest(query)
