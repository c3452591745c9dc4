"""How excerpts are written, and what two of them have in common, as numbers."""

import numpy as np

from tools.links.excerpt_features import Excerpt, pair_features, shared_features, style_features


def excerpt(text: str, title: str = "Note") -> Excerpt:
    return Excerpt(title=title, text=text, vector=np.array([1.0, 0.0]))


def test_a_curly_apostrophe_reads_as_a_straight_one() -> None:
    curly, straight = excerpt("I don’t think it’s so."), excerpt("I don't think it's so.")
    assert style_features(curly).tolist() == style_features(straight).tolist()


def test_a_word_that_is_denied_is_a_denial_and_itself() -> None:
    denied, able = style_features(excerpt("He can't go.")), style_features(excerpt("He can go."))
    assert not ((able > 0) & (denied == 0)).any()
    assert ((denied > 0) & (able == 0)).sum() == 2  # their share of the words, and that there are


def test_style_tells_a_list_of_numbers_from_a_thought() -> None:
    listed, thought = excerpt("- 12 May: 5 km\n- 13 May: 7 km"), excerpt("Running is a habit.")
    same, other = excerpt("- 14 May: 3 km\n- 15 May: 9 km"), excerpt("Walking is a habit.")
    assert np.array_equal(style_features(listed), style_features(same))
    near = np.abs(style_features(thought) - style_features(other)).sum()
    assert np.abs(style_features(listed) - style_features(thought)).sum() > 2 * near
    assert np.isfinite(style_features(excerpt(""))).all()


def test_the_earlier_year_is_told_with_its_sign() -> None:
    early, late = excerpt("Built in 1850."), excerpt("Torn down in 1990.")
    assert shared_features(early, late)[-1] == 1.0
    assert shared_features(late, early)[-1] == -1.0
    assert shared_features(early, excerpt("Torn down."))[-1] == 0.0


def test_pairs_end_with_their_vectors_and_the_distance_of_these() -> None:
    a = Excerpt(title="A", text="One.", vector=np.array([1.0, 0.0]))
    b = Excerpt(title="B", text="Two.", vector=np.array([0.6, 0.8]))
    row, turned = pair_features([(a, b), (b, a)])
    assert row[-6:].tolist() == [1.0, 0.0, 0.6, 0.8, 0.4, 0.8]
    assert turned[-6:].tolist() == [0.6, 0.8, 1.0, 0.0, 0.4, 0.8]
