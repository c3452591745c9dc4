"""What speaks for a link, as numbers."""

import math
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.links.signals import (
    FEATURES,
    GRADED,
    Signals,
    features,
    linked_signals,
    links_of_similar,
)
from tools.vault.catalog.link_graph import link_graph
from tools.vault.catalog.link_walks import link_walks

PATHS = ["a.md", "b.md", "c.md"]
GRAPH = link_graph([("s.md", "n.md"), ("a.md", "n.md"), ("b.md", "s.md"), ("x.md", "c.md")])


def test_what_links_lead_to_from_the_note_and_from_those_like_it_is_reached() -> None:
    walks = link_walks(GRAPH)
    alone = linked_signals(walks, "s.md", {})
    assert set(alone.candidates) == {"a.md", "b.md", "n.md"}
    found = linked_signals(walks, "s.md", {"x.md": 0.9, "y.md": 0.3, "z.md": -0.5})
    assert found.reached["x.md"] > found.reached["c.md"] > found.reached["y.md"] > 0.0
    assert "s.md" not in found.reached
    assert "z.md" not in found.reached


def test_passages_that_are_near_speak_for_what_they_link_to() -> None:
    found = links_of_similar([(0.9, ["a.md", "b.md"]), (0.9, ["a.md"]), (-0.4, ["c.md"])])
    assert found["a.md"] == 2 * found["b.md"] > 0.0
    assert found["c.md"] == 0.0


def test_a_candidate_without_a_signal_has_nothing_of_it() -> None:
    signals = Signals(meaning={"a.md": 0.9, "b.md": 0.3}, mentions={"c.md": 4.0})
    table = features(signals, PATHS)
    column = dict(zip(FEATURES, table.T.tolist(), strict=True))
    assert column["mentions"] == [0.0, 0.0, math.log1p(4.0)]
    assert column["meaning rank"] == [1 / 3, 1 / 4, 0.0]
    assert not np.any(table[:, [FEATURES.index("words"), FEATURES.index("links_in")]])


def test_what_a_note_is_itself_makes_it_no_candidate() -> None:
    signals = Signals(words={"b.md": 1.0}, links_in={"a.md": 9.0}, passages={"c.md": 9.0})
    assert signals.candidates == ["b.md"]


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
