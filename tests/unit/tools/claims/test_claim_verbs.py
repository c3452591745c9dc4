"""Which plain sentences are claims: by a verb, by where a noun stands, or as advice."""

import pytest

from tools.claims.assertions import extract_claims


def claims(text: str) -> list[str]:
    found = extract_claims(text, line_start=1, note_path="n.md", note_title="n")
    return [claim.text for claim in found]


@pytest.mark.parametrize(
    "text",
    [
        "Ada rents the flat.",
        "Hugo lives in Lisbon.",
        "The train leaves at 08:40.",
        "The cat sleeps in the kitchen.",
        "Two families rented the flat.",
        "The meeting room seats 14 people.",
        "The trains leave daily.",
        "Never soak lentils overnight.",
        "Don't water the cactus in winter.",
        "Water the fern twice a week.",
        "Depozito iki kira.",
        "Garanti beş yıl geçerli.",
    ],
)
def test_a_plain_sentence_is_a_claim(text: str) -> None:
    assert claims(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The rents of the flats",
        "The lives of others",
        "Interest rates",
        "Autumn leaves",
        "Water the fern",
        "Don't forget the seeds.",
        "Elma ve armut.",
    ],
)
def test_a_noun_in_the_plural_or_a_reminder_is_none(text: str) -> None:
    assert claims(text) == []


def test_a_short_sentence_among_turkish_ones_is_turkish() -> None:
    text = "Evin kapısı yeşil boyandı.\nBahçe de büyük. Maria cevize alerjik."
    assert "Maria cevize alerjik." in claims(text)
