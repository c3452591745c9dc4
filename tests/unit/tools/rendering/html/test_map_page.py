"""The page of a vault's links as text: what notes are called stays text, and nothing is loaded."""

import json
import re
from itertools import pairwise

import pytest

from tools.base.domain import LinkMap, NoteConnections
from tools.rendering.html.layout import apart, grouped_positions
from tools.rendering.html.map_page import map_page


def a_note(path: str, *, out: int = 0, back: int = 0, title: str = "") -> NoteConnections:
    return NoteConnections(
        path=path,
        title=title or path.removesuffix(".md"),
        links_out=out,
        links_in=back,
        neighbours=max(out, back),
    )


FOUND = LinkMap(
    notes=(a_note("a/One.md", out=2), a_note("b/Two.md", back=1), a_note("b/Three.md", back=1),
           a_note("Alone.md")),
    communities=(0, 0, 0, None),
    links=((0, 1), (0, 2)),
)  # fmt: skip


def data_of(page: str) -> dict[str, object]:
    [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(data)


def test_a_page_may_load_nothing_and_runs_only_its_own_script() -> None:
    page = map_page(FOUND, vault="Home")
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert policy.count("sha256-") == 1
    assert set(re.findall(r'(?:src|href|action)="([^:"]*):', page)) == {"obsidian"}


@pytest.mark.parametrize(
    "words",
    [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "<img src=x onerror=alert(1)>",
        "\" onmouseover='alert(1)' x=\"",
        "{name} %s </title>",
    ],
)
def test_markup_in_a_name_stays_text(words: str) -> None:
    path = f"{words}/a.md".replace("/", "⁄", words.count("/"))
    hostile = LinkMap(
        notes=(
            a_note(path, out=1, title=words),
            a_note("b.md", back=1),
            a_note("c.md", title=words),
        ),
        communities=(0, 0, None),
        links=((0, 1),),
    )
    page = map_page(hostile, vault=words)
    plain = map_page(
        LinkMap(
            notes=(a_note("x/a.md", out=1), a_note("b.md", back=1), a_note("c.md")),
            communities=(0, 0, None),
            links=((0, 1),),
        ),
        vault="x",
    )
    tags = re.compile(r"</?([a-z]+\d?)[ >]")
    assert tags.findall(page) == tags.findall(plain)
    assert words not in page
    nodes = data_of(page)["nodes"]
    assert isinstance(nodes, list)
    assert nodes[0]["title"] == words


def test_hubs_and_notes_without_a_link_are_listed_without_scripts() -> None:
    page = map_page(FOUND, vault="Home")
    assert "4 notes, 2 links; 1 note without a link." in page
    hubs, orphans = page.split("<h2>Most connected</h2>")[1].split("<h2>Without a link</h2>")
    assert hubs.index("a/One.md") < hubs.index("b/Three.md") < hubs.index("b/Two.md")
    assert "Alone.md" not in hubs
    assert "Alone.md" in orphans
    assert "b/Two.md" not in orphans.split("</ul>")[0]


def test_a_vault_without_notes_is_a_page() -> None:
    page = map_page(LinkMap(notes=(), communities=(), links=()), vault="Home")
    assert "0 notes, 0 links" in page


def test_colours_are_folders_where_there_are_some_and_else_communities() -> None:
    assert data_of(map_page(FOUND, vault="Home"))["colouring"] == "folder"
    flat = LinkMap(
        notes=(a_note("One.md", out=1), a_note("Two.md", back=1)),
        communities=(0, 0),
        links=((0, 1),),
    )
    page = map_page(flat, vault="Home")
    assert data_of(page)["colouring"] == "community"
    assert "around One" in page


def test_what_is_linked_stands_together_and_every_note_in_the_picture() -> None:
    ring = [(at, (at + 1) % 6) for at in range(6)]
    pairs = [*ring, *((one + 6, other + 6) for one, other in ring), (12, 13)]
    spots = grouped_positions([0] * 6 + [1] * 6 + [2, 2], pairs)
    assert spots == grouped_positions([0] * 6 + [1] * 6 + [2, 2], pairs)
    assert len({(round(x, 3), round(y, 3)) for x, y in spots}) == 14
    assert all(abs(x) <= 1.71 and abs(y) <= 1.01 for x, y in spots)
    boxes = [[spots[node] for node in part] for part in (range(6), range(6, 12), (12, 13))]
    for one, other in pairwise(boxes):  # parts that nothing joins lie beside or below each other
        assert max(x for x, _ in one) < min(x for x, _ in other) or min(y for _, y in one) > max(
            y for _, y in other
        )


@pytest.mark.parametrize("count", [0, 1, 50, 3000])
def test_notes_without_a_link_stand_in_rows_below(count: int) -> None:
    spots = apart(count)
    assert len(set(spots)) == count
    assert all(abs(x) <= 1.7 and -1.6 < y < -1.05 for x, y in spots)


def test_communities_around_notes_of_one_title_are_two() -> None:
    notes = (
        a_note("a/Index.md", out=2, title="Index"),
        a_note("a/One.md", back=1),
        a_note("a/Two.md", back=1),
        a_note("b/Index.md", out=2, title="Index"),
        a_note("b/One.md", back=1),
        a_note("b/Two.md", back=1),
    )
    links = ((0, 1), (0, 2), (3, 4), (3, 5))
    page = map_page(LinkMap(notes=notes, communities=(0, 0, 0, 1, 1, 1), links=links), vault="V")
    assert "around Index <small>3</small>" in page
    assert "around b/Index.md <small>3</small>" in page
