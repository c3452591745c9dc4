"""How answers, plans and problems look: colours and links on a terminal, plain text in a pipe."""

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

from graphs.state import IngestReport
from tools.citations import obsidian_url
from tools.domain import Answer, QueryPlan, Result
from tools.folding import fold_name
from tools.guards import terminal_text
from tools.problems import by_message, some_of
from tools.quoting import link_texts
from tools.rendering import plan_in_words

_LINK = re.compile(r"\[\[([^\]#|]+)(?:#([^\]|]+))?(?:\\?\|([^\]]+))?\]\]")
_NAMED = 3
"""Notes named for one kind of problem; `brain doctor` lists all."""
_FOOTNOTE = re.compile(r"\[\^(\d+)\]")
_FOOTNOTE_LINE = re.compile(r"^\[\^(\d+)\]: ", re.MULTILINE)
_DETAILS = re.compile(r"<details>\n<summary>(.*?)</summary>\n\n(.*?)\n\n</details>\n?", re.DOTALL)


def console() -> Console:
    """Make a console that knows whether it writes to a terminal."""
    return Console(highlight=False, emoji=False)


def show_json(value: object) -> None:
    """Print a value of ours as one JSON document."""
    from pydantic import TypeAdapter

    text = TypeAdapter(type(value)).dump_json(value, indent=2).decode()
    sys.stdout.write(f"{text}\n")


def show_answer(answer: Answer, *, vault: str, verbose: bool = False) -> None:
    """Print the answer's markdown; a terminal gets it laid out, with links Obsidian opens."""
    out = console()
    if not out.is_terminal:
        sys.stdout.write(answer.answer)
        return
    shown = [result.note_path for result in answer.results]
    shown += [step.note_path for result in answer.results for step in result.chain]
    shown += [side.path for c in answer.contradictions for side in (c.note_a, c.note_b)]
    shown += [side.path for c in answer.changes for side in (c.before, c.after)]
    paths = {name: path for path in shown for name in (PurePosixPath(path).stem, path[:-3])}
    text = _DETAILS.sub(r"\n---\n\n**\1**\n\n\2\n" if verbose else _brief(answer), answer.answer)
    text = _FOOTNOTE.sub(r"[\1]", _FOOTNOTE_LINE.sub(r"- [\1] ", text))
    out.print(Markdown(_linked(text, paths, vault), hyperlinks=True))


def show_question_back(answer: Answer, *, in_chat: bool = False) -> None:
    """Print what the user is asked, the numbered options, and how to go on."""
    out = console()
    asked = answer.clarification
    if asked is None:
        return
    if answer.status == "needs_confirmation" and answer.plan is not None:
        show_plan(answer.plan)
    out.print(f"[bold]{_safe(asked.question)}[/bold]")
    for option in asked.options:
        out.print(f"  {option.number}) {_safe(option.label)}")
    if not in_chat:
        reply = "N" if asked.options else '"…"'
        out.print(f"[dim]Go on: brain ask --thread {answer.thread_id} --choose {reply}[/dim]")


def show_plan(plan: QueryPlan) -> None:
    """Print how a question was read and what would be searched."""
    _pairs(plan_in_words(plan).items())


def show_results(results: Iterable[Result], *, vault: str) -> None:
    """Print ranked notes with their best line."""
    out = console()
    for result in results:
        url = obsidian_url(vault, result.note_path)
        name = f"[link={url}]{_safe(result.note_path)}[/link]" if out.is_terminal else None
        score = f"{result.composite_relevance:.2f}"
        out.print(f"{score}  {name or _safe(result.note_path)}", soft_wrap=True)
        for excerpt in result.excerpts[:1]:
            line = " ".join(terminal_text(link_texts(excerpt.reads or excerpt.text)).split())
            out.print(f"      {excerpt.line_start}: {_safe(line)}", style="dim", soft_wrap=True)


def show_report(report: IngestReport, *, as_json: bool) -> None:
    """Print what an indexing run did, each kind of problem once."""
    if as_json:
        show_json(report)
        return
    out = console()
    seconds = sum(report.timings_ms.values()) / 1000
    done = (
        f"{report.written} notes new or changed, {report.removed} removed; "
        f"{report.graph_written} written to the graph, {report.vectors_written} passages embedded "
        f"in {seconds:.1f} s"
    )
    changed = report.written + report.removed + report.graph_written + report.vectors_written
    show_line(f"{report.notes} notes: {done if changed else 'everything is up to date'}.")
    for warning in report.warnings:
        out.print(
            f"[yellow]{_safe(warning.source)}[/yellow]: {_safe(warning.error)} "
            f"{_safe(warning.impact)}",
            soft_wrap=True,
        )
    if report.undated and changed:
        show_line(
            f"dates: {report.undated} of {report.notes} notes have none in their text, their name "
            "or git; the file's modification time stands in."
        )
    for message, paths in by_message(report.problems).items():
        show_line(f"note: {some_of(paths, most=_NAMED)}: {message}")


def show_line(text: str) -> None:
    """Print one plain line."""
    console().print(terminal_text(text), soft_wrap=True, markup=False)


def show_remark(text: str) -> None:
    """Print a line that is no part of the answer."""
    Console(stderr=True, highlight=False).print(text, soft_wrap=True, markup=False)


def show_pairs(values: Mapping[str, Any]) -> None:
    """Print names and values in two columns."""
    _pairs((name, str(value)) for name, value in values.items())


def _pairs(rows: Iterable[tuple[str, str]]) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(_safe(name), _safe(value))
    console().print(table)


def _brief(answer: Answer) -> str:
    total = answer.timings_ms.get("total", 0.0)
    sources = ", ".join(answer.sources_available) or "no source"
    return f"\n*{sources} · {total:.0f} ms · --verbose shows how this was answered*\n"


def _linked(text: str, paths: Mapping[str, str], vault: str) -> str:
    """Turn wikilinks into links that a terminal can open."""

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


def _safe(text: str) -> str:
    """Escape what rich would read as markup, and drop control sequences."""
    return escape(terminal_text(text))
