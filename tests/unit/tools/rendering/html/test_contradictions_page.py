"""The page of what a vault contradicts itself in."""

import re
from datetime import UTC, datetime

from tests.support.values.results import a_contradiction, a_side
from tools.claims.report import FoundConflict, key_of
from tools.rendering.html.contradictions_page import contradictions_page

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def page(one: str, other: str) -> str:
    clash = a_contradiction(a_side("a.md", claim=one), a_side("b.md", claim=other))
    found = FoundConflict(key=key_of(clash), clash=clash, sure=True, found_at=NOW, new=True)
    return contradictions_page([found], vault="Home")


def test_the_words_that_clash_are_marked_on_both_sides() -> None:
    shown = page("The tank holds 40 litres.", "The tank holds 60 litres.")
    assert "The tank holds <mark>40</mark> litres." in shown
    assert "The tank holds <mark>60</mark> litres." in shown
    assert re.search(r"<p>1\b[^<]*\b0\b[^<]*</p>", shown)  # contradictions and changes


def test_what_notes_say_is_text_and_never_markup() -> None:
    shown = page("<script>alert(1)</script> is on.", "Pressure < 3 bar & off.")
    assert "<script" not in shown
    plain = shown.replace("<mark>", "").replace("</mark>", "")
    assert "Pressure &lt; 3 bar &amp; off." in plain


def test_nothing_found_says_so() -> None:
    shown = contradictions_page([], vault="Home")
    assert "<blockquote>" not in shown
    assert shown.count("<li>") == 1
