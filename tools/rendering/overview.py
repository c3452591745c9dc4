"""An overview as markdown: by note, by part or by side its lines, each cited. Pure."""

from tools.evidence.citations import note_link
from tools.overview.overview import Line, Overview
from tools.rendering.lines import inline, quotation, written
from tools.rendering.page import Page
from tools.text.voice import translate


def overview_lines(page: Page, overview: Overview) -> list[str]:
    """What a model wrote of the lines, if one did, else the lines by note, part or side."""
    told = written(page) if page.by_model else []
    if told and not page.whole:
        return told
    first = _first_line(page, overview)
    parts = [*told, first]
    for group in overview.groups:
        if group.title:
            parts.append(f"**{inline(group.title)}**")
        elif overview.kind in ("overview", "quotes"):
            parts.append(f"**{note_link(group.lines[0].result.note_path, page.names)}**")
        parts.append("\n".join(_line(line, page) for line in group.lines))
    return parts


def _line(line: Line, page: Page) -> str:
    return f"- {quotation(line.result, line.excerpt, page.names)}"


def _first_line(page: Page, overview: Overview) -> str:
    match overview.kind:
        case "summary":
            note = note_link(overview.shown[0].result.note_path, page.names)
            counts = {"shown": len(overview.shown), "lines": overview.lines}
            if overview.read_to is None:
                return translate(
                    "The main {shown} of {lines} lines of {note}:", note=note, **counts
                )
            return translate(
                "The main {shown} of {lines} lines of {note}, read to line {last}:",
                note=note,
                last=overview.read_to,
                **counts,
            )
        case "quotes":
            return translate("In the notes' own words:")
        case "overview" | "sides":
            if overview.notes == 1:
                return translate("One note speaks of it:")
            return translate("{notes} notes speak of it; the main points:", notes=overview.notes)
