"""One ranking of what several ways found."""

from hypothesis import given
from hypothesis import strategies as st

from tools.graph.anchors import WEIGHTS, fused

rankings = st.lists(
    st.tuples(st.sampled_from(sorted(WEIGHTS)), st.lists(st.sampled_from("abcdef"), unique=True)),
    unique_by=lambda ranking: ranking[0],
)


def test_what_the_question_names_comes_before_what_searches_find() -> None:
    found = fused([("exact", ["b"]), ("vector", ["a", "c"]), ("text", ["a"])], limit=2)
    assert [(item, kind) for item, kind, _ in found] == [("b", "exact"), ("a", "vector")]


@given(rankings)
def test_every_item_is_given_once_best_first_with_a_score_up_to_one(
    given_rankings: list[tuple[str, list[str]]],
) -> None:
    found = fused(given_rankings, limit=6)
    items = [item for item, _, _ in found]
    scores = [score for _, _, score in found]
    assert set(items) == {item for _, ranked in given_rankings for item in ranked}
    assert len(set(items)) == len(items)
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
