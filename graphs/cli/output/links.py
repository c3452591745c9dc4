"""How links that are suggested, planned or written look on a terminal."""

from collections.abc import Iterable, Sequence

from graphs.cli.output import console
from graphs.links.writing.apply import Outcome
from graphs.toolkit.audit_log.callers import is_of_program
from tools.base.domain import SourceWarning
from tools.links.planned import NoteChange, PlannedLink
from tools.links.suggestion import LinkSuggestion, LinkSuggestions
from tools.text.voice import stamp
from tools.vault.storage.link_journal import LinkWrite

AGREE = "Write this into the notes?"

_MOST_PLACES = 3


def show_suggestions(found: LinkSuggestions) -> None:
    """Print the notes, each with why and where its name stands."""
    if not found.results:
        console.show_line("No note was found that it should link to.")
    for number, one in enumerate(found.results, 1):
        console.show_line(
            f"{number:>3}) {one.note_title}  ({one.probability:.0%}, {one.note_path})"
        )
        for line in reasons(one, found.source_note):
            console.show_line(f"      {line}")
    console.show_warnings(found.warnings)


def reasons(one: LinkSuggestion, source: str) -> list[str]:
    """The type of the link, what both have in common, and where the source names the other."""
    shared = [f"both: {', '.join(one.shared_concepts)}"] if one.shared_concepts else []
    places = ", ".join(
        f"{source}:{place.line} “{place.words}”" for place in one.mentions[:_MOST_PLACES]
    )
    named = [f"named: {places}"] if places else []
    return [*_relation(one), *shared, *named]


def _relation(one: LinkSuggestion) -> list[str]:
    if one.relation is None:
        return []
    return [f"{one.relation.relation} ({one.relation.probability:.0%}): {one.relation.reason}"]


def show_plan(planned: PlannedLink) -> None:
    """Print what a link changes in its notes."""
    show_changes(planned.changes, planned.warnings)


def show_changes(changes: Iterable[NoteChange], warnings: Iterable[str]) -> None:
    """Print the lines that come into notes, and what to think of first."""
    for change in changes:
        console.show_line(f"{change.path}:")
        for line in change.diff:
            console.show_line(line)
    for warning in warnings:
        console.show_remark(warning)


def show_written(
    written: LinkWrite, warnings: Sequence[SourceWarning], *, undo: str = "`brain link undo`"
) -> None:
    """Print that a link was written, and what takes it out again."""
    show_link(written)
    console.show_remark(f"{undo} takes it out again.")
    console.show_warnings(warnings)


def show_link(written: LinkWrite) -> None:
    """Print that a link was written, with its number in the journal."""
    console.show_line(f"Linked ({written.id}): {_link_in_words(written)}.")


def show_undone(outcome: Outcome, warnings: Sequence[SourceWarning]) -> None:
    """Print which links were taken out of their notes, and why others were not."""
    for one in outcome.writes:
        console.show_line(f"Taken out ({one.id}): {_link_in_words(one)}.")
    show_not_undone(outcome, warnings)


def show_not_undone(outcome: Outcome, warnings: Sequence[SourceWarning]) -> None:
    """Print why links were not taken out, and of those that were what is not indexed."""
    for refused in outcome.refused:
        console.show_remark(refused)
    if not outcome.writes and not outcome.refused:
        console.show_remark(
            "There is no link to take out: `brain link history` lists what was written."
        )
    console.show_warnings(warnings)


def _link_in_words(write: LinkWrite) -> str:
    return f"{write.source} {write.relation} {write.target}"


def show_history(writes: Sequence[LinkWrite]) -> None:
    """Print the links that were written, each with what became of it."""
    for one in writes:
        gone = " (taken out)" if one.state == "undone" else ""
        why = f": {one.context}" if one.context else ""
        by = f", by {one.by}" if is_of_program(one.by) else ""
        line = f"{one.id:>4} {stamp(one.at)} {_link_in_words(one)}{by}{gone}{why}"
        console.show_line(line)
    if not writes:
        console.show_remark("No link was written yet: `brain link create` writes one.")
