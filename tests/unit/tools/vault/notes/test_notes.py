import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base.domain import Block, Callout, Heading, InlineField, Link, Note, Task
from tools.base.errors import InputError
from tools.vault.git.log import GitDates
from tools.vault.notes.notes import decode, parse_note

MTIME = datetime(2024, 6, 1, tzinfo=UTC)
FRAGMENTS = (
    *("---\n", "...\n", "# ", "## H", "\n", "\n\n", "- ", "  - ", "> ", "> [!note] t\n", "- [x] "),
    *(
        "[[",
        "]]",
        "![[",
        "|",
        "#",
        "^id",
        "[a](b.md)",
        "](",
        "`",
        "```\n",
        "~~~",
        "%%",
        "<!--",
        "-->",
    ),
    *(
        "$",
        "$$",
        "key:: ",
        "[k:: ",
        "(k:: ",
        ")",
        "]",
        "*",
        "_",
        "\\",
        "| a | b |\n",
        "|---|---|\n",
    ),
    *("tags: ", "&a ", "*a", "{", "}", "'", '"', "word ", "ğü", "日本", "\t", "\r", "\r\n", "\x0c"),
    *(
        "\u2028",
        "\x85",
        "1. ",
        "[^1]: ",
        "[r]: x.md\n",
        "a: b\n",
        "===\n",
        "    ",
        "<div>\n",
        "&amp;",
    ),
)
markdown_text = st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join))


def parse(text: str, path: str = "folder/My note.md") -> Note:
    return parse_note(path, text.encode(), mtime=MTIME)


def targets(note: Note) -> list[str]:
    return [link.target for link in note.links]


# --- decoding ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        "Çağrı\n".encode(),
        b"\xef\xbb\xbf" + "Çağrı\n".encode(),
        "Çağrı\n".encode("utf-16"),
        b"\xfe\xff" + "Çağrı\n".encode("utf-16-be"),
    ],
)
def test_unicode_is_read_without_warning(raw: bytes) -> None:
    assert decode(raw) == ("Çağrı\n", None)


def test_other_bytes_are_read_as_western_with_a_warning() -> None:
    text, warning = decode(b"caf\xe9 na\xefve \x80")
    assert text == "café naïve €"
    assert warning is not None
    assert "Windows-1252" in warning


def test_one_damaged_byte_does_not_spoil_a_utf8_file() -> None:
    text, warning = decode("ığdır ağrı ".encode() + b"\xff!")
    assert text == "ığdır ağrı \ufffd!"
    assert warning is not None


def test_damaged_utf16_and_surrogates_do_not_come_through() -> None:
    for raw in (b"\xff\xfe\x00\xd8a\x00", b"\xff\xfea", b"a\xed\xa0\x80b"):
        text, warning = decode(raw)
        text.encode()
        assert warning is not None


def test_bytes_that_are_no_text_are_refused() -> None:
    for raw in (b"GIF89a\x00\x01", "a".encode("utf-32")):
        with pytest.raises(InputError):
            decode(raw)


@given(st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "\x0c", "\x0b", "\x85", "\u2028"])))
def test_only_real_line_ends_count_as_lines(parts: list[str]) -> None:
    written = "".join(parts)
    expected = written.replace("\r\n", "\n").count("\n") + written.replace("\r\n", "").count("\r")
    assert decode(written.encode())[0].count("\n") == expected


def test_marks_keep_their_lines_whatever_the_line_ends() -> None:
    for end in ("\n", "\r\n", "\r"):
        note = parse(f"\x0c\u2028 one\x85{end}{end}two [[A]]{end}# H{end}")
        assert [(link.target, link.line) for link in note.links] == [("A", 3)]
        assert [heading.line for heading in note.headings] == [4]


