"""How the change of another program's file is shown before it is made."""

import difflib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from graphs.mcp import json_text

_AROUND = 2
"""Lines shown before and behind a change."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?')


def diff(before: str | None, after: str | None) -> Iterator[str]:
    """The lines that go and come, with some around them.

    Of what stays only names are shown: values next to our entry may be somebody's keys. Where our
    entry shares a line with others, the document is shown with a line for each value.
    """
    shown, stays = _compared(_lines(before), _lines(after))
    changed = {line[0] for line in shown if line[0] in "-+" and _bare(line) not in stays}
    if len(changed) > 1:
        shown, stays = _compared(_laid_out(before), _laid_out(after))
    for line in shown:
        kept = line[0] == " " or _bare(line) in stays
        yield _STRING.sub(_without_value, line) if kept else line


def _compared(old: list[str], new: list[str]) -> tuple[list[str], set[str]]:
    """The difference as lines, and those that only gain or lose a comma."""
    shown = list(difflib.unified_diff(old, new, n=_AROUND, lineterm=""))[2:]
    gone, come = ({_bare(line) for line in shown if line[0] == sign} for sign in "-+")
    return shown, gone & come


def short(path: Path, home: Path) -> str:
    """The path, from the user's folder if it lies there."""
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _lines(text: str | None) -> list[str]:
    return (text or "").removeprefix(json_text.BOM).splitlines()


def _laid_out(text: str | None) -> list[str]:
    whole = json_text.parse(text if text and text.strip() else "{}")
    return json.dumps(whole, indent=2, ensure_ascii=False).splitlines()


def _without_value(string: re.Match[str]) -> str:
    return string[0] if string[1] else '"…"'


def _bare(line: str) -> str:
    return line[1:].rstrip().rstrip(",")
