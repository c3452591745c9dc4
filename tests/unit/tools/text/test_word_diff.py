"""Which words of two texts the other does not have in the same place."""

from hypothesis import given
from hypothesis import strategies as st

from tools.text.word_diff import differing_words

TEXTS = st.text(alphabet="abc İı.,'’-: 12", max_size=60)


def said(a: str, b: str) -> tuple[list[str], list[str]]:
    one, other = differing_words(a, b)
    return [a[slice(*own)] for own in one], [b[slice(*own)] for own in other]


def test_neighbouring_words_are_one_range_and_case_does_not_count() -> None:
    a, b = "Daily watering helps the olive tree.", "daily watering kills any Olive tree"
    assert said(a, b) == (["helps the"], ["kills any"])


def test_a_word_more_is_marked_on_its_side_only() -> None:
    assert said("The tank is full.", "The tank is not full.") == ([], ["not"])


@given(TEXTS, TEXTS)
def test_ranges_lie_in_their_text_in_order_and_none_are_in_equal_texts(a: str, b: str) -> None:
    for text, ranges in zip((a, b), differing_words(a, b), strict=True):
        ends = [end for own in ranges for end in own]
        assert ends == sorted(ends)
        assert all(0 <= end <= len(text) for end in ends)
    assert differing_words(a, a) == ([], [])
