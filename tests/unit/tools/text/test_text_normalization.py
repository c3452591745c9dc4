import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.text.normalize import flatten, fold, fold_name


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
        ("Ada’s", "ada's"),
    ],
)
def test_spellings_of_one_word_fold_to_the_same(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_a_name_is_folded_without_its_ending_and_extra_space() -> None:
    assert fold_name("  Atomic   Notes.md ") == "atomic notes"


@given(st.text())
def test_flattening_keeps_the_length(text: str) -> None:
    assert len(flatten(text)) == len(text)


# The small form of a capital sigma depends on where in a word it stands.
@given(st.text(st.characters(exclude_characters="Σ")))
def test_flattening_keeps_every_character_in_its_place(text: str) -> None:
    assert flatten(text) == "".join(flatten(char) for char in text)


@pytest.mark.parametrize(
    ("written", "flat"),
    [("IĞDIR’da", "igdir'da"), ("İstanbul", "istanbul"), ("Café", "café"), ("Straße", "straße")],
)
def test_flattening_changes_case_and_turkish_letters_only(written: str, flat: str) -> None:
    assert flatten(written) == flat
