"""Tools over time: how something evolved, what held when, and what contradicts itself."""

from dataclasses import dataclass

from graphs.contradictions.report import VaultConflicts
from graphs.ingest.graph import Progress
from graphs.query.retrieval.facts import Facts
from graphs.toolkit.arguments import Cursor, Limit, NodeId, When
from graphs.toolkit.paging import page
from graphs.toolkit.tool import Arguments, Session, tool
from tools.base.domain import Evolution, Moment, SourceWarning
from tools.base.errors import InputError
from tools.claims.report import FoundConflict
from tools.temporal.periods.moments import read_moment, read_start
from tools.text.voice import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline(Arguments):
    concept: NodeId
    """What it is about: a note's title, or any words."""
    since: When = None
    """Only what happened from then on: a date or words such as "last March"."""
    until: When = None
    """Only what happened before."""


@tool("How something evolved", next_steps=("read_note", "facts"), looks_itself=True)
async def timeline(session: Session, given: Timeline) -> Evolution:
    """Tell what happened to notes about something, oldest first, with the words that changed."""
    now = session.deps.clock()
    start = read_start(given.since, now=now) if given.since else None
    end = read_moment(given.until, now=now) if given.until else None
    if start is not None and end is not None and start > end:
        raise InputError("since is later than until: swap them.")
    return await session.brain.evolution(given.concept, since=start, until=end)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsOf(Arguments):
    subject: NodeId
    """A note's title or path, or a person, tag or value that notes name."""
    as_of: When = None
    """What was true then."""
    known_at: When = None
    """What the notes said by then."""
    ever: bool = False
    """Everything that was ever said, with its times; without as_of and known_at."""


@tool(
    "What holds, or held then",
    next_steps=("read_note", "timeline", "find_related"),
    looks_itself=True,
)
async def facts(session: Session, given: FactsOf) -> Facts:
    """List what notes say of something, as relations with their times, now or at a moment."""
    if given.ever and (given.as_of or given.known_at):
        raise InputError("ever lists every time: leave out as_of and known_at.")
    now = session.deps.clock()
    at = Moment(
        as_of=read_moment(given.as_of, now=now) if given.as_of else None,
        known_at=read_moment(given.known_at, now=now) if given.known_at else None,
    )
    return await session.brain.facts(given.subject, at=at, ever=given.ever)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradictions(Arguments):
    unsure: bool = False
    """Whether to tell of what is less sure, too."""
    compare: bool = False
    """Whether to compare first what is not compared yet. For a thousand notes this takes minutes;
    one that is cancelled loses nothing: the next goes on where it was."""
    limit: Limit = 10
    """Pairs on a page."""
    cursor: Cursor = None
    """Where to go on, as the page before said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictsPage:
    """What is found so far: ``total`` pairs, besides those ``dismissed`` or left out as ``unsure``.

    ``compared`` of the ``notes`` are compared with all others as they are now; ``warnings`` say
    what is lacking.
    """

    found: tuple[FoundConflict, ...]
    total: int
    dismissed: int
    unsure: int
    compared: int
    notes: int
    warnings: tuple[SourceWarning, ...] = ()
    next_cursor: str | None = None


@tool("What the notes contradict themselves in", next_steps=("read_note", "timeline"))
async def contradictions(session: Session, given: Contradictions) -> ConflictsPage:
    """List contradictions between notes, and what changed over time, each with both places.

    Only notes that were compared count, as ``compared`` of ``notes`` tells; with ``compare`` the
    others are compared first.
    """

    def hear(progress: Progress) -> None:
        session.tell(progress.done, progress.total, progress.phase)

    if given.compare:
        await session.brain.compare_notes(hear)
    known = await session.brain.known_contradictions(unsure=given.unsure)
    found, following = page(
        known.found, ("contradictions", given.unsure), cursor=given.cursor, limit=given.limit
    )
    return ConflictsPage(
        found=tuple(found),
        total=len(known.found),
        dismissed=known.dismissed,
        unsure=known.unsure,
        compared=known.compared,
        notes=known.notes,
        warnings=() if known.compared == known.notes else (_not_compared(known),),
        next_cursor=following,
    )


def _not_compared(known: VaultConflicts) -> SourceWarning:
    goes_on = "They are being compared now: ask again later."
    left = "Ask with `compare` to have them compared; for a thousand notes this takes minutes."
    return SourceWarning(
        source="contradictions",
        error=f"{known.notes - known.compared:,} of {counted(known.notes, 'note')} are not "
        "compared with all others yet.",
        impact=goes_on if known.under_way else left,
    )
