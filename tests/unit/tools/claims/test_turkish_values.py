"""Turkish values in their forms, and short texts that are not Turkish."""

import pytest

from tools.claims.meanings import turkish_value
from tools.text.language import is_turkish
from tools.text.normalize import fold


@pytest.mark.parametrize(
    "text",
    [
        "Coffee disturbs sleep.",
        "Ben likes tea.",
        "Eleven sisters hug.",
        "Dark roasts taste bitter.",
        "Franz Kafka",
        "Cats dislike water.",
        "mountain bike",
        "buy milk",
        "okay maybe",
        "alarm siren",
        "insulin dosage",
        "sudoku puzzle",
        "yoga mat",
        "makes yarn",
        "la casa del sol",
    ],
)
def test_a_short_text_of_another_language_is_not(text: str) -> None:
    assert not is_turkish(text)


@pytest.mark.parametrize(
    ("word", "value"), [("kuzeyinde", "kuzey"), ("batisinda", "bati"), ("mavidir", "mavi")]
)
def test_a_turkish_value_is_known_in_its_forms(word: str, value: str) -> None:
    assert turkish_value(word) == value


@pytest.mark.parametrize("word", ["dogum", "kisa", "maviden-yesile", "sarildi", "araba"])
def test_other_turkish_words_are_no_form_of_a_value_they_begin_with(word: str) -> None:
    assert turkish_value(word) in (None, word)


@pytest.mark.parametrize(
    "word",
    [
        "kişi",
        "altı",
        "altın",
        "içti",
        "sağladı",
        "yazdı",
        "yazı",
        "cami",
        "taşıdı",
        "dişi",
        "soldu",
        "geçti",
        "temizledi",
        "açıklar",
        "yeniden",
        "doğrudan",
        "sığdır",
    ],
)
@pytest.mark.parametrize("spelled", [True, False])
def test_a_word_that_only_begins_like_a_value_is_none(word: str, *, spelled: bool) -> None:
    assert turkish_value(word if spelled else fold(word), spelled=spelled) is None


@pytest.mark.parametrize(
    ("word", "value"),
    [("KIŞIN", "kis"), ("İçinde", "ic"), ("açıktı", "acik"), ("cumaları", "cuma"), ("diş", None)],
)
def test_where_a_text_has_turkish_letters_they_count(word: str, value: str | None) -> None:
    assert turkish_value(word, spelled=True) == value
