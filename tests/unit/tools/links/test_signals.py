"""What speaks for a link, as numbers."""

import math
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.links.signals import FEATURES, GRADED, Signals, features, linked_signals
from tools.vault.catalog.link_graph import link_graph

PATHS = ["a.md", "b.md", "c.md"]
GRAPH = link_graph([("s.md", "n.md"), ("a.md", "n.md"), ("b.md", "s.md"), ("x.md", "c.md")])


def test_links_tell_who_links_back_who_shares_a_neighbour_and_who_is_linked_often() -> None:
    found = linked_signals(GRAPH, "s.md", {"x.md": 0.5})
    assert found.links_back == {"b.md": 1.0}
    assert found.similar_link == {"c.md": 0.5}
    # n.md has two neighbours, s.md itself and a.md.
    assert math.isclose(found.shared_neighbours["a.md"], 1 / math.log(4))
    assert found.links_in["n.md"] == 2.0


def test_a_candidate_without_a_signal_has_nothing_of_it() -> None:
    signals = Signals(meaning={"a.md": 0.9, "b.md": 0.3}, mentions={"c.md": 4.0})
    table = features(signals, PATHS)
    column = dict(zip(FEATURES, table.T.tolist(), strict=True))
    assert column["mentions"] == [0.0, 0.0, math.log1p(4.0)]
    assert column["meaning rank"] == [1 / 3, 1 / 4, 0.0]
    assert not np.any(table[:, [FEATURES.index("words"), FEATURES.index("links_in")]])


@given(
    name=st.sampled_from(GRADED),
    values=st.lists(st.floats(0.001, 100.0), min_size=3, max_size=3, unique=True),
)
def test_more_of_a_signal_is_never_less_of_its_features(name: str, values: list[float]) -> None:
    signals = replace(Signals(), **{name: dict(zip(PATHS, values, strict=True))})
    table = features(signals, PATHS)
    for column in table.T:
        order = np.argsort(values)
        assert np.all(np.diff(column[order]) >= 0)


def test_no_candidates_have_no_features() -> None:
    assert features(Signals(), []).shape == (0, len(FEATURES))
