"""How each word of a claim stands to those of another."""

from hypothesis import given
from hypothesis import strategies as st

from tools.claims.word_marks import MARKS, word_marks

TEXTS = st.text(alphabet="abc dog cat İı.,'’-: 12", max_size=60)


def marked(a: str, b: str) -> tuple[dict[str, str], dict[str, str]]:
    one, other = word_marks(a, b)
    return (
        {a[word.start : word.end]: MARKS[word.mark] for word in one},
        {b[word.start : word.end]: MARKS[word.mark] for word in other},
    )


def test_words_that_both_have_and_those_of_a_kind_are_marked() -> None:
    a, b = marked("A man plays the violin.", "The boy played a cello in June.")
    assert a == {"A": "same", "man": "wider", "plays": "same", "the": "same", "violin": "sibling"}
    assert b["boy"] == "narrower"
    assert "June" not in b


def test_what_both_have_is_not_held_against_other_words() -> None:
    a, _ = marked("The red door and the blue door.", "The red door and the green door.")
    assert (a["red"], a["blue"]) == ("same", "sibling")


def test_turkish_words_are_marked_by_their_values() -> None:
    a, b = marked("Kapı kırmızı boyalı.", "Kapı maviye boyandı.")
    assert (a["Kapı"], a["kırmızı"], b["maviye"]) == ("same", "sibling", "sibling")


@given(TEXTS, TEXTS)
def test_marks_lie_on_words_in_order_and_equal_texts_are_the_same(a: str, b: str) -> None:
    for text, marks in zip((a, b), word_marks(a, b), strict=True):
        ends = [end for word in marks for end in (word.start, word.end)]
        assert ends == sorted(ends)
        assert all(text[word.start : word.end].strip() for word in marks)
    assert all(MARKS[word.mark] == "same" for word in word_marks(a, a)[0])
