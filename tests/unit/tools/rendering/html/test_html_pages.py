"""The pages as text: whatever the notes hold stays text, and nothing is loaded from elsewhere."""

import json
import re
import resource
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.values.pictured import CAUSAL, a_neighbourhood, an_evolution
from tools.base.domain import Evolution, Moment, Neighbourhood
from tools.base.errors import InputError
from tools.base.guards import one_line
from tools.rendering.html.graph_page import graph_page
from tools.rendering.html.layout import positions
from tools.rendering.html.saving import write_page
from tools.rendering.html.timeline_page import timeline_page

NOW = datetime(2025, 1, 20, tzinfo=UTC)
HOSTILE = (
    "</script><script>alert(1)</script>",
    "</script x",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    "--><!-- <!doctype html>",
    "\" onmouseover='alert(1)' x=\"",
    "</title></textarea></style><style>*{}",
    "&lt;b&gt; &amp; {name} %s %{x} ${y}",
    "{{ 7 * 7 }} \u2028\u2029 \ud800 \u202e \x1b[31m \x00",
)


class Reader(HTMLParser):
    """What a browser would make of a page: the tags with their attributes, data and text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.scripts: list[str] = []
        self.texts: list[str] = []
        self.values: list[str] = []
        self._inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.values += [value or "" for name, value in attrs if name in {"title", "value"}]
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def evolution_saying(words: str) -> Evolution:
    made = an_evolution(6)
    return Evolution(
        concept=words,
        occurrences=tuple(
            replace(
                one,
                note_title=words,
                note_path=words,
                event=replace(one.event, detail=words, added=(words,), removed=(words, words)),
            )
            for one in made.occurrences
        ),
    )


def neighbourhood_saying(words: str) -> Neighbourhood:
    made = a_neighbourhood(5, 8)
    nodes = [replace(node, title=words, note_type=words, path=words) for node in made.nodes]
    relation = {"source_title": words, "target_title": words, "note_path": words, "relation": words}
    edges = [replace(edge, relation=replace(edge.relation, **relation)) for edge in made.edges]
    return Neighbourhood(name=words, nodes=tuple(nodes), edges=tuple(edges))


def drawn(neighbourhood: Neighbourhood, at: Moment | None = None) -> str:
    return graph_page(neighbourhood, causal=CAUSAL, now=NOW, at=at)


def data(page: Reader) -> dict[str, Any]:
    return json.loads(page.scripts[0])


def pages_saying(words: str) -> tuple[Reader, Reader]:
    """A timeline and a graph whose charting library is a line: the real one has 5 MB."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plotly.offline.get_plotlyjs", lambda: "Plotly = {}")
        return (
            Reader(timeline_page(evolution_saying(words))),
            Reader(drawn(neighbourhood_saying(words))),
        )


def assert_stays_text(words: str) -> None:
    """Pages that say the words everywhere have the tags and scripts of pages that say "plain"."""
    shown = one_line(words)
    timeline, graph = pages_saying(words)
    assert timeline.scripts[1:] == PLAIN_TIMELINE.scripts[1:]
    assert graph.scripts[1:] == PLAIN_GRAPH.scripts[1:]
    # A browser ends a script, or takes it for nested, at more than this parser does.
    assert not {"<", ">", "&"} & {*timeline.scripts[0], *graph.scripts[0]}
    assert set(data(timeline)["lanes"]) == {shown}
    assert {node["title"] for node in data(graph)["nodes"]} == {shown}
    assert set(graph.values) == {shown} | set(PLAIN_GRAPH.values) - {"plain"}
    if shown:
        assert timeline.tags == PLAIN_TIMELINE.tags
        assert graph.tags == PLAIN_GRAPH.tags
        assert timeline.texts.count(shown) >= PLAIN_TIMELINE.texts.count("plain")
        assert graph.texts.count(shown) >= 2 * len(data(graph)["edges"])


@pytest.mark.parametrize("words", HOSTILE)
def test_markup_in_any_field_stays_text(words: str) -> None:
    assert_stays_text(words)


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=40))
def test_any_words_in_any_field_stay_text(words: str) -> None:
    assert_stays_text(words)


PLAIN_TIMELINE, PLAIN_GRAPH = pages_saying("plain")


