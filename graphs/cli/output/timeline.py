"""How an evolution looks on a terminal, and as plain lines in a pipe."""

from collections.abc import Mapping

from rich.console import Console
from rich.style import Style
from rich.text import Text

from graphs.cli.output.console import console
from tools.base.domain import EventKind, Evolution, Occurrence
from tools.base.guards import one_line
from tools.evidence.citations import obsidian_url
from tools.rendering.html.activity import MARKS, density, remarks, summary
from tools.temporal.timeline import grouped

_COLOURS: Mapping[EventKind, str] = {
    "created": "green",
    "modified": "blue",
    "linked": "magenta",
    "unlinked": "yellow",
    "superseded": "bright_red",
    "renamed": "cyan",
    "deleted": "red",
}
_SENTENCES = 3
"""Shown of those that a change removed or added."""
_LINES = 3
"""That a sentence may take on a terminal."""
_CELLS = 160
"""That a title, and what is said beside it, may take."""
_STRIP = 120
"""The widest strip of activity, in columns."""
_BODY, _DIFF = 27, 14
"""The columns where titles and changed sentences begin."""


def show_evolution(evolution: Evolution, *, vault: str) -> None:
    """Print what happened, oldest first: a line for each event, with what a change changed.

    A terminal gets it wrapped, with titles that open in Obsidian; a pipe one line for each thing.
    """
    out = console()
    _print(out, Text(one_line(evolution.concept), style="bold"))
    _print(out, Text(one_line(summary(evolution)), style="dim"))
    _strip(out, evolution)
    groups = grouped(evolution.occurrences, when=lambda one: one.event.timestamp)
    for name, occurrences in groups:
        out.print()
        _print(out, Text(name, style="bold underline" if out.is_terminal else ""))
        for one in occurrences:
            _occurrence(out, one, vault=vault)


def _strip(out: Console, evolution: Evolution) -> None:
    moments = [one.event.timestamp for one in evolution.occurrences]
    bars = density(moments, width=min(out.width, _STRIP) - 24)
    if bars:
        days = sorted(f"{moment:%Y-%m-%d}" for moment in moments)
        _print(out, Text.assemble(f"{days[0]}  ", (bars, "cyan"), f"  {days[-1]}"))


def _occurrence(out: Console, occurrence: Occurrence, *, vault: str) -> None:
    event = occurrence.event
    lead = Text.assemble(
        f"  {event.timestamp:%Y-%m-%d}  ",
        (f"{MARKS[event.kind]} {event.kind:<11}", _COLOURS[event.kind]),
    )
    url = obsidian_url(vault, occurrence.note_path) if out.is_terminal else None
    body = Text(one_line(occurrence.note_title), style=Style(bold=True, link=url))
    body.truncate(_CELLS, overflow="ellipsis")
    if said := one_line(remarks(event)):
        beside = Text(f"  {said}", style="dim")
        beside.truncate(_CELLS, overflow="ellipsis")
        body = body + beside
    _hanging(out, lead, body, indent=_BODY)
    for sign, colour, sentences in (("−", "red", event.removed), ("+", "green", event.added)):
        for sentence in sentences[:_SENTENCES]:
            lead = Text(f"{' ' * _DIFF}{sign} ", style=colour)
            body = Text(one_line(sentence), style=colour)
            _hanging(out, lead, body, indent=_DIFF + 2, most=_LINES)
        if (more := len(sentences) - _SENTENCES) > 0:
            _print(out, Text(f"{' ' * _DIFF}{sign} and {more} more", style="dim"))


def _hanging(out: Console, lead: Text, body: Text, *, indent: int, most: int | None = None) -> None:
    """Print the body after its lead; on a terminal wrapped, indented, and at ``most`` so long."""
    if not out.is_terminal:
        _print(out, lead + body)
        return
    width = max(out.width - indent, 20)
    wrapped = list(body.wrap(out, width, overflow="fold"))
    lines = wrapped[:most] or [Text()]
    for line in lines:
        line.rstrip()
    if len(lines) < len(wrapped):
        lines[-1].truncate(width - 2)
        lines[-1].append(" …")
    for start, line in zip([lead, *[Text(" " * indent)] * len(lines)], lines, strict=False):
        _print(out, start + line)


def _print(out: Console, line: Text) -> None:
    out.print(line, soft_wrap=True)
