"""How the links of the whole vault look on a terminal."""

from collections.abc import Sequence

from graphs.cli.output import console
from graphs.links.suggesting.overview import ConnectedNotes
from graphs.links.suggesting.unlinked import UnlinkedMention
from tools.base.domain import LinkMap, NoteConnections, most_connected
from tools.text.voice import counted

_HUBS = 5
"""Notes that a map names on a terminal."""


def show_connected(found: ConnectedNotes, *, hubs: bool) -> None:
    """Print the notes, each with how many others it is linked with."""
    if not hubs:
        console.show_line(f"{counted(found.total, 'note')}, {found.orphans} without a link.")
    elif not found.notes:
        console.show_line("No note is linked with another.")
    _show_notes(found.notes)


def _show_notes(notes: Sequence[NoteConnections]) -> None:
    for one in notes:
        how = f"{one.links_out} out, {one.links_in} in, " if one.neighbours else ""
        console.show_line(f"{one.neighbours:>5}  {one.title}  ({how}{one.path})")


def show_mentions(found: Sequence[UnlinkedMention], *, total: int) -> None:
    """Print the places, as ``note:line:column`` from 1, and how many of ``total`` are not shown."""
    for one in found:
        at = one.mention
        console.show_line(
            f"{one.note}:{at.line}:{at.start + 1} “{at.words}” → {at.path} ({one.probability:.0%})"
        )
    if not found:
        console.show_line("No note is named that is not linked already.")
    elif len(found) < total:
        console.show_remark(f"{len(found)} of {total} places: --limit {total} lists all.")


def show_map(found: LinkMap) -> None:
    """Print how many notes and links there are, and the most connected notes."""
    linked = [own for own in found.communities if own is not None]
    console.show_line(
        f"{counted(len(found.notes), 'note')}, {counted(len(found.links), 'link')}; "
        f"{counted(len(set(linked)), 'community', 'communities')}, "
        f"{counted(len(found.notes) - len(linked), 'note')} without a link."
    )
    _show_notes(most_connected(found.notes)[:_HUBS])