@given(markdown_text)
def test_any_text_becomes_a_note_within_its_lines(text: str) -> None:
    raw = text.replace("\0", "").encode(errors="ignore")
    note = parse_note("a/b.md", raw, mtime=MTIME)
    count = note.text.count("\n") + 1
    assert note.title
    assert 1 <= note.body_line <= count + 1
    lines = [x.line for xs in (note.headings, note.links, note.fields, note.tasks) for x in xs]
    assert all(1 <= line <= count for line in lines)
    assert all(1 <= block.line_start <= block.line_end <= count for block in note.blocks)
    assert all(link.target or link.heading or link.block_id for link in note.links)
    json.dumps(dict(note.frontmatter), allow_nan=False).encode()
    assert note == parse_note("a/b.md", raw, mtime=MTIME)


@given(markdown_text, st.sampled_from(["\r\n", "\r"]))
def test_line_ends_of_another_system_change_nothing_that_is_read(text: str, end: str) -> None:
    plain = text.replace("\0", "").replace("\r", "")
    one, other = (
        replace(parse_note("a/b.md", written.encode(errors="ignore"), mtime=MTIME), content_hash="")
        for written in (plain, plain.replace("\n", end))
    )
    assert one == other


def test_the_hash_is_that_of_the_bytes() -> None:
    raw = b"\xef\xbb\xbfa\r\n"
    assert parse_note("a.md", raw, mtime=MTIME).content_hash == hashlib.sha256(raw).hexdigest()


# --- frontmatter ---------------------------------------------------------------------------


def test_properties_keep_their_values_and_dates_stay_text() -> None:
    note = parse(
        '---\ntitle: "1984"\ndate: 2024-05-20\nat: 2024-05-20 14:30:00\nn: 7\nx: 1.5\nok: true\n'
        "word: yes\nzip: 01234\nnone:\nlist: [a, {b: c}]\n---\nbody"
    )
    assert note.frontmatter == {
        "title": "1984",
        "date": "2024-05-20",
        "at": "2024-05-20 14:30:00",
        "n": 7,
        "x": 1.5,
        "ok": True,
        "word": "yes",
        "zip": "01234",
        "none": None,
        "list": ["a", {"b": "c"}],
    }
    assert note.title == "1984"
    assert note.body_line == 13
    assert note.warnings == ()
    assert note.created.date().isoformat() == "2024-05-20"


@pytest.mark.parametrize(
    ("yaml", "reason"),
    [
        ("a: [1", "not valid YAML at line"),
        ("a: b\n\tc: d", "not valid YAML at line 3"),
        ("- a\n- b", "not a list of properties"),
        ("just words", "not a list of properties"),
        ("a: &x [1]\nb: *x", "aliases"),
        ("a: " + "[" * 60_000, "nested deeper"),
        ("a: " + "b" * 70_000, "longer than 64 KB"),
        ("? [a]\n: b", "name is not plain text"),
        ("a: \x07", "characters that YAML does not allow"),
    ],
)
def test_unusable_frontmatter_is_a_warning_and_the_body_counts(yaml: str, reason: str) -> None:
    note = parse(f"---\n{yaml}\n---\n# Title\n[[A]]")
    assert note.frontmatter == {}
    assert any(reason in warning for warning in note.warnings)
    start = 3 + yaml.count("\n") + 1
    assert note.body_line == start
    assert note.headings == (Heading(text="Title", level=1, line=start),)
    assert note.links == (Link(target="A", line=start + 1),)


@pytest.mark.parametrize("text", ["---\ntitle: a\n", "text\n---\na: b\n---", " ---\na: b\n---"])
def test_what_is_not_closed_or_not_at_the_top_is_body(text: str) -> None:
    note = parse(text)
    assert note.frontmatter == {}
    assert note.body_line == 1


def test_title_comes_from_property_then_heading_then_file() -> None:
    assert parse("---\ntitle: Said\n---\n# Heading").title == "Said"
    assert parse("---\ntitle: ''\n---\n## Two\n\n# The *one* [[a|link]]").title == "The one link"
    assert parse("text", "x/v1.2 plan.md").title == "v1.2 plan"


