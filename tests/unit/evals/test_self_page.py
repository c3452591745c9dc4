"""The page of a self-check: what it says, and that nothing in a note can act in it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from evals.answers.evidence import AnswerOutcome, Quoted
from evals.datasets.evidence import AnswerCase, Place
from evals.reports.self_page import self_page
from graphs.operations.self_check import SelfCheck
from tools.vault.notes.notes import parse_note

NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script><b onmouseover='x'>\" & </style>"
BREAD = "# Bread\n\n## Steps\n\n- knead & fold\n- wait\n- bake\n"
NOTES = [parse_note("Bread.md", BREAD.encode(), mtime=NOW)]
RUN = SelfCheck(at=NOW, made=4, asked=4, first=1, top3=2, notes=9, version="1.2")


def asked(
    *quoted: Quoted,
    kind: str = "list",
    q: str = "What does Bread list under Steps?",
    lines: tuple[int, int] = (5, 7),
    after: str = "",
    denied: bool = False,
    error: str | None = None,
) -> AnswerOutcome:
    gold = (Place(path="Bread.md", lines=lines),)
    return AnswerOutcome(
        case=AnswerCase(q=q, kind=kind, gold=gold, after=after),
        quoted=quoted,
        notes=(),
        denied=denied,
        words=1,
        ms=1.0,
        error=error,
    )


RIGHT = Quoted(path="Bread.md", first=6, last=6, text="wait")
WRONG = Quoted(path="Cakes & co.md", first=2, last=3, text=HOSTILE)


def page_of(*found: AnswerOutcome, run: SelfCheck = RUN, lacking: Sequence[str] = ()) -> str:
    return self_page(run, found, NOTES, vault="my <vault>", lacking=lacking)


def test_it_says_how_well_it_went_in_one_sentence_and_by_kind() -> None:
    page = page_of(asked(RIGHT), asked(WRONG, RIGHT), asked(WRONG, kind="title", lines=(1, 8)))
    sentence = (
        "Of 4 questions made from your 9 notes, 1 (25 %) were answered in the first line and "
        "2 (50 %) in one of the first three."
    )
    assert sentence in page
    numbers = [re.findall(r'<td class="number">(\d+)', row) for row in page.split("<tr>")[2:]]
    assert numbers == [["1", "0", "0"], ["2", "1", "2"]]
    assert "27 November 2026" in page
    assert "version 1.2" in page


def lines_told(part: str) -> list[str]:
    """The numbers behind the link to a note."""
    return re.findall(r"\d+", part.partition("</a>")[2].partition("<")[0])


def test_what_was_missed_is_told_with_what_was_expected_and_what_came_instead() -> None:
    page = page_of(
        asked(RIGHT),
        asked(WRONG, RIGHT, after="What is Bread?", kind="follow-up", lines=(3, 7)),
        asked(kind="title", lines=(1, 8), denied=True),
        asked(kind="alias", error="The question holds broken Unicode."),
    )
    missed = page.split("<li>")[1:]
    denied, refused, follow_up = missed
    assert "Bread.md</a>" in denied
    assert lines_told(denied) == []  # any line of the note is right
    assert "The question holds broken Unicode." in refused
    assert "“What is Bread?”" in follow_up
    (about,) = re.findall(r"<small>(.*?)</small>", follow_up)
    assert len(about.split("; ")) == 3  # its kind, after what, and that the line came later
    expected, first = follow_up.split("<dd>")[1:]
    assert "Bread.md</a>" in expected
    assert "<br>knead &amp; fold" in expected
    assert "Cakes &amp; co.md</a>" in first
    assert (lines_told(expected), lines_told(first)) == (["3", "7"], ["2", "3"])


def test_nothing_in_a_note_acts_and_nothing_is_loaded() -> None:
    page = page_of(asked(WRONG, q=HOSTILE, after=HOSTILE, kind="follow-up"))
    assert not re.search(r"<script|<b |<link|<img|@import|url\(", page)
    assert page.count("</style>") == 1
    assert set(re.findall(r'(?:src|href)="([a-z]+:)', page)) == {"obsidian:"}
    assert "default-src 'none'" in page
    assert "my &lt;vault&gt;" in page


def test_no_miss_a_stop_and_what_the_index_lacked_are_said() -> None:
    stopped = replace(RUN, made=30)
    page = page_of(asked(RIGHT), run=stopped, lacking=["semantic: It did not answer."])
    assert "<p>semantic: It did not answer.</p>" in page
    assert "<li>" not in page
    assert re.search(r"\b26\b", page)  # were left when it stopped
