import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.folding import fold, fold_name


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("IĞDIR", "igdir"),
        ("Iğdır", "igdir"),
        ("ığdır", "igdir"),
        ("İstanbul", "istanbul"),
        ("Café", "cafe"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("plain", "plain"),
    ],
)
def test_spellings_of_one_word_fold_to_the_same(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_a_name_is_folded_without_its_ending_and_extra_space() -> None:
    assert fold_name("  Atomic   Notes.md ") == "atomic notes"