def test_aliases_and_tags_in_every_usual_form() -> None:
    note = parse(
        "---\nalias: Smith, John\nAliases: [J, j, 3]\ntags: 'a, #b/c d'\ntag: [A, e]\n---\n"
        "# Head #f\n- #g/h, (#i) x#no #123 `#code` [l](u#no) #2024x \\#no #çok/güzel. #j.k. "
        "#l.. #3.2\n"
    )
    assert note.aliases == ("Smith, John", "J", "3")
    assert note.tags == ("a", "b/c", "d", "e", "f", "g/h", "i", "2024x", "çok/güzel", "j.k", "l")


def test_type_and_building_block_from_property_or_field() -> None:
    said = parse('---\ntype: "[[Concept]]"\nBuilding-Block: claim\n---\ntype:: other')
    assert (said.note_type, said.building_block) == ("Concept", "claim")
    field = parse("type:: question\n\n- building_block:: evidence")
    assert (field.note_type, field.building_block) == ("question", "evidence")
    assert parse("none").building_block is None


# --- links ---------------------------------------------------------------------------------


def test_wikilinks_in_all_their_forms() -> None:
    note = parse(
        "[[A]] and [[f/B#Part one|shown]]\n[[C#^blk]] [[#Here]]\n![[D#H1#H2]]\n\n"
        "| x | y |\n|---|---|\n| [[E\\|e]] | [[F]] |\n"
    )
    assert note.links == (
        Link(target="A", line=1),
        Link(target="f/B", line=1, alias="shown", heading="Part one"),
        Link(target="C", line=2, block_id="blk"),
        Link(target="", line=2, heading="Here"),
        Link(target="D", line=3, heading="H2", embed=True),
        Link(target="E", line=7, alias="e"),
        Link(target="F", line=7),
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "`[[X]]`",
        "``a ` [[X]]``",
        "```\n[[X]] #x\nk:: v\n```",
        "~~~md\n[[X]]\n~~~",
        "text\n\n    [[X]]",
        "<!-- [[X]] #x -->",
        "a <!-- b\n[[X]] --> c",
        "%% [[X]] #x %%",
        "%%\n\n[[X]]\n\nk:: v\n%%",
        "$[[X]]$",
        "$$\n[[X]]\n$$",
        "\\[[X]]",
        "![[picture.png]]",
        "![alt](X.md.png)",
        "[x](https://a.b/c.md)",
        "[x](mailto:a@b.md)",
        "[x](www.a.com/page)",
        "<https://a.b/#x>",
    ],
)
def test_nothing_is_seen_in_code_comments_math_or_attachments(hidden: str) -> None:
    note = parse(f"[[before]]\n\n{hidden}\n\n[[after]]")
    assert targets(note) == ["before", "after"]
    assert note.tags == ()
    assert note.fields == ()


def test_markdown_links_to_notes() -> None:
    note = parse(
        "See [the *plan*](a/My%20Plan.md#Part%201), [b](../B.md) [c](./C) [d](/D.md) [e](a/E)\n"
        "[f][ref] [g](<G h.md>) [i](#Here) [j](data.json)\n\n[ref]: F.md\n"
    )
    assert note.links == (
        Link(target="a/My Plan.md", line=1, alias="the *plan*", heading="Part 1"),
        Link(target="B.md", line=1, alias="b"),
        Link(target="folder/C", line=1, alias="c"),
        Link(target="D.md", line=1, alias="d"),
        Link(target="a/E", line=1, alias="e"),
        Link(target="F.md", line=2, alias="f"),
        Link(target="G h.md", line=2, alias="g"),
        Link(target="", line=2, alias="i", heading="Here"),
    )


def test_a_footnote_of_one_link_is_no_reference_definition() -> None:
    assert targets(parse("text[^1]\n\n[^1]: [[Source]]")) == ["Source"]


