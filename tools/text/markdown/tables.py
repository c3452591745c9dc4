"""Tables of a markdown text: the headings over a row, and how the row reads. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_QUOTE = re.compile(r"(?:\s{0,3}>)+ ?")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?")
BORDER = re.compile(r"(?<!\\)\|")
"""What parts two cells; one that is escaped belongs to its cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """The headings of the columns, which may be empty, and the lines (from 0) of the rows."""

    columns: tuple[str, ...]
    rows: range


def is_rule(line: str) -> bool:
    """Whether a line parts the headings of a table from its rows."""
    return "|" in line and "-" in line and _RULE.fullmatch(_body(line)) is not None


def cells_of(line: str) -> tuple[str, ...]:
    """What stands between the borders of a row; a border that is escaped belongs to its cell."""
    body = _body(line)
    body = body.removeprefix("|")
    cells = BORDER.split(body)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return tuple(" ".join(cell.replace("\\|", "|").split()) for cell in cells)


def columns_over(lines: Sequence[str], at: int) -> tuple[str, ...]:
    """The headings of the table of which the line (from 0) is a row; none of any other line."""
    if not _in_table(lines[at]) or is_rule(lines[at]):
        return ()
    first = at
    while first and _in_table(lines[first - 1]):
        first -= 1
    return columns_by_row(lines[first : at + 1]).get(at - first, ())


def columns_by_row(lines: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The headings over each line (from 0) that is a row of a table."""
    found: dict[int, tuple[str, ...]] = {}
    columns: tuple[str, ...] = ()
    for at, line in enumerate(lines):
        if not _in_table(line):
            columns = ()
        elif is_rule(line):
            columns = cells_of(lines[at - 1]) if at and _in_table(lines[at - 1]) else ()
        elif columns:
            found[at] = columns
    return found


def heads(lines: Sequence[str], at: int) -> bool:
    """Whether the line (from 0) holds the headings of a table."""
    return at + 1 < len(lines) and _in_table(lines[at]) and is_rule(lines[at + 1])


def tables_in(lines: Sequence[str]) -> Iterator[Table]:
    """The tables of a text, in order."""
    at = 0
    while at < len(lines):
        if not heads(lines, at) or is_rule(lines[at]):
            at += 1
            continue
        end = at + 2
        while end < len(lines) and _in_table(lines[end]):
            end += 1
        yield Table(cells_of(lines[at]), range(at + 2, end))
        at = end


def read_row(row: str, columns: Sequence[str]) -> str:
    """A row as it reads, each cell behind the heading of its column: ``RAM: 32 GB · Price: 70``."""
    said: list[str] = []
    for at, cell in enumerate(cells_of(row)):
        heading = columns[at] if at < len(columns) else ""
        if cell:
            said.append(f"{heading.rstrip(':')}: {cell}" if heading else cell)
    return " · ".join(said)


def _in_table(line: str) -> bool:
    return "|" in line and "|" in _body(line)


def _body(line: str) -> str:
    quote = _QUOTE.match(line)
    return line[quote.end() if quote else 0 :].strip()
