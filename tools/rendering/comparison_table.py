"""The answer to a comparison: a table whose cells name their sources, and the notes. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tools.rendering.comparison import Cell
from tools.rendering.lines import BRIEF_WORDS, cell_text, cut, inline, prose, ranked, written
from tools.rendering.page import Page
from tools.text.voice import translate

NOT_COMPARED = "The notes name no attribute that could be set side by side."
_NO_NOTE = "no note of its own"


def table(page: Page, dated: Sequence[str]) -> list[str]:
    """The parts of the page; ``dated`` is what stands first where the question asks when."""
    parts = comparison(page, dated)
    for subject in page.plan.subjects:
        members = [result for result in page.results if result.subject == subject]
        parts += [
            f"## {inline(subject)}",
            ranked(members, page.names) or translate("No note found."),
        ]
    return parts


def comparison(page: Page, dated: Sequence[str]) -> list[str]:
    """The table and what is said of several subjects at once."""
    subjects, compared = page.plan.subjects, page.comparison
    answer = [*dated, *written(page)]
    parts = [f"## {translate('Answer')}", *answer] if answer else []
    parts.append(f"## {translate('Comparison')}")
    if compared.rows:
        lacking = compared.without_note
        gone = page.gone
        own = [
            _main_note(cells) for cells in zip(*(row.cells for row in compared.rows), strict=True)
        ]
        head = [
            cell_text(f"{s} ({translate(_NO_NOTE)})")
            if s in lacking
            else _marked(s, gone.get(note))
            for s, note in zip(subjects, own, strict=True)
        ]
        rule = "|---|" + "---|" * len(subjects)
        body = [
            f"| **{cell_text(row.attribute)}** | "
            + " | ".join(
                _cell(cell, page, gone=gone, own=note)
                for cell, note in zip(row.cells, own, strict=True)
            )
            + " |"
            for row in compared.rows
        ]
        parts.append("\n".join(["| | " + " | ".join(head) + " |", rule, *body]))
    else:
        parts.append(translate(NOT_COMPARED))
    if compared.together:
        of = translate("Said of both:") if len(subjects) == 2 else translate("Said of several:")
        parts += [f"**{of}**", "\n".join(_line(cell, page) for cell in compared.together)]
    return parts


def _line(cell: Cell, page: Page) -> str:
    said = prose(cell.text)
    return f"- {said if page.whole else cut(said, BRIEF_WORDS)} — {page.place(cell.citation)}"


def _main_note(cells: Sequence[Cell | None]) -> str:
    """The note that most cells of a column are from; empty where the column is."""
    counts = Counter(cell.citation.note_path for cell in cells if cell)
    return max(counts, key=lambda path: counts[path], default="")


def _cell(cell: Cell | None, page: Page, *, gone: Mapping[str, str], own: str) -> str:
    """What the cell says; that its note was superseded, unless the column's heading says so."""
    if cell is None:
        return "—"
    note = cell.citation.note_path
    said = f"{cell_text(cell.text)} ({page.place(cell.citation)})"
    return said if note == own else _marked(said, gone.get(note), shown=True)


def _marked(text: str, gone: str | None, *, shown: bool = False) -> str:
    safe = text if shown else cell_text(text)
    return f"{safe} ({cell_text(translate('superseded by {note}', note=gone))})" if gone else safe
