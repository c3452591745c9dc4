"""Numbers of things in words, and lists that are cut."""

import pytest

from tools.rendering.problems import some_of
from tools.text.voice import counted


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 notes"), (1, "1 note"), (2, "2 notes"), (1500, "1,500 notes")]
)
def test_a_noun_follows_its_number(count: int, said: str) -> None:
    assert counted(count, "note") == said


@pytest.mark.parametrize(("count", "said"), [(1, "1 note is"), (3, "3 notes are")])
def test_a_verb_does_too(count: int, said: str) -> None:
    assert counted(count, "note is", "notes are") == said


def test_what_is_not_named_is_counted() -> None:
    assert some_of(["a.md", "b.md", "c.md"], most=3) == "a.md, b.md, c.md"
    assert some_of(["a.md", "b.md", "c.md"], most=2) == "a.md, b.md and 1 more"
    assert some_of(["a.md", "b.md"], most=2, of=7) == "a.md, b.md and 5 more"
    assert some_of(["a.md"], most=2, of=1) == "a.md"
