"""Which notes belong together by their links."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tools.links.communities import communities

CLIQUES = [*combinations(range(6), 2), *combinations(range(6, 10), 2), (5, 6)]


def test_notes_linked_among_themselves_belong_together_the_most_first() -> None:
    assert communities(11, CLIQUES) == [0] * 6 + [1] * 4 + [2]


def test_which_way_and_how_often_a_link_goes_changes_nothing() -> None:
    turned = [(other, one) for one, other in reversed(CLIQUES)] + CLIQUES
    assert communities(11, turned) == communities(11, CLIQUES)


@given(st.integers(0, 12), st.data())
def test_each_note_is_in_one_with_others_only_by_links(count: int, data: st.DataObject) -> None:
    ends = st.integers(0, max(count - 1, 0))
    pairs = data.draw(st.lists(st.tuples(ends, ends), max_size=30)) if count else []
    found = communities(count, pairs)
    sizes = [found.count(number) for number in range(len(set(found)))]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == count
    linked = {frozenset(pair) for pair in pairs if len(set(pair)) == 2}
    for number, size in enumerate(sizes):
        members = {node for node in range(count) if found[node] == number}
        assert size == 1 or all(any(node in pair & members for pair in linked) for node in members)
