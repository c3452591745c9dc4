"""Sums over links against the same sums written out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.vault.catalog.link_graph import LinkGraph, link_graph
from tools.vault.catalog.link_walks import link_walks

NOTES = "abcdef"
LINKS = st.sets(
    st.tuples(st.sampled_from(NOTES), st.sampled_from(NOTES)).filter(lambda one: one[0] != one[1])
)
STARTS = st.dictionaries(st.sampled_from(f"{NOTES}xyz"), st.floats(0.1, 5.0), min_size=1)


@given(links=LINKS, starts=STARTS)
def test_a_walk_takes_any_link_of_a_note_and_begins_anew(
    links: set[tuple[str, str]], starts: dict[str, float]
) -> None:
    graph = link_graph(links)
    total = sum(starts.values())
    seed = {path: weight / total for path, weight in starts.items()}
    at = seed
    for _ in range(2):
        after = {path: 0.4 * share for path, share in seed.items()}
        for path, share in at.items():
            around = graph.neighbours(path)
            for other in around:
                after[other] = after.get(other, 0.0) + 0.6 * share / len(around)
        at = after
    assert link_walks(graph).reached(starts) == pytest.approx(at)


@given(links=LINKS, note=st.sampled_from(f"{NOTES}x"))
def test_notes_linked_to_beside_the_own_targets_are_linked_together(
    links: set[tuple[str, str]], note: str
) -> None:
    graph = link_graph(links)
    assert link_walks(graph).linked_together(note) == pytest.approx(written_out(graph, note))


def written_out(graph: LinkGraph, note: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for own in graph.targets(note):
        for source in graph.sources(own) - {note}:
            others = graph.targets(source)
            for other in others:
                both = len(graph.sources(own)) * len(graph.sources(other))
                found[other] = found.get(other, 0.0) + 1 / (len(others) * math.sqrt(both))
    return found


def test_a_vault_without_links_leads_nowhere() -> None:
    walks = link_walks(link_graph([]))
    assert walks.reached({"a.md": 2.0}) == {"a.md": pytest.approx(0.4)}
    assert walks.linked_together("a.md") == {}
