"""What the markdown of an answer shows, whatever words stand around it."""

import re

_PLACE = re.compile(r"\[\[([^\[\]|\n]+)\]\] [^\W\d]+ (\d+)")
_HEADING = re.compile(r"^## ", re.MULTILINE)
_HINT = re.compile(r"^\*\*(.+)\*\*$", re.MULTILINE)


def places(markdown: str) -> list[tuple[str, int]]:
    """The notes, with their headings, and the lines that are cited, in order."""
    return [(note, int(line)) for note, line in _PLACE.findall(markdown)]


def sections(markdown: str) -> list[str]:
    """What stands before any heading, then the sections, each with its heading as first line."""
    return _HEADING.split(markdown)


def lines_with(markdown: str, *texts: str) -> list[str]:
    """The lines that have one of the texts."""
    return [line for line in markdown.split("\n") if any(text in line for text in texts)]


def bold_lines(markdown: str) -> list[str]:
    """The lines that are bold from end to end, in which a page says what to mind."""
    return _HINT.findall(markdown)
