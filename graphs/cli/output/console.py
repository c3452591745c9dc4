"""How answers, plans and problems look: colours and links on a terminal, plain text in a pipe."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from graphs.cli.output import answer as terminal_answer
from graphs.cli.output.answer import console, safe
from graphs.core.ingest_report import IngestReport
from tools.base.domain import Answer, QueryPlan, Result, SourceWarning
from tools.base.guards import terminal_json, terminal_text
from tools.evidence.citations import obsidian_url
from tools.rendering.problems import by_message, some_of
from tools.text.markdown.quotes import link_texts
from tools.text.voice import counted

_NAMED = 3
"""Notes named for one kind of problem; `brain doctor` lists all."""


def as_object(answer: Answer) -> terminal_answer.Shown:
    """The answer as JSON has it."""
    from pydantic import TypeAdapter

    return TypeAdapter(Answer).dump_python(answer, mode="json")


def from_object(shown: terminal_answer.Shown) -> Answer:
    """The answer that JSON has."""
    from pydantic import TypeAdapter

    return TypeAdapter(Answer).validate_python(shown)


def show_json(value: object) -> None:
    """Print a value of ours as one JSON document."""
    from pydantic import TypeAdapter

    text = TypeAdapter(type(value)).dump_json(value, indent=2).decode()
    sys.stdout.write(f"{terminal_json(text)}\n")


def show_answer(answer: Answer, *, vault: str, verbose: bool = False) -> None:
    """Print the answer's markdown; a terminal gets it laid out, with links Obsidian opens."""
    terminal_answer.show_answer(as_object(answer), vault=vault, verbose=verbose)


def show_question_back(answer: Answer, *, in_chat: bool = False) -> None:
    """Print what the user is asked, the numbered options, and how to go on."""
    if answer.clarification is None:
        return
    if answer.status == "needs_confirmation" and answer.plan is not None:
        show_plan(answer.plan)
    terminal_answer.show_options(as_object(answer), in_chat=in_chat)


def show_plan(plan: QueryPlan) -> None:
    """Print how a question was read and what would be searched."""
    from agents.interpreter.search_targets import time_alone
    from tools.rendering.plan import plan_in_words

    _pairs(plan_in_words(plan, only_time=bool(time_alone(plan))).items())


def show_results(results: Iterable[Result], *, vault: str) -> None:
    """Print ranked notes with their best line."""
    from tools.ranking.fusion import score_in_words

    out = console()
    for result in results:
        url = obsidian_url(vault, result.note_path)
        name = f"[link={url}]{safe(result.note_path)}[/link]" if out.is_terminal else None
        score = score_in_words(result.composite_relevance)
        out.print(f"{score}  {name or safe(result.note_path)}", soft_wrap=True)
        for excerpt in result.excerpts[:1]:
            line = " ".join(terminal_text(link_texts(excerpt.reads or excerpt.text)).split())
            out.print(f"      {excerpt.line_start}: {safe(line)}", style="dim", soft_wrap=True)


def show_report(report: IngestReport, *, as_json: bool) -> None:
    """Print what an indexing run did, each kind of problem once."""
    if as_json:
        show_json(report)
        return
    out = console()
    seconds = report.timings_ms.get("total", 0.0) / 1000
    done = (
        f"{counted(report.written, 'note')} new or changed, {report.removed} removed; "
        f"{report.graph_written} written to the graph, "
        f"{counted(report.vectors_written, 'passage')} embedded in {seconds:.1f} s"
    )
    changed = report.written + report.removed + report.graph_written + report.vectors_written
    show_line(
        f"{counted(report.notes, 'note')}: {done if changed else 'everything is up to date'}."
    )
    for warning in report.warnings:
        out.print(
            f"[yellow]{safe(warning.source)}[/yellow]: {safe(warning.error)} "
            f"{safe(warning.impact)}",
            soft_wrap=True,
        )
    if report.undated and changed:
        show_line(
            f"dates: {report.undated} of {report.notes} notes have none in their text, their name "
            "or git; the file's modification time stands in."
        )
    for message, paths in by_message(report.problems).items():
        show_line(f"note: {some_of(paths, most=_NAMED)}: {message}")


def show_markdown(text: str, *, paths: Iterable[str], vault: str) -> None:
    """Print markdown; a terminal gets it laid out, its links to ``paths`` open in Obsidian."""
    terminal_answer.show_markdown(text, paths=paths, vault=vault)


def show_line(text: str) -> None:
    """Print one plain line."""
    console().print(terminal_text(text), soft_wrap=True, markup=False)


def show_remark(text: str) -> None:
    """Print a line that is no part of the answer."""
    Console(stderr=True, highlight=False).print(terminal_text(text), soft_wrap=True, markup=False)


def show_warnings(warnings: Iterable[SourceWarning]) -> None:
    """Print what did not do its part beside what is printed, and what that lacks for it."""
    for warning in warnings:
        show_remark(f"{warning.error} {warning.impact}")


def show_pairs(values: Mapping[str, Any]) -> None:
    """Print names and values in two columns."""
    _pairs((name, str(value)) for name, value in values.items())


def _pairs(rows: Iterable[tuple[str, str]]) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(safe(name), safe(value))
    console().print(table)
