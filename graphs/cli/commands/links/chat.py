"""Links in ``brain chat``: suggested for a note, shown, written once the person agrees."""

import asyncio
from dataclasses import dataclass, replace

from graphs.brain import Brain
from graphs.cli.output import console
from graphs.cli.output.links import show_plan, show_suggestions, show_undone, show_written
from graphs.links.learn import learn
from graphs.links.suggesting.suggest import LinkQuery
from graphs.links.writing.batch import decisions_on
from graphs.operations.decisions import TERMINAL
from graphs.operations.links import undo_links, write_link
from graphs.query.replies import agreed
from tools.base.domain import SourceWarning
from tools.base.errors import BrainError, InputError
from tools.links.planned import LinkRequest, PlannedLink
from tools.links.rules import OTHER_SIDE
from tools.links.suggestion import LinkSuggestion, LinkSuggestions
from tools.vault.storage.link_journal import LinkWrite

_SUGGESTED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTurn:
    """What was listed last, and the link that waits for a yes or no."""

    listed: LinkSuggestions | None = None
    planned: PlannedLink | None = None


async def link(brain: Brain, turn: LinkTurn, words: str, *, cited: str | None) -> LinkTurn:
    """List links for a note, or show one to the note of a number that was listed.

    ``words`` are what follows the command: a note, nothing (for the one that was ``cited``), or a
    number with a type and a context. Raises BrainError.
    """
    number, _, rest = words.partition(" ")
    chosen = _chosen(turn.listed, number)
    if turn.listed is not None and chosen is not None:
        planned = await _plan(brain, turn.listed.source_note, chosen, rest.strip())
        show_plan(planned)
        return replace(turn, planned=planned)
    note = words or cited
    if note is None:
        raise InputError("Name a note, as in *link Sleep; nothing was cited yet.")
    found = await brain.links.suggest(LinkQuery(note=note, limit=_SUGGESTED))
    show_suggestions(found)
    if found.results:
        console.show_line("*link 1 TYPE WHY shows a link to the first.")
    return replace(turn, listed=found)


async def reply(brain: Brain, turn: LinkTurn, line: str) -> bool:
    """Write the link that waits if the line agrees; whether the line was a reply at all."""
    answer = None if line.isdecimal() else agreed(line)
    if turn.planned is None or answer is not True:
        console.show_line("Nothing was written.")
        return answer is False or not line
    try:
        written, warnings = await write_link(brain, turn.planned)
    except BrainError as error:
        console.show_line(str(error))
    else:
        learned = await _learn(brain, turn.listed, written)
        show_written(written, (*warnings, *learned), undo="*undo")
    return True


async def undo(brain: Brain) -> None:
    """Take the last link out of its notes again. Raises BrainError."""
    show_undone(*await undo_links(brain, 1))


async def _learn(
    brain: Brain, listed: LinkSuggestions | None, written: LinkWrite
) -> tuple[SourceWarning, ...]:
    if listed is None:
        return ()
    decisions = decisions_on(listed, (written,), at=brain.deps.clock())
    return await asyncio.to_thread(learn, brain.settings, decisions)


def _chosen(listed: LinkSuggestions | None, number: str) -> LinkSuggestion | None:
    """The suggestion of this number, from 1; None where there is none, for a note may be "2024"."""
    if listed is None or not number.isdecimal() or not 1 <= int(number) <= len(listed.results):
        return None
    return listed.results[int(number) - 1]


async def _plan(brain: Brain, source: str, chosen: LinkSuggestion, words: str) -> PlannedLink:
    """What a link would change; its type is the first word, or the one that was suggested."""
    first, _, rest = words.partition(" ")
    named = first.casefold() in OTHER_SIDE
    relation = first.casefold() if named else chosen.relation and chosen.relation.relation
    if not relation:
        raise InputError(f"Say of which type it is, as in *link 1 supports: {_TYPES}.")
    request = LinkRequest(
        source=source,
        target=chosen.note_path,
        relation=relation,
        context=rest if named else words,
    )
    return await brain.links.plan(request, by=TERMINAL)


_TYPES = ", ".join(OTHER_SIDE)
