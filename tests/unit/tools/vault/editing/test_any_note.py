"""Links into notes of every kind: nothing but the link is written, and nothing else reads anew."""

import codecs

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tools.base.domain import Note
from tools.base.errors import InputError
from tools.text.normalize import fold_name
from tools.vault.editing.edits import planned_edit, relocated, sha256
from tools.vault.editing.encoded_text import read_encoded
from tools.vault.editing.insertions import inserted, taken_out
from tools.vault.editing.places import (
    AroundMention,
    AsField,
    InFrontmatter,
    InSection,
    NewLink,
    Place,
)
from tools.vault.editing.reread import read_as

PATH = "notes/Any.md"
FRONTMATTER = st.sampled_from([
    "", "---\n---\n", "---\ntags: [a, b]\n---\n", "---\nsupports: \"[[Old]]\"\n---\n",
    "---\nsupports: [\"[[Old]]\", '[[Other]]']\n---\n", "---\nsupports:\n---\nx\n",
    "---\nsupports:\n  - \"[[Old]]\"\n  - '[[Other]]'\nstatus: open\n---\n",
    "---\nsupports:\n- \"[[Old]]\"\n# a comment\nstatus: open\n---\n", "---\nsupports: []\n---\n",
    "---\nsupports: |\n  text\n  more\n---\n", "---\nsupports: {a: b}\n---\n",
    "---\nbroken: [a\n---\n", "---\na: b: c\n---\n",
    "---\naliases: Name # why\nsupports: Old # c\n---\n",
    "---\nsupports: &x [one]\nother: *x\n---\n", "---\nno: end\n", "---\ntitle: 'It''s'\n\n---\n",
    "---\nSupports: a\n---\n", "---\n\"supports\": plain text\n...\n", "---\n\tsupports: a\n---\n",
    "--- \nsupports: a\n--- \n", "---\nsupports:   \n  \n---\n", "---\nsupports: >-\n  a\n---\n",
    "---\nsupports:\n  - - deep\n---\n", "---\nsupports: \"a\n  b\"\n---\n", "---\n- list\n---\n",
    "---\nsupports:\n  - a\n\n  # last\n---\n", "---\nsupports: a\nsupports: b\n---\n",
])  # fmt: skip
BLOCKS = st.sampled_from([
    "# Heading", "## Related", "## related ##", "Related\n-------", "### Below", "# Gamma",
    "Gamma and gamma rays, [[Old]] and [[Old#Part|shown]].", "![[Gamma]] ![[pic.png]]",
    "- item\n- item with [[Old]]", "* star\n\t* below\n\n* after", "1. one\n2. two",
    "- [ ] open task\n- [x] done Gamma", "supports:: [[Old]]", "(extends:: [[Old]]) in line",
    "> [!note] Title\n> Gamma in a callout", "> quote\nlazy line", "> [!warning]-\n> - item",
    "```\nGamma [[NoLink]] #notag\n```", "~~~py\nopen fence", "```", "    indented Gamma",
    "\tindented by a tab", "| a | b |\n|---|---|\n| Gamma | [[Old\\|x]] |", "a | b\n--|--\nGamma",
    "%% a comment Gamma %%", "%%\nopen comment", "<div>Gamma</div>", "<!-- Gamma -->", "<!-- open",
    "<details>\n\nGamma\n\n</details>", "#tag #nested/tag and #Gamma", "text ^block-id", "^alone",
    "$$\nGamma\n$$", "`Gamma` in code", "``", "[^1]: footnote Gamma", "[link](Old.md) Gamma",
    "[ref]: https://example.org", "---", "***", "trailing  ", "hard\\", "\\[[not]] Gamma",
    "[[", "]]", "[[open", "Gamma]]", "key:: value", "- key:: value ^id", "<b", "&amp; Gamma",
    "Çay, naïve — Gamma", "日本 Gamma", "\u2028Gamma", "a\x0bb\x0cc Gamma", "\u00a0", "  ", "\t",
    "\U0001f600 Gamma", "[Gamma](x) **Gamma** _Gamma_", "https://x.org/Gamma",
    "==Gamma==", "[x:: Gamma]", "- - Gamma", "+ plus\n+ list", "Term\n: Gamma",
])  # fmt: skip
LINES = st.one_of(
    BLOCKS,
    BLOCKS,
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0")
        | st.sampled_from("#-*>|`[]:%<~ \t\\^"),
        max_size=20,
    ),
)
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
ENCODINGS = st.sampled_from([
    (b"", "utf-8"), (b"", "utf-8"), (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"), (b"", "cp1252"),
])  # fmt: skip
LINKS = st.builds(
    NewLink,
    name=st.sampled_from(["Gamma", "folder/Gamma", "Gamma Rays", "Çay", "It's", "Gamma (2)"]),
    relation=st.sampled_from([None, "supports", "supports", "contradicts", "analogous_to"]),
    context=st.sampled_from(["", "", "they agree on rays", "a: b, \"c\" — d"]),
)  # fmt: skip


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    end = draw(ENDS)
    text = draw(FRONTMATTER)
    for block in draw(st.lists(LINES, max_size=8)):
        text += block + draw(st.sampled_from(["\n", "\n\n", "\n\n\n", "\n \n"]))
    if draw(st.booleans()):
        text = text.rstrip("\n")
    raw = text.replace("\n", end)
    if draw(st.integers(0, 9)) == 0:  # ends of more than one kind
        raw = raw.replace(end, "\n", 1)
    mark, encoding = draw(ENCODINGS)
    return mark + raw.encode(encoding, "ignore")


@st.composite
def places(draw: st.DrawFn, raw: bytes) -> Place:
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return InSection(heading=draw(st.sampled_from(["Related", "Below", "Gamma", "See also"])))
    if kind == 1:
        return AsField()
    if kind == 2:
        return InFrontmatter()
    lines = read_as(PATH, raw).text.split("\n")
    mentions = [
        AroundMention(line=number, start=at, end=at + len("Gamma"), words=line[at : at + 5])
        for number, line in enumerate(lines, 1)
        for at in range(len(line))
        if fold_name(line[at : at + len("Gamma")]) == "gamma"
    ]
    if not mentions or kind == 3:
        line = draw(st.integers(0, len(lines) + 1))
        start, end = draw(st.integers(0, 8)), draw(st.integers(0, 20))
        words = lines[line - 1][start:end] if 0 < line <= len(lines) else "Gamma"
        return AroundMention(line=line, start=start, end=end, words=words)
    return draw(st.sampled_from(mentions))


def shape(note: Note) -> tuple[object, ...]:
    """All that a note says, but for where it stands."""
    return (
        note.title,
        note.aliases,
        note.tags,
        [(one.text, one.done) for one in note.tasks],
        [(one.kind, one.title) for one in note.callouts],
        [one.block_id for one in note.blocks],
    )


def links(note: Note) -> list[tuple[object, ...]]:
    return sorted(
        (one.target, one.relation or "", one.heading or "", one.block_id or "", one.embed)
        for one in note.links
    )


def check(raw: bytes, link: NewLink, place: Place) -> None:
    try:
        edit = planned_edit(PATH, raw, link, place)
    except InputError:
        return
    written = inserted(raw, edit.insertions)
    assert taken_out(written, edit.insertions) == raw
    assert (edit.before, edit.after) == (sha256(raw), sha256(written))
    before, after = read_as(PATH, raw), read_as(PATH, written)
    assert shape(before) == shape(after)
    new = links(after)
    for one in links(before):
        new.remove(one)
    ((target, relation, *_),) = new
    assert fold_name(str(target)) == fold_name(link.name)
    assert link.relation is None or relation == link.relation
    others = {key: before.frontmatter[key] for key in before.frontmatter if key != link.relation}
    assert others == {k: after.frontmatter[k] for k in after.frontmatter if k != link.relation}
    headings = [(one.level, one.text) for one in before.headings]
    kept = [(one.level, one.text) for one in after.headings]
    if isinstance(place, InSection) and len(kept) > len(headings):
        kept.remove((2, place.heading))
    assert isinstance(place, AroundMention) or kept == headings
    for more in (b"", read_encoded(raw).encoded("\n\nMore.\n")):  # and changed by hand since
        found = relocated(edit, written + more)
        assert found is None or taken_out(written + more, found.insertions) == raw + more


@st.composite
def cases(draw: st.DrawFn) -> tuple[bytes, NewLink, Place]:
    raw = draw(notes())
    return raw, draw(LINKS), draw(places(raw))


def many(examples: int) -> settings:
    return settings(max_examples=examples, suppress_health_check=[HealthCheck.too_slow])


@example((b"", NewLink(name="Gamma"), InFrontmatter()))
@example((b"\n", NewLink(name="Gamma", relation="supports"), InSection()))
@given(cases())
@many(300)
def test_nothing_but_the_link_is_written(case: tuple[bytes, NewLink, Place]) -> None:
    check(*case)


@pytest.mark.torture
@given(cases())
@many(10_000)
def test_nothing_but_the_link_is_written_into_ten_thousand(
    case: tuple[bytes, NewLink, Place],
) -> None:
    check(*case)
