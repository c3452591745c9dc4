"""How suggested links look on a terminal."""

from graphs.cli.output import console
from tools.base.guards import terminal_text
from tools.links.suggestion import LinkSuggestion, LinkSuggestions

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