def test_typed_links_from_fields_and_properties_are_emitted_once() -> None:
    note = parse(
        '---\nup: "[[Ü p]]"\ntitle: About [[T]]\nsources:\n  - "[[S1|one]]"\n  - [[S2]]\n---\n'
        "Supports:: [[A]], [[B#h]]\n- **contradicts**:: [[C]] because\n- [ ] due on:: [[D]]\n"
        "Plain [[E]] (see also:: [[F]]) [cites:: [[G]]] [[H]]\n"
    )
    assert [(link.target, link.relation, link.line) for link in note.links] == [
        ("Ü p", "up", 2),
        ("T", None, 3),
        ("S1", "sources", 4),
        ("S2", "sources", 4),
        ("A", "Supports", 8),
        ("B", "Supports", 8),
        ("C", "contradicts", 9),
        ("D", "due on", 10),
        ("E", None, 11),
        ("F", "see also", 11),
        ("G", "cites", 11),
        ("H", None, 11),
    ]


def test_fields_and_what_only_looks_like_one() -> None:
    note = parse(
        "status:: in progress\nuse std::vector here\na sentence, then:: no\n`code:: no`\n:::: x\n"
        "rated [score:: 4] (by:: Ayşe)\n\n## Not:: one\n\nempty::\n"
    )
    assert note.fields == (
        InlineField(key="status", value="in progress", line=1),
        InlineField(key="score", value="4", line=6),
        InlineField(key="by", value="Ayşe", line=6),
    )


# --- blocks --------------------------------------------------------------------------------


def test_tasks_and_callouts() -> None:
    note = parse(
        "- [ ] open **this**\n- [x] done\n- [X] too\n- [-] dropped\n  1. [ ] deep\n- [] none\n\n"
        "> [!warning]- Be *careful*\n> text\n\n> [!NOTE|wide]\n> text\n\n> quote"
    )
    assert note.tasks == (
        Task(text="open this", done=False, line=1),
        Task(text="done", done=True, line=2),
        Task(text="too", done=True, line=3),
        Task(text="dropped", done=None, line=4),
        Task(text="deep", done=False, line=5),
    )
    assert note.callouts == (
        Callout(kind="warning", title="Be careful", line=8),
        Callout(kind="note", title="", line=11),
    )


def test_block_ids_name_their_block() -> None:
    note = parse(
        "one\ntwo ^para\n\n- item ^item\n  - child ^child\n- last\n\n"
        "| a |\n|---|\n| b |\n\n^table\n\n"
        "> quote\n> more\n\n^quote\n\n```\ncode ^no\n```\n\nnot ^here either\n"
    )
    assert note.blocks == (
        Block(block_id="para", line_start=1, line_end=2),
        Block(block_id="item", line_start=4, line_end=5),
        Block(block_id="child", line_start=5, line_end=5),
        Block(block_id="table", line_start=8, line_end=10),
        Block(block_id="quote", line_start=14, line_end=15),
    )


def test_headings_are_those_of_the_note_itself() -> None:
    note = parse(
        "# One `code`\nTwo\n===\n\n### Three #\n\n> # quoted\n\n```\n# no\n```\n#tag\n# \n"
    )
    assert note.headings == (
        Heading(text="One code", level=1, line=1),
        Heading(text="Two", level=1, line=2),
        Heading(text="Three", level=3, line=5),
    )


def test_git_dates_stand_before_the_files_time() -> None:
    git = GitDates(first=datetime(2020, 1, 1, tzinfo=UTC), last=datetime(2021, 1, 1, tzinfo=UTC))
    note = parse_note("a.md", b"x", mtime=MTIME, git=git)
    assert (note.created, note.modified, note.date_origin) == (git.first, git.last, "git")


def test_a_paragraph_too_long_to_search_says_so() -> None:
    note = parse("[" * 200_000 + "\n\n[[A]]")
    assert targets(note) == ["A"]
    assert [" 1 " in warning for warning in note.warnings] == [True]  # its line
