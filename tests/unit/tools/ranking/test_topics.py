"""Which of some notes are on a topic: what is seen of each beside the others."""

from hypothesis import given
from hypothesis import strategies as st

from tools.ranking.topics import Seen, on_topic

SHARE = st.floats(0.0, 1.0)
SEEN = st.builds(Seen, similar=SHARE, said=SHARE, headed=SHARE)


def test_a_note_with_the_topic_in_its_heading_is_on_it_and_one_without_its_words_is_not() -> None:
    seen = {
        "bees.md": Seen(similar=0.9, said=1.0, headed=1.0),
        "wasps.md": Seen(similar=0.3, said=0.0, headed=0.0),
    }
    assert on_topic(seen) == {"bees.md"}


def test_a_note_in_other_words_is_on_the_topic_where_none_has_the_words() -> None:
    seen = {
        "hives.md": Seen(similar=0.8, said=0.0, headed=0.0),
        "roof.md": Seen(similar=0.02, said=0.0, headed=0.0),
    }
    assert on_topic(seen) == {"hives.md"}


def test_of_no_notes_none_is_on_a_topic() -> None:
    assert on_topic({}) == set()


@given(one=SEEN, other=SEEN)
def test_what_says_more_of_a_topic_is_on_it_before_what_says_less(one: Seen, other: Seen) -> None:
    more = Seen(*map(max, one, other))
    found = on_topic({"more": more, "less": one})
    assert "more" in found or "less" not in found
