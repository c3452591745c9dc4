"""Which circle a new link would close."""

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from tools.links.cycles import adjacency, circle, path_back

_NOTES = "abcde"
_EDGES = st.lists(st.sampled_from(list(product(_NOTES, ("supports",), _NOTES))), max_size=12)


def test_a_circle_is_named() -> None:
    known = adjacency([("a", "supports", "b"), ("b", "contradicts", "c")])
    assert circle(("c", "supports", "a"), known) == ["c", "a", "b", "c"]
    assert circle(("a", "supports", "c"), known) is None


def test_the_other_side_is_turned() -> None:
    known = adjacency([("b", "supported_by", "a"), ("c", "specializes", "b")])
    assert circle(("c", "supports", "a"), known) == ["c", "a", "b", "c"]
    assert circle(("a", "supported_by", "c"), known) == ["c", "a", "b", "c"]


def test_both_sides_of_one_link_are_no_circle() -> None:
    known = adjacency([("a", "generalizes", "b")])
    assert circle(("b", "specializes", "a"), known) is None
    assert circle(("a", "specializes", "b"), known) == ["b", "a", "b"]


def test_other_types_close_none() -> None:
    known = adjacency([("a", "elaborates", "b"), ("b", "mentions", "a")])
    assert circle(("b", "supports", "a"), known) is None
    assert circle(("b", "elaborates", "a"), adjacency([("a", "elaborates", "b")], {"elaborates"}))


@given(_EDGES, st.sampled_from(_NOTES), st.sampled_from(_NOTES))
def test_it_is_a_shortest_way_back(
    edges: list[tuple[str, str, str]], source: str, target: str
) -> None:
    steps = {(one, other) for one, _, other in edges}
    ways = (
        way
        for length in range(1, len(_NOTES) + 1)
        for way in product(_NOTES, repeat=length)
        if way[0] == target and way[-1] == source
        if all(step in steps for step in pairwise(way))
    )
    shortest = next(ways, None)
    found = path_back(source, target, adjacency(edges[::2]), adjacency(edges[1::2]))
    if shortest is None or found is None:
        assert found is shortest
    else:
        assert len(found) == len(shortest) + 1
        assert found[:2] == [source, target]
        assert all(step in steps for step in pairwise(found[1:]))
