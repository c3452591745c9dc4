"""Blocks of found notes, ordered by what they and their neighbours say."""

from hypothesis import given
from hypothesis import strategies as st

from evals.retrieval.block_ranking import NoteBlock, block_scores


def blocks(*texts: str, note: str = "a.md", score: float = 0.5) -> list[NoteBlock]:
    return [NoteBlock(note_path=note, note_score=score, text=text) for text in texts]


def best(found: list[NoteBlock], *words: str) -> str:
    scores = block_scores(found, words)
    return found[scores.index(max(scores))].text


def test_the_block_with_the_words_leads() -> None:
    found = blocks("We met on Monday.", "The basil died of frost.", "Then we had soup.")
    assert best(found, "basil", "frost") == "The basil died of frost."


def test_inflected_words_count() -> None:
    assert best(blocks("He cooks.", "She was painting."), "painted") == "She was painting."


def test_a_reply_is_found_by_the_words_of_its_question() -> None:
    found = blocks("Fine weather.", "Where did you buy the kayak?", "In Bergen.", "Nice.", "Yes.")
    scores = block_scores(found, ["kayak", "buy"])
    assert scores[2] > scores[0] > scores[4]


def test_neighbours_end_with_their_note() -> None:
    found = [*blocks("The kayak is red."), *blocks("Soup.", "Bread.", note="b.md")]
    scores = block_scores(found, ["kayak"])
    assert scores[1] == scores[2]


def test_of_equal_blocks_the_better_note_leads() -> None:
    low, high = blocks("Tea.", score=0.2), blocks("Tea.", note="b.md", score=0.6)
    first, second = block_scores([*low, *high], ["tea"])
    assert second > first


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.text(max_size=40), st.floats(0, 1)), max_size=12),
    st.lists(st.text(max_size=8), max_size=5),
)
def test_scores_are_shares(found: list[tuple[str, str, float]], words: list[str]) -> None:
    given_blocks = [
        NoteBlock(note_path=note, note_score=score, text=text) for note, text, score in found
    ]
    scores = block_scores(given_blocks, words)
    assert len(scores) == len(given_blocks)
    assert all(0.0 <= score <= 1.0 for score in scores)
