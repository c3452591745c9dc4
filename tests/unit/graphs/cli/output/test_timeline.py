"""An evolution on a terminal of any width, without colour, and in a pipe."""

import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from graphs.cli.output import timeline
from tests.support.values.pictured import TITLES, an_evolution
from tools.base.domain import Event, Evolution, Occurrence
from tools.rendering.html.activity import density, remarks, summary

NOON = datetime(2024, 3, 12, 12, tzinfo=UTC)


def printed(
    evolution: Evolution, *, width: int = 100, terminal: bool = True, colour: bool = False
) -> str:
    out = io.StringIO()
    made = Console(
        file=out, force_terminal=terminal, width=width, no_color=not colour, highlight=False
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline, "console", lambda: made)
        timeline.show_evolution(evolution, vault="notes")
    return out.getvalue()


def plain(text: str) -> str:
    return re.sub(r"\x1b\]8;[^\x1b]*\x1b\\|\x1b\[[0-9;]*m", "", text)


def occurrence(title: str = "Basil", **event: object) -> Occurrence:
    values = {"timestamp": NOON, "kind": "modified", "detail": "", **event}
    return Occurrence(event=Event(**values), note_path=f"{title}.md", note_title=title)  # pyright: ignore[reportArgumentType]


def evolution(*occurrences: Occurrence) -> Evolution:
    return Evolution(concept="basil", occurrences=occurrences)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = plain(printed(an_evolution(), width=width)).splitlines()
    assert max(cell_len(line) for line in lines) <= width


def test_all_events_stand_under_their_months_in_order() -> None:
    made = an_evolution()
    lines = plain(printed(made, width=200)).splitlines()
    dates = [line[2:12] for line in lines if re.match(r"  \d{4}-", line)]
    assert dates == sorted(f"{one.event.timestamp:%Y-%m-%d}" for one in made.occurrences)
    assert any(re.fullmatch(r"[A-Z][a-z]+ 202\d", line) for line in lines)


def test_a_long_span_is_grouped_by_year() -> None:
    lines = plain(printed(an_evolution(days=3000))).splitlines()
    assert any(re.fullmatch(r"20\d\d", line) for line in lines)
    assert not any(re.fullmatch(r"[A-Z][a-z]+ 20\d\d", line) for line in lines)


def test_a_pipe_gets_one_line_an_event_and_no_escape() -> None:
    made = an_evolution(40)
    text = printed(made, terminal=False, width=60)
    assert "\x1b" not in text
    events = [line for line in text.splitlines() if re.match(r"  \d{4}-", line)]
    assert len(events) == len(made.occurrences)
    assert any(TITLES[1] in line for line in events)


def test_a_change_shows_what_was_removed_and_added_and_how_much_more() -> None:
    changed = occurrence(
        removed=("It is dry.",), added=("One.", "Two.", "Three.", "Four.", "Five.")
    )
    text = plain(printed(evolution(changed)))
    assert re.search(r"^ +− It is dry\.$", text, re.MULTILINE)
    assert [line.strip() for line in text.splitlines() if "+ " in line] == [
        "+ One.", "+ Two.", "+ Three.", "+ and 2 more",
    ]  # fmt: skip


def test_a_long_sentence_is_cut_at_three_lines_and_says_so() -> None:
    text = plain(printed(evolution(occurrence(added=("word " * 200,))), width=60))
    sentence = text[text.index("+ ") :].rstrip().splitlines()
    assert len(sentence) == 3
    assert sentence[-1].endswith(" …")


def test_what_a_title_or_sentence_holds_is_neither_markup_nor_an_escape() -> None:
    hostile = "[red]x[/red] \x1b[31m\x1b]0;t\x07 [link=a]b[/link] \u202e"
    text = printed(evolution(occurrence(hostile, added=(hostile,), detail=hostile)), terminal=False)
    assert text.count("[red]x[/red]") == 3
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_title_opens_the_note_on_a_terminal() -> None:
    text = printed(evolution(occurrence("Sweet Basil")), colour=True)
    assert "obsidian://open?vault=notes&file=Sweet%20Basil" in text


@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from([60, 80, 200]))
def test_any_text_keeps_to_its_lines(title: str, sentence: str, width: int) -> None:
    made = occurrence(title, added=(sentence,), detail=sentence)
    lines = plain(printed(evolution(made), width=width)).splitlines()
    assert all(cell_len(line) <= width for line in lines)


def test_nothing_dated_is_said_in_a_line() -> None:
    assert printed(evolution(), terminal=False) == "basil\nNothing is dated about this.\n"


@given(
    st.lists(st.datetimes(timezones=st.just(UTC)), max_size=40),
    st.integers(1, 120),
)
def test_the_strip_is_as_wide_as_asked_and_marks_both_ends(
    moments: list[datetime], width: int
) -> None:
    bars = density(moments, width=width)
    if len(set(moments)) < 2:
        assert bars == ""
    else:
        assert len(bars) == width
        assert bars[0] != " "
        assert bars[-1] != " "
        assert "█" in bars
        assert sum(bar != " " for bar in bars) <= len(moments)


def test_the_summary_counts_events_and_notes() -> None:
    one = occurrence(kind="created")
    other = occurrence(kind="linked", timestamp=NOON + timedelta(days=40))
    assert summary(evolution(one)) == "1 event in 1 note, on 2024-03-12"
    assert summary(evolution(one, other)) == "2 events in 1 note, from 2024-03-12 to 2024-04-21"


def test_what_was_known_only_later_says_since_when() -> None:
    later = NOON + timedelta(days=9)
    assert remarks(occurrence(known_at=later, line=4, detail="x").event) == (
        "x · line 4 · known since 2024-03-21"
    )
    assert remarks(occurrence(known_at=NOON + timedelta(hours=2)).event) == ""
