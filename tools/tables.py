"""Tables of a markdown text: the headings over a row, and how the row reads. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_QUOTE = re.compile(r"(?:\s{0,3}>)+ ?")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?")
_BORDER = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of a row as they are written, and its line (from 0)."""

    cells: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """The headings of the columns, which may be empty, and the rows below them."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]


def is_rule(line: str) -> bool:
    """Whether a line parts the headings of a table from its rows."""
    body = _body(line)
    return "|" in body and "-" in body and _RULE.fullmatch(body) is not None


def cells_of(line: str) -> tuple[str, ...]:
    """What stands between the borders of a row; a border that is escaped belongs to its cell."""
    body = _body(line)
    body = body.removeprefix("|")
    cells = _BORDER.split(body)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return tuple(" ".join(cell.replace("\\|", "|").split()) for cell in cells)


def columns_over(lines: Sequence[str], at: int) -> tuple[str, ...]:
    """The headings of the table of which the line (from 0) is a row; none of any other line."""
    if not _in_table(lines[at]) or is_rule(lines[at]):
        return ()
    for above in range(at - 1, 0, -1):
        if not _in_table(lines[above]):
            break
        if is_rule(lines[above]):
            return cells_of(lines[above - 1]) if _in_table(lines[above - 1]) else ()
    return ()


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
        rows = (TableRow(cells_of(lines[line]), line) for line in range(at + 2, end))
        yield Table(cells_of(lines[at]), tuple(rows))
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
    return "|" in _body(line)


def _body(line: str) -> str:
    quote = _QUOTE.match(line)
    return line[quote.end() if quote else 0 :].strip()
