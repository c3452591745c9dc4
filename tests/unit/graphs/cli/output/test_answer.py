"""Plain text in a pipe; links and colours on a terminal; JSON that can be read back."""

import io
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from rich.console import Console

from graphs.cli.output import answer as terminal_answer
from graphs.cli.output import console as terminal
from graphs.core.ingest_report import IngestReport
from tests.support.values.results import a_contradiction, a_plan, a_relation, a_result, a_side
from tools.base.domain import (
    Answer,
    Checklist,
    Clarification,
    ClarificationOption,
    Excerpt,
    Problem,
    Result,
    SourceWarning,
)
from tools.evidence.citations import obsidian_url

WRITTEN = datetime(2024, 3, 12, 9, 30, tzinfo=UTC)
PLAN = a_plan(
    query="What does basil want?",
    confidence=0.91,
    probabilities={"factual": 0.91, "causal": 0.09},
    reason="likelier than causal",
    start_date=WRITTEN,
)
STEP = a_relation(
    "Low EC", "CAUSES", "Yellow leaves", folder="notes/", target_path=None, valid_at=WRITTEN
)


def result(path: str = "notes/Basil.md", text: str = "Basil wants a weak solution.") -> Result:
    return a_result(
        path,
        note_title="Basil",
        created=WRITTEN,
        relevance_score=0.7,
        composite_relevance=0.72,
        tier="relevant",
        sources=("semantic", "text"),
        excerpts=(Excerpt(text=text, line_start=7, line_end=8, heading="Dosing"),),
        chain=(STEP,),
    )


