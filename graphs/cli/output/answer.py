"""How an answer looks, from the object that ``brain ask --json`` prints: laid out on a terminal.

Little is imported, because the process that asked may be no more than a client.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from tools.base.guards import terminal_json, terminal_text

if TYPE_CHECKING:
    from rich.console import Console

type Shown = Mapping[str, Any]
"""An answer as JSON has it: names and plain values."""

_LINK = re.compile(r"\[\[([^\]#|]+)(?:#([^\]|]+))?(?:\\?\|([^\]]+))?\]\]")
_FOOTNOTE = re.compile(r"\[\^(\d+)\]")
_FOOTNOTE_LINE = re.compile(r"^\[\^(\d+)\]: ", re.MULTILINE)
_DETAILS = re.compile(r"<details>\n<summary>(.*?)</summary>\n\n(.*?)\n\n</details>\n?", re.DOTALL)


def console() -> "Console":
    """Make a console that knows whether it writes to a terminal."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)


def show_json(answer: Shown) -> None:
    """Print the answer as one JSON document."""
    document = json.dumps(answer, indent=2, ensure_ascii=False)
    sys.stdout.write(f"{terminal_json(document)}\n")


def show_answer(answer: Shown, *, vault: str, verbose: bool = False) -> None:
    """Print the answer's markdown; a terminal gets it laid out, with links Obsidian opens."""
    if not _is_terminal():
        sys.stdout.write(answer["answer"])
        return
    text = _DETAILS.sub(r"\n---\n\n**\1**\n\n\2\n" if verbose else _brief(answer), answer["answer"])
    text = _FOOTNOTE.sub(r"[\1]", _FOOTNOTE_LINE.sub(r"- [\1] ", text))
    show_markdown(text, paths=_paths(answer), vault=vault)


def show_markdown(text: str, *, paths: Iterable[str], vault: str) -> None:
    """Print markdown; a terminal gets it laid out, its links to ``paths`` open in Obsidian."""
    if not _is_terminal():
        sys.stdout.write(text)
        return
    from rich.markdown import Markdown

    names = {name: path for path in paths for name in (PurePosixPath(path).stem, path[:-3])}
    console().print(Markdown(_linked(text, names, vault), hyperlinks=True))


def show_options(answer: Shown, *, in_chat: bool = False) -> None:
    """Print what the user is asked, the numbered options, and how to go on."""
    asked, out = answer["clarification"], console()
    out.print(f"[bold]{safe(asked['question'])}[/bold]")
    for option in asked["options"]:
        out.print(f"  {option['number']}) {safe(option['label'])}")
    if not in_chat:
        reply = "N" if asked["options"] else '"…"'
        out.print(f"[dim]Go on: brain ask --thread {answer['thread_id']} --choose {reply}[/dim]")


def safe(text: str) -> str:
    """Escape what rich would read as markup, and drop control sequences."""
    from rich.markup import escape

    return escape(terminal_text(text))


def _is_terminal() -> bool:
    # Rich need not be imported to know that no console would be one.
    may_be = sys.stdout.isatty() or any(map(os.environ.get, ("FORCE_COLOR", "TTY_COMPATIBLE")))
    return may_be and console().is_terminal


def _paths(answer: Shown) -> Iterator[str]:
    """The notes that the answer may link to."""
    for result in answer["results"]:
        yield result["note_path"]
    for result in answer["results"]:
        yield from (step["note_path"] for step in result["chain"])
    for found in answer["contradictions"]:
        yield from (found["note_a"]["path"], found["note_b"]["path"])
    for change in answer["changes"]:
        yield from (change["before"]["path"], change["after"]["path"])


def _brief(answer: Shown) -> str:
    total = answer["timings_ms"].get("total", 0.0)
    sources = ", ".join(answer["sources_available"]) or "no source"
    return f"\n*{sources} · {total:.0f} ms · --verbose shows how this was answered*\n"


def _linked(text: str, paths: Mapping[str, str], vault: str) -> str:
    """Turn wikilinks into links that a terminal can open."""
    from tools.evidence.citations import obsidian_url
    from tools.text.normalize import fold_name

    def link(match: re.Match[str]) -> str:
        stem, heading = match.group(1), match.group(2)
        path = paths.get(stem)
        # The heading a note opens with says nothing that its name does not.
        said_twice = heading is None or fold_name(heading) == fold_name(PurePosixPath(stem).name)
        shown = match.group(3) or (stem if said_twice else f"{stem} › {heading}")
        if path is None:
            return shown
        return f"[{shown}]({obsidian_url(vault, path, heading)})"

    return _LINK.sub(link, text)
