"""Links to notes whose names brackets cannot have, as our parser reads them."""

import pytest

from tools.base.errors import InputError
from tools.text.normalize import fold_name
from tools.vault.editing.insertions import inserted
from tools.vault.editing.places import (
    AroundMention,
    AsField,
    InFrontmatter,
    InSection,
    NewLink,
    Place,
    insertions,
)
from tools.vault.editing.reread import read_as
from tools.vault.notes.links import resolver

OTHERS = [
    "C#.md", "[draft] x.md", "a|b.md", "x^2.md", "deep/er/50% (of) #all _one_.md", "Ça #1.md",
    "a::b]].md", "`code` <b> #tag.md", "\\#.md",
]  # fmt: skip
RAW = b"# Own\r\n\r\nThe words stand here.\r\n\r\n| a | b |\r\n|---|---|\r\n| cell | x |\r\n"
PLACES = [
    InSection(),
    AsField(),
    AroundMention(line=3, start=4, end=9, words="words"),
    AroundMention(line=7, start=2, end=6, words="cell"),
]


@pytest.mark.parametrize("own", ["Own.md", "deep/Own.md", "else/where/Own.md"])
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("place", PLACES, ids=["section", "field", "words", "cell"])
@pytest.mark.parametrize("relation", [None, "supports"])
def test_a_markdown_link_leads_there_with_its_type(
    own: str, other: str, place: Place, relation: str | None
) -> None:
    link = NewLink(name=other, relation=relation)
    raw = inserted(RAW, insertions(own, RAW, link, place))
    (read,) = read_as(own, raw).links
    resolve = resolver([(fold_name(one), one) for one in (*OTHERS, own)])
    assert (resolve(read.target), read.relation, read.heading) == (other, relation, None)
    assert b"[[" not in raw


def test_it_shows_the_name_and_starts_from_the_note_that_has_it() -> None:
    link = NewLink(name="ideas/C# [draft].md", relation="supports", context="It is typed.")
    assert link.written("books/Own.md") == (
        "supports:: [C\\# \\[draft\\]](../ideas/C%23%20%5Bdraft%5D.md) — It is typed."
    )
    assert link.address("ideas/Own.md") == "(./C%23%20%5Bdraft%5D.md)"


def test_the_frontmatter_has_no_room_for_one() -> None:
    with pytest.raises(InputError, match=r"no link can lead to C#\.md: choose another place"):
        insertions("Own.md", RAW, NewLink(name="C#.md", relation="supports"), InFrontmatter())
