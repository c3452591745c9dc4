"""How a review of links looks on a terminal."""

from graphs.cli.output import console
from graphs.cli.output.links import reasons, show_changes
from graphs.links.reviewing.reviewer import ReviewStep
from tools.links.review import Proposal, Tally


def show_proposal(step: ReviewStep, proposal: Proposal) -> None:
    """Print a suggested link: how far the review is, why it is suggested, what it would change."""
    one, tally = proposal.suggestion, step.tally
    console.show_line("")
    console.show_line(
        f"{proposal.source}  (note {tally.notes + 1} of {tally.of}, {step.left} left here)"
    )
    console.show_line(f"  → {one.note_title}  ({one.probability:.0%}, {one.note_path})")
    for line in reasons(one, proposal.source):
        console.show_line(f"      {line}")
    show_changes(proposal.changes, proposal.warnings)
    for remark in (proposal.refused, proposal.remark):
        if remark:
            console.show_remark(remark)


def show_end(step: ReviewStep) -> None:
    """Print how a review went."""
    for refused in step.refused:
        console.show_remark(refused)
    if step.tally == Tally(notes=step.tally.notes, of=step.tally.of):
        console.show_line("No link was suggested: --least 0 shows the unlikely ones, too.")
    else:
        console.show_line(f"Reviewed: {in_words(step.tally)}.")


def in_words(tally: Tally) -> str:
    """What became of the suggestions so far."""
    return (
        f"{tally.accepted} accepted, {tally.rejected} rejected, {tally.skipped} skipped; "
        f"note {min(tally.notes + 1, tally.of)} of {tally.of}"
    )
