"""What may come in: each guard lets honest input through and refuses the rest in one line."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base import guards
from tools.base.errors import InputError


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    assert message
    assert "\n" not in message
    return message


# --- question ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_text", "clean"),
    [
        ("  What is\n\tZettelkasten? ", "What is Zettelkasten?"),
        ("Cafe\u0301 notes", "Café notes"),
        ("İkinci beyin nedir?", "İkinci beyin nedir?"),
        ("a\u2028b\u0085c", "a b c"),
    ],
)
def test_a_question_is_normalised(given_text: str, clean: str) -> None:
    assert guards.question(given_text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "Why does python=3 fail in my environment file?",
        "on x = 5 what is y?",
        "What does once = 3 mean?",
        "Is on time = on budget?",
        "What is JavaScript: The Good Parts about?",
        "What is a function (in mathematics)?",
        "What new function does the release bring?",
        "How do I evaluate (roughly) a note?",
        "Does x < y imply y > x?",
        "What is the onset = start of a disease?",
        "C:\\temp or /tmp?",
        "'; DROP TABLE notes; --",
        "MATCH (n) DETACH DELETE n",
        "What does {{title}} do in a template?",
        "x" * guards.MAX_QUESTION,
    ],
)
def test_honest_questions_pass_unchanged(text: str) -> None:
    assert guards.question(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "x" * (guards.MAX_QUESTION + 1),
        "bell \x07",
        "null \x00 byte",
        "escape \x1b[31m",
        "c1 \x9b31m",
        "half \ud83d pair",
        "<script>alert(1)</script>",
        "< SCRIPT src=x>",
        "JavaScript:alert(1)",
        "javascript :alert(1)",
        "javascript: alert(1)",
        "<img src=x onerror=alert(1)>",
        "<div onfoo = 1>",
        "onclick=steal()",
        'x" ONLOAD ="run()',
        "<iframe src=//evil>",
        "eval(1)",
        "EVAL (x)",
        "new Function('x')",
    ],
)
def test_what_is_no_question_is_refused(text: str) -> None:
    message = refused(lambda: guards.question(text))
    assert len(message) < 200
    assert "<" not in message or "<script>" in message or "<iframe>" in message


def test_a_long_question_learns_how_long_it_is() -> None:
    assert "2001" in refused(lambda: guards.question("é" * 2001))


@given(st.text(max_size=2200))
def test_a_question_that_passes_is_clean_and_passes_again(text: str) -> None:
    try:
        clean = guards.question(text)
    except InputError:
        return
    assert 0 < len(clean) <= guards.MAX_QUESTION
    assert clean == unicodedata.normalize("NFC", clean).strip()
    assert "  " not in clean
    assert guards.question(clean) == clean


# --- concept, threshold, limit, thread id --------------------------------------------------


def test_a_concept_keeps_its_words_and_loses_what_is_unsafe() -> None:
    assert guards.concept("  atomic <notes> {x} [[y]] (z) \\ / ") == "atomic notes x y z"
    assert guards.concept("Luhmann's C++ & R&D, 50%") == "Luhmann's C++ & R&D, 50%"


@given(st.text(max_size=300))
def test_a_concept_is_short_and_holds_nothing_unsafe(text: str) -> None:
    clean = guards.concept(text)
    assert len(clean) <= guards.MAX_CONCEPT
    assert not set(clean) & set('<>{}()[]\\/`"$;|\x00\x1b\u202e')
    assert guards.concept(clean) == clean


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, 1])
def test_a_threshold_in_range_passes(value: float) -> None:
    assert guards.threshold(value) == value


@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf"), True])
def test_a_threshold_out_of_range_is_refused(value: float) -> None:
    refused(lambda: guards.threshold(value))


@pytest.mark.parametrize("value", [1, 50, 100])
def test_a_limit_in_range_passes(value: int) -> None:
    assert guards.limit(value) == value


@pytest.mark.parametrize("value", [0, -1, 101, 10**9, True])
def test_a_limit_out_of_range_is_refused(value: int) -> None:
    refused(lambda: guards.limit(value))


@pytest.mark.parametrize("text", ["a", "3f2b-1", "chat_2024.05", "A" * 64])
def test_a_thread_id_of_ours_passes(text: str) -> None:
    assert guards.thread_id(text) == text


@pytest.mark.parametrize(
    "text", ["", "a b", "../x", "a/b", "a..b", "-a", "a-", "A" * 65, "é", "a\n", "a'--", ".hidden"]
)
def test_another_thread_id_is_refused(text: str) -> None:
    refused(lambda: guards.thread_id(text))


# --- terminal text -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;https://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;c3RlYWw=\x07x", "x"),
        ("\x9b31mred", "red"),
        ("\x1bPq#0\x1b\\x", "x"),
        ("\x1b]0;never ended\nnext line", "\nnext line"),
        ("a\x08b\x7fc\x00d", "abcd"),
        ("one\r\ntwo\rthree", "one\ntwothree"),
        ("user\u202etxt.exe", "usertxt.exe"),
        ("\u2066x\u2069", "x"),
        ("half \ud83d", "half "),
        ("Türkçe 🙂 ok", "Türkçe 🙂 ok"),
        ("\x1b\x1b[31m[31mx", "[31mx"),
    ],
)
def test_terminal_text_keeps_words_and_drops_controls(text: str, clean: str) -> None:
    assert guards.terminal_text(text) == clean


@given(
    st.text(
        alphabet=st.sampled_from("\x1b[]0;31mPX\\\x07\x9b\x9d\x9c\x00\r\nab\u202e"), max_size=40
    )
)
def test_terminal_text_never_holds_a_control_and_is_stable(text: str) -> None:
    clean = guards.terminal_text(text)
    assert all(char in "\n\t" or char.isprintable() for char in clean)
    assert guards.terminal_text(clean) == clean
