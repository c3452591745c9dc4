"""The answer to a comparison: a table whose cells name their sources, and the notes. Pure."""

from collections.abc import Sequence

from tools.comparison import Cell
from tools.domain import Result
from tools.page import Page
from tools.rendering_lines import cell_text, inline, prose, result_lines, superseded_by, written

_NO_NOTE = "no note of its own"


def table(page: Page, dated: Sequence[str]) -> list[str]:
    """The parts of the page; ``dated`` is what stands first where the question asks when."""
    subjects, compared = page.plan.subjects, page.comparison
    answer = [*dated, *written(page)]
    parts = ["## Answer", *answer] if answer else []
    parts.append("## Comparison")
    if compared.rows:
        lacking = compared.without_note
        head = [_column(s, page.results, alone=s not in lacking) for s in subjects]
        rule = "|---|" + "---|" * len(subjects)
        body = [
            f"| **{cell_text(row.attribute)}** | "
            + " | ".join(_cell(cell, page) for cell in row.cells)
            + " |"
            for row in compared.rows
        ]
        parts.append("\n".join(["| | " + " | ".join(head) + " |", rule, *body]))
    else:
        parts.append("The notes name no attribute that could be set side by side.")
    if compared.together:
        of = "both" if len(subjects) == 2 else "several"
        lines = (f"- {prose(c.text)} — {page.place(c.citation)}" for c in compared.together)
        parts += [f"**Said of {of}:**", "\n".join(lines)]
    for subject in subjects:
        members = [result for result in page.results if result.subject == subject]
        listed = (
            "\n".join(result_lines(result, page.names) for result in members) or "No note found."
        )
        parts += [f"## {inline(subject)}", listed]
    return parts


def _cell(cell: Cell | None, page: Page) -> str:
    return f"{cell_text(cell.text)} ({page.place(cell.citation)})" if cell else "—"


def _column(subject: str, results: Sequence[Result], *, alone: bool) -> str:
    """The heading of a subject's column, with what took its place if something did."""
    if not alone:
        return cell_text(f"{subject} ({_NO_NOTE})")
    first = next((result for result in results if result.subject == subject), None)
    gone = superseded_by(first) if first is not None else ""
    return cell_text(f"{subject} (superseded {gone})" if gone else subject)
