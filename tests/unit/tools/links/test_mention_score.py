"""Whether a mention means its note: everyday words do not, names do."""

import pytest

from tools.links.mention_score import THRESHOLD, Usage, mention_probability
from tools.links.mentions import Mention


def probability(words: str, *, saying: int = 5, linking: int = 3) -> float:
    mention = Mention(path="a.md", name=words, words=words, line=1, start=0, end=len(words))
    usage = Usage(notes=1000, saying=saying, linking=linking)
    return mention_probability(mention, usage)


@pytest.mark.parametrize("words", ["CRDT", "PDP-10", "spaced repetition", "metasyntactic variable"])
def test_names_are_sure(words: str) -> None:
    assert probability(words) >= THRESHOLD


@pytest.mark.parametrize("words", ["time", "Home", "read", "set", "other", "first"])
def test_everyday_words_are_not(words: str) -> None:
    assert probability(words, saying=300) < 0.5


def test_the_more_notes_link_to_it_the_surer() -> None:
    assert probability("gossip", linking=40) > probability("gossip", linking=1)
    assert probability("gossip", saying=5) > probability("gossip", saying=500)
