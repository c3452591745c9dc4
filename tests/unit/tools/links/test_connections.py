"""Which notes of a vault are linked the least, and which the most."""

from tools.base.domain import most_connected
from tools.links.connections import connections, least_connected
from tools.vault.catalog.link_graph import link_graph

GRAPH = link_graph([("a", "b"), ("b", "a"), ("a", "c"), ("d", "a"), ("c", "gone")])
TITLES = {"d": "D", "c": "C", "b": "B", "a": "A", "alone": "Alone"}


def test_a_note_at_the_other_end_of_several_links_counts_once() -> None:
    [first] = [one for one in connections(GRAPH, TITLES) if one.path == "a"]
    assert (first.title, first.links_out, first.links_in, first.neighbours) == ("A", 2, 2, 3)


def test_the_least_connected_come_first_and_then_by_path() -> None:
    ranked = least_connected(GRAPH, TITLES)
    assert [one.path for one in ranked] == ["alone", "b", "d", "c", "a"]
    assert ranked == least_connected(GRAPH, dict(sorted(TITLES.items())))


def test_the_most_connected_have_a_link() -> None:
    ranked = most_connected(connections(GRAPH, TITLES))
    assert [one.path for one in ranked] == ["a", "c", "b", "d"]
