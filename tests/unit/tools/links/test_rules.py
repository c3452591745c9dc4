"""What a link may be, and what is refused, in one line each."""

from datetime import UTC, datetime
from typing import get_args

import pytest

from tools.base.domain import Note
from tools.base.errors import InputError
from tools.links.kinds import LinkType
from tools.links.rules import (
    MOST_LINKS,
    OTHER_SIDE,
    check_context,
    check_count,
    check_heading,
    check_new,
    check_targets,
    check_type,
    wikilink_name,
)
from tools.text.normalize import fold_name
from tools.vault.notes.links import LinkNames, resolver
from tools.vault.notes.notes import parse_note


def note(path: str, text: str = "") -> Note:
    return parse_note(path, text.encode(), mtime=datetime(2024, 1, 1, tzinfo=UTC))


def names(*paths: str) -> list[tuple[str, str]]:
    stems = [(fold_name(path.rpartition("/")[2]), path) for path in paths]
    return [*stems, *((fold_name(path), path) for path in paths)]


def test_each_type_has_another_side() -> None:
    assert len(OTHER_SIDE) == 7
    assert check_type("supports") == "supports"
    with pytest.raises(InputError, match="'refutes' is no type of link: choose one of supports"):
        check_type("refutes")


def test_how_many_there_may_be() -> None:
    assert check_count(29) is None
    assert check_count(30) == "The note has 30 links already; at 50 no more are added."
    with pytest.raises(InputError, match="50 are the most"):
        check_count(MOST_LINKS)
    check_targets(["a"] * 20)
    with pytest.raises(InputError, match="21 notes are too many"):
        check_targets(["a"] * 21)


@pytest.mark.parametrize("link", ["[[B]]", "[[x/b|it]]", "[it](x/B.md)", "supports:: [[B#Part]]"])
def test_no_link_twice_in_whatever_syntax(link: str) -> None:
    resolve = resolver(names("a.md", "x/B.md"))
    with pytest.raises(InputError, match=r"a\.md links to x/B\.md already"):
        check_new(note("a.md", link), note("x/B.md"), resolve)
    other = note("x/B.md"), note("a.md", link)
    check_new(*other, resolve)
    with pytest.raises(InputError, match=r"a\.md links to x/B\.md already"):
        check_new(*other, resolve, both_ways=True)


def test_no_link_to_itself() -> None:
    with pytest.raises(InputError, match="not linked to itself"):
        check_new(note("a.md"), note("a.md"), resolver(names("a.md")))


@pytest.mark.parametrize(
    "context",
    [
        "Both say that spacing helps.",
        "The condition = 3 of (Ahrens 2017), 5 < 6 & 7 > 6",
        "İkisi de aralıklı tekrarı över.",
        "",
    ],
)
def test_a_sentence_is_a_context(context: str) -> None:
    assert check_context(f" {context} ") == context


@pytest.mark.parametrize(
    "context",
    [
        "x" * 501,
        "two\nlines",
        "two\u2028lines",
        "[[Other]]",
        "an open [[",
        "[it](b.md)",
        "key:: value",
        "<script>x</script>",
        "JavaScript:x",
        "onclick = x",
        "eval(x)",
        "new Function('x')",
        "<b>",
        "<!-- x",
        "%% x",
        "a #tag",
        "words ^block",
    ],
)
def test_more_than_a_sentence_is_refused(context: str) -> None:
    for check in (check_context, check_heading):
        with pytest.raises(InputError) as refused:
            check(context)
        assert "\n" not in str(refused.value)


def test_a_heading_has_words() -> None:
    assert check_heading(" See also ") == "See also"
    for heading in ("", "  ", "##", "x" * 101):
        with pytest.raises(InputError, match="heading"):
            check_heading(heading)


def test_a_name_is_as_short_as_it_may_be() -> None:
    known = names("a/One.md", "a/Two.md", "b/Two.md", "Deep.md", "x/Deep.md")
    assert wikilink_name("a/One.md", LinkNames(known)) == "One"
    assert wikilink_name("b/Two.md", LinkNames(known)) == "b/Two"
    assert wikilink_name("x/Deep.md", LinkNames(known)) == "x/Deep"


def test_another_note_may_be_called_so() -> None:
    known = [("one", "b/Other.md"), *names("a/One.md", "b/Other.md")]
    assert wikilink_name("a/One.md", LinkNames(known)) == "a/One"


@pytest.mark.parametrize("path", ["a#b.md", "x/a|b.md", "[a].md", "a^b.md", "x/plan.pdf.md"])
def test_a_name_that_brackets_cannot_have_is_the_whole_path(path: str) -> None:
    assert wikilink_name(path, LinkNames(names(path, "Other.md"))) == path


def test_the_whole_path_leads_to_a_namesake_that_is_in_no_folder() -> None:
    known = names("x/Deep.md", "Deep.md")
    assert wikilink_name("Deep.md", LinkNames(known)) == "Deep"
    with pytest.raises(InputError, match=r"No link leads to Deep\.md alone"):
        wikilink_name("Deep.md", LinkNames([*known, ("deep", "y/Alias.md")]))


def test_each_type_of_link_has_its_other_side() -> None:
    assert get_args(LinkType) == tuple(OTHER_SIDE)