@pytest.mark.parametrize(
    "page", [timeline_page(an_evolution()), drawn(a_neighbourhood())], ids=["timeline", "graph"]
)
def test_a_page_may_load_nothing_and_runs_only_its_own_scripts(page: str) -> None:
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[^ ']+' 'sha256-[^ ']+'", rules["script-src"])
    assert "connect-src" not in rules
    assert not {"src", "href", "action"} & {
        name for _, names in Reader(page).tags for name in names
    }


def test_a_timeline_lists_every_event_without_scripts() -> None:
    made = an_evolution()
    listed = Reader(timeline_page(made)).tags.count(("li", ("id",)))
    assert listed == len(made.occurrences) == len(data(Reader(timeline_page(made)))["events"])


def test_a_lane_belongs_to_a_note_not_to_a_title() -> None:
    first, second = an_evolution(2).occurrences
    same = replace(second, note_path="other/place.md", note_title=first.note_title)
    page = Reader(timeline_page(Evolution(concept="x", occurrences=(first, same))))
    assert [event["lane"] for event in data(page)["events"]] == [0, 1]


def test_an_empty_evolution_and_an_empty_neighbourhood_are_pages() -> None:
    assert "Nothing is dated" in timeline_page(Evolution(concept="x", occurrences=()))
    assert "0 relations" in drawn(Neighbourhood(name="x", nodes=(), edges=()))


def test_a_graph_opens_at_the_moment_asked_for() -> None:
    moment = Moment(as_of=NOW - timedelta(days=300), known_at=NOW - timedelta(days=200))
    shown = data(Reader(drawn(a_neighbourhood(), moment)))
    assert shown["asOf"] / 1000 == (NOW - timedelta(days=300)).timestamp()
    assert shown["knownAt"] / 1000 == (NOW - timedelta(days=200)).timestamp()


def test_an_edge_to_a_node_that_is_not_shown_is_left_out() -> None:
    made = a_neighbourhood(5, 8)
    cut = replace(made, nodes=made.nodes[:-1])
    gone = made.nodes[-1].uuid
    left = [edge for edge in made.edges if gone not in {edge.source, edge.target}]
    assert len(data(Reader(drawn(cut)))["edges"]) == len(left) < len(made.edges)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 12), st.data())
def test_every_node_has_a_place_of_its_own_in_the_picture(count: int, draw: st.DataObject) -> None:
    ends = st.integers(0, max(count - 1, 0))
    pairs: Sequence[tuple[int, int]] = (
        draw.draw(st.lists(st.tuples(ends, ends), max_size=30)) if count else []
    )
    hops = [min(number, 2) for number in range(count)]
    spots = positions(hops, pairs)
    assert spots == positions(hops, pairs)
    assert len({(round(x, 3), round(y, 3)) for x, y in spots}) == count
    assert all(abs(x) <= 1.71 and abs(y) <= 1.01 for x, y in spots)


# --- writing -------------------------------------------------------------------------------


def test_a_page_replaces_a_page_and_nothing_else(tmp_path: Path) -> None:
    path, other = tmp_path / "a.html", tmp_path / "mine.html"
    write_page(timeline_page(an_evolution(3)), path, kept=())
    write_page(drawn(a_neighbourhood(3, 3)), path, kept=())
    assert "– graph</title>" in path.read_text(encoding="utf-8")
    other.write_text("<!doctype html>\n<p>mine", encoding="utf-8")
    with pytest.raises(InputError, match="no page that brain wrote"):
        write_page("x", other, kept=())
    assert other.read_text(encoding="utf-8") == "<!doctype html>\n<p>mine"


def test_a_page_that_cannot_be_written_whole_leaves_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    write_page(timeline_page(an_evolution(3)), path, kept=())
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, limits[1]))  # as on a full disk
    try:
        with pytest.raises(InputError, match="cannot be written"):
            write_page(drawn(a_neighbourhood(3, 3)), path, kept=())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_no_page_goes_into_the_vault_or_through_a_link_into_it(tmp_path: Path) -> None:
    vault, elsewhere = tmp_path / "vault", tmp_path / "elsewhere"
    vault.mkdir()
    elsewhere.symlink_to(vault)
    for path in (vault / "a.html", elsewhere / "a.html"):
        with pytest.raises(InputError, match="lies in the vault"):
            write_page("x", path, kept=(vault,))
    assert list(vault.iterdir()) == []


def test_what_is_no_file_is_no_page(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/null"), tmp_path / "missing" / "a.html"):
        with pytest.raises(InputError):
            write_page("x", path, kept=())
