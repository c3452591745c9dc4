"""How links that are suggested, planned or written look on a terminal."""

from collections.abc import Sequence

from graphs.cli.output import console
from graphs.links.create import PlannedLink
from tools.base.guards import terminal_text
from tools.links.suggestion import LinkSuggestion, LinkSuggestions
from tools.text.voice import stamp
from tools.vault.storage.link_journal import LinkWrite

_MOST_PLACES = 3


def show_suggestions(found: LinkSuggestions) -> None:
    """Print the notes, each with why and where its name stands."""
    if not found.results:
        console.show_line("No note was found that it should link to.")
    for number, one in enumerate(found.results, 1):
        console.show_line(
            terminal_text(
                f"{number:>3}) {one.note_title}  ({one.probability:.0%}, {one.note_path})"
            )
        )
        for line in _why(one, found.source_note):
            console.show_line(terminal_text(f"      {line}"))
    console.show_warnings(found.warnings)


def _why(one: LinkSuggestion, source: str) -> list[str]:
    """What both have in common, and where the source names the other without a link."""
    shared = [f"both: {', '.join(one.shared_concepts)}"] if one.shared_concepts else []
    places = ", ".join(
        f"{source}:{place.line} “{place.words}”" for place in one.mentions[:_MOST_PLACES]
    )
    return [*shared, *([f"named: {places}"] if places else [])]


def show_plan(planned: PlannedLink) -> None:
    """Print what a link changes in its notes."""
    for change in planned.changes:
        console.show_line(terminal_text(f"{change.path}:"))
        for line in change.diff:
            console.show_line(terminal_text(line))
    for warning in planned.warnings:
        console.show_remark(warning)


def show_history(writes: Sequence[LinkWrite]) -> None:
    """Print the links that were written, each with what became of it."""
    for one in writes:
        gone = " (taken out)" if one.state == "undone" else ""
        why = f": {one.context}" if one.context else ""
        line = f"{one.id:>4} {stamp(one.at)} {one.source} {one.relation} {one.target}{gone}{why}"
        console.show_line(terminal_text(line))
    if not writes:
        console.show_remark("No link was written yet: `brain link create` writes one.")
