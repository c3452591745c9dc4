"""The type of a link is told by how both notes are written and what they mean."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from agents.linker.relation import RELATIONS, likeliest
from tools.links.excerpt_features import Excerpt
from tools.semantic import minilm
from tools.semantic.encoder import E5Encoder, Encoder, MiniLmEncoder

DIMENSIONS = 384


def excerpt(title: str, text: str) -> Excerpt:
    return Excerpt(title=title, text=text, vector=np.eye(1, DIMENSIONS)[0])


RULE = excerpt(
    "Whatever is measured gets gamed",
    "Any measure that people are rewarded for is gamed. It is always so, in schools and shops.",
)
CASE = excerpt(
    "Nails in Omsk, 1957",
    "In 1957 the plant in Omsk was paid by the ton. It made 300 nails of a kilo each, and Petrov "
    "sold none of them.",
)


def encoded(excerpt: Excerpt, encoder: Encoder) -> Excerpt:
    (vector,) = encoder.encode([f"{excerpt.title}\n{excerpt.text}"]).astype(np.float64)
    return replace(excerpt, vector=vector)


@pytest.mark.parametrize("encoder", [MiniLmEncoder, E5Encoder])
def test_a_rule_generalizes_its_case_and_the_case_specializes_it(
    encoder: Callable[[], Encoder],
) -> None:
    used = encoder()
    rule, case = encoded(RULE, used), encoded(CASE, used)
    found = likeliest([(rule, case), (case, rule)], encoder=used.name)
    assert found is not None
    assert [one.type for one in found] == ["generalizes", "specializes"]
    assert all(1 / len(RELATIONS) < one.probability <= 1.0 for one in found)


def test_a_note_longer_than_any_learned_is_no_surer_than_the_features_allow() -> None:
    line = "- 12 May 2020: we ran 5 km, then 7 km.\n"
    pairs = [(excerpt("Log", line * count), RULE) for count in (2_000, 20_000)]
    found = likeliest(pairs, encoder=minilm.NAME)
    assert found is not None
    long, endless = found
    assert endless.type == long.type
    assert endless.probability == pytest.approx(long.probability, abs=1e-3)


def test_empty_excerpts_have_a_type_too_and_no_pair_has_none() -> None:
    empty = excerpt("", "")
    assert likeliest([], encoder=minilm.NAME) == []
    found = likeliest([(empty, empty)], encoder=minilm.NAME)
    assert found is not None
    assert found[0].type in RELATIONS


def test_nothing_is_told_of_vectors_of_an_unknown_encoder() -> None:
    assert likeliest([(RULE, CASE)], encoder="another") is None