MARKDOWN = """# What does basil want?

> Basil wants a weak solution. — [[Basil#Dosing]] line 7

See [[Low EC]], [[New]] and [[Elsewhere#There]].

<details>
<summary>How this was answered</summary>

- Intent: factual

</details>
"""
ANSWER = Answer(
    status="answered",
    query="What does basil want?",
    thread_id="abc",
    plan=PLAN,
    format="list",
    answer=MARKDOWN,
    results=(result(),),
    contradictions=(
        a_contradiction(
            a_side("notes/New.md", timestamp=WRITTEN),
            a_side("notes/Old.md", timestamp=WRITTEN),
            newer="a",
            explanation="They differ.",
        ),
    ),
    warnings=(SourceWarning(source="graph", error="No answer.", impact="Links are missing."),),
    sources_available=("semantic", "text"),
    sources_failed=("graph",),
    timings_ms={"total": 12.5},
    checklist=Checklist(score=0.9, passed=("intent",), failed=("relevance",)),
)
REPORT = IngestReport(notes=3, written=2, problems=(Problem(note_path="a.md", message="odd"),))


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a person at a terminal is sent."""
    sent = io.StringIO()

    def console() -> Console:
        return Console(
            file=sent, force_terminal=True, width=200, color_system="truecolor", highlight=False,
            no_color=False, legacy_windows=False,
        )  # fmt: skip

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(terminal, "console", console)
    monkeypatch.setattr(terminal_answer, "console", console)
    return sent


type Pipe = pytest.CaptureFixture[str]


def words(sent: str) -> str:
    """What is left to read once links and colours are taken away."""
    return re.sub(r"\x1b\]8;[^\x1b]*\x1b\\|\x1b\[[0-9;]*m", "", sent)


# --- JSON ----------------------------------------------------------------------------------


def test_an_answer_printed_as_json_reads_back_as_it_was(capsys: Pipe) -> None:
    terminal.show_json(ANSWER)
    assert TypeAdapter(Answer).validate_json(capsys.readouterr().out) == ANSWER


def test_a_report_printed_as_json_reads_back_as_it_was(capsys: Pipe) -> None:
    terminal.show_report(REPORT, as_json=True)
    assert TypeAdapter(IngestReport).validate_json(capsys.readouterr().out) == REPORT


@given(st.text(), st.text())
def test_any_text_survives_json(text: str, title: str) -> None:
    answer = replace(ANSWER, answer=text, results=(result(f"{title}.md", text),))
    with pytest.MonkeyPatch.context() as patch:
        out = io.StringIO()
        patch.setattr("sys.stdout", out)
        terminal.show_json(answer)
    assert TypeAdapter(Answer).validate_json(out.getvalue()) == answer
    assert "\x1b" not in out.getvalue()


# --- an answer -----------------------------------------------------------------------------


def test_a_pipe_gets_the_markdown_as_it_is(capsys: Pipe) -> None:
    terminal.show_answer(ANSWER, vault="My vault")
    terminal.show_answer(ANSWER, vault="My vault", verbose=True)
    assert capsys.readouterr().out == MARKDOWN * 2


def test_a_terminal_gets_links_that_obsidian_opens(screen: io.StringIO) -> None:
    terminal.show_answer(ANSWER, vault="My vault")
    sent = screen.getvalue()
    for path, heading in (
        ("notes/Basil.md", "Dosing"),
        ("notes/Low EC.md", None),
        ("notes/New.md", None),
    ):
        assert f";{obsidian_url('My vault', path, heading)}\x1b\\" in sent
    assert "Basil › Dosing" in words(sent)
    assert "[[" not in sent


def test_a_note_that_is_not_in_the_answer_is_named_without_a_link(screen: io.StringIO) -> None:
    terminal.show_answer(ANSWER, vault="My vault")
    assert "Elsewhere › There" in words(screen.getvalue())
    assert "file=Elsewhere" not in screen.getvalue()


def test_a_note_called_by_its_path_is_linked_too(screen: io.StringIO) -> None:
    answer = replace(ANSWER, answer="See [[notes/Basil#Dosing]] line 7\n")
    terminal.show_answer(answer, vault="v")
    assert obsidian_url("v", "notes/Basil.md", "Dosing") in screen.getvalue()


def test_a_heading_that_repeats_the_name_is_not_said_twice(screen: io.StringIO) -> None:
    terminal.show_answer(replace(ANSWER, answer="[[Basil#BASIL]] line 1\n"), vault="v")
    assert words(screen.getvalue()).strip().startswith("Basil line 1")


def test_footnotes_are_read_on_a_terminal_too(screen: io.StringIO) -> None:
    told = "It wants little.[^1] And light.[^2]\n\n[^1]: [[Basil]] line 7\n[^2]: [[New]] line 4\n"
    terminal.show_answer(replace(ANSWER, answer=told), vault="v")
    seen = words(screen.getvalue())
    assert "It wants little.[1] And light.[2]" in seen
    assert re.search(r"\[1\] Basil line 7 *\n.*\[2\] New line 4", seen)


def test_how_it_was_answered_is_told_when_asked_for(screen: io.StringIO) -> None:
    terminal.show_answer(ANSWER, vault="v")
    brief = words(screen.getvalue())
    assert "Intent: factual" not in brief
    assert re.search(r"semantic, text.*\b12 ms", brief)
    screen.truncate(0)
    terminal.show_answer(ANSWER, vault="v", verbose=True)
    assert "Intent: factual" in words(screen.getvalue())
    assert "details>" not in words(screen.getvalue())


# --- a question back -----------------------------------------------------------------------

ASKED = replace(
    ANSWER,
    status="needs_clarification",
    thread_id="t-1",
    clarification=Clarification(
        question="Which of these do you want?",
        options=(
            ClarificationOption(number=1, label="A short answer: [bold]basil", intent="factual"),
            ClarificationOption(number=2, label="A timeline", intent="temporal"),
        ),
    ),
)


def test_the_options_are_numbered_and_the_way_on_is_told(capsys: Pipe) -> None:
    terminal.show_question_back(ASKED)
    out = capsys.readouterr().out
    assert "Which of these do you want?\n" in out
    assert "  1) A short answer: [bold]basil\n  2) A timeline\n" in out
    assert "brain ask --thread t-1 --choose N" in out


def test_a_chat_does_not_tell_the_command(capsys: Pipe) -> None:
    terminal.show_question_back(ASKED, in_chat=True)
    assert "--thread" not in capsys.readouterr().out


def test_a_question_without_options_asks_for_words(capsys: Pipe) -> None:
    open_question = Clarification(question="What should basil be compared with?", options=())
    terminal.show_question_back(replace(ASKED, clarification=open_question))
    assert '--choose "…"' in capsys.readouterr().out


def test_consent_is_asked_with_the_plan(capsys: Pipe) -> None:
    terminal.show_question_back(replace(ASKED, status="needs_confirmation"))
    out = capsys.readouterr().out
    assert re.search(r"factual.*0\.91.*likelier than causal", out.partition("Which of these")[0])
    assert "semantic, text" in out
    assert "2024-03-12" in out


def test_nothing_asked_prints_nothing(capsys: Pipe) -> None:
    terminal.show_question_back(ANSWER)
    assert capsys.readouterr().out == ""


# --- results, reports, lines ---------------------------------------------------------------


def test_results_in_a_pipe_are_score_note_and_line(capsys: Pipe) -> None:
    terminal.show_results([result(), result("b.md", "Two\nlines.")], vault="v")
    assert capsys.readouterr().out.splitlines() == [
        "0.72  notes/Basil.md",
        "      7: Basil wants a weak solution.",
        "0.72  b.md",
        "      7: Two lines.",
    ]


def test_results_on_a_terminal_are_links(screen: io.StringIO) -> None:
    terminal.show_results([result("a [b]/Ğ (c).md")], vault="My vault")
    sent = screen.getvalue()
    assert obsidian_url("My vault", "a [b]/Ğ (c).md") in sent
    assert "a [b]/Ğ (c).md" in words(sent)


def test_a_report_says_what_was_done_and_each_kind_of_problem_once(capsys: Pipe) -> None:
    problems = tuple(Problem(note_path=f"{n}.md", message="no date") for n in range(5))
    report = replace(REPORT, problems=(*problems, Problem(note_path="x.md", message="no text")))
    terminal.show_report(report, as_json=False)
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("3 notes: 2 notes new or changed, 0 removed;")
    assert out[1:] == [
        "note: 0.md, 1.md, 2.md and 2 more: no date",
        "note: x.md: no text",
    ]


def test_a_report_counts_the_notes_without_a_date_when_something_was_done(capsys: Pipe) -> None:
    terminal.show_report(IngestReport(notes=3, written=1, undated=2), as_json=False)
    assert re.search(r"^dates:.*\b2\b.*\b3\b", capsys.readouterr().out, re.MULTILINE)
    terminal.show_report(IngestReport(notes=3, undated=2), as_json=False)
    assert "dates:" not in capsys.readouterr().out


def test_a_report_of_nothing_done_says_so_and_a_warning_is_shown(capsys: Pipe) -> None:
    warning = SourceWarning(source="graph", error="It is down.", impact="Links are missing.")
    terminal.show_report(IngestReport(notes=3, unchanged=3, warnings=(warning,)), as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "3 notes: everything is up to date.",
        "graph: It is down. Links are missing.",
    ]


def test_pairs_stand_in_two_columns(capsys: Pipe) -> None:
    terminal.show_pairs({"Notes": 3, "Vault": "[bold]x"})
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [["Notes", "3"], ["Vault", "[bold]x"]]


PLAIN = [
    *("[bold]x[/bold]", "[link=http://x]y[/link]", "[[Note#A|b]]", "[/]", "[1]", "[ ] task"),
    *("a] [b", "[red]", "[@click=x]y", "C:\\notes", "9:30:00"),
    "a :smile: b",
]


@pytest.mark.parametrize("text", PLAIN)
def test_a_quoted_line_is_shown_as_it_stands(text: str, capsys: Pipe) -> None:
    terminal.show_line(text)
    terminal.show_results([result(text=text)], vault="v")
    line, _, quotation = capsys.readouterr().out.splitlines()
    assert line == text
    assert quotation == f"      7: {text}"


def test_control_sequences_of_a_note_colour_nothing(screen: io.StringIO) -> None:
    hostile = "\x1b[31mred\x1b]8;;http://x\x07link\x9b2J\x07"
    terminal.show_line(hostile)
    terminal.show_results([result("x\x1b[31my.md", hostile)], vault="v")
    terminal.show_pairs({hostile: hostile})
    left = words(screen.getvalue())
    assert "redlink" in left
    assert not set(left) & set("\x1b\x9b\x07")
    assert "\x1b[31m" not in screen.getvalue()
    assert "http://x" not in screen.getvalue()


@pytest.mark.parametrize("text", ["\\[bold]x", "a \\[/b] c", "\\\\[red]x"])
def test_a_backslash_before_a_bracket_is_shown_as_it_is(text: str, capsys: Pipe) -> None:
    terminal.show_results([result(text=text)], vault="v")
    assert f"      7: {text}\n" in capsys.readouterr().out
