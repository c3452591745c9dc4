"""The pages in a real browser: they draw, ask for nothing, and show what was true on a date."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.processes.browser import Page, browser
from tests.support.values.pictured import CAUSAL, a_neighbourhood, an_evolution
from tools.base.domain import Evolution, GraphRelation, Moment, Neighbourhood
from tools.rendering.html.graph_page import graph_page
from tools.rendering.html.timeline_page import timeline_page

pytestmark = pytest.mark.integration

NOW = datetime(2025, 1, 20, tzinfo=UTC)
SMALL, LARGE = a_neighbourhood(25, 60), a_neighbourhood(200, 600, seed=7)
HOSTILE = (
    "</script><script>hacked = 1</script>",
    "<img src=x onerror='hacked = 1'>",
    "<a href='javascript:hacked = 1'>x</a><b>bold</b>",
    '" onmouseover="hacked = 1" x="',
    "&lt;b&gt; %{x} ${hacked = 1} $\\alpha$",
)
MOVE = """new Promise(done => {
  const seen = new MutationObserver(() => {
    seen.disconnect();
    done(Number(chart.dataset.shown));
  });
  seen.observe(chart, { attributeFilter: ["data-shown"] });
  const slider = document.getElementById("%s");
  slider.value = %d;
  slider.dispatchEvent(new Event("input"));
})"""
"""Move a slider and wait for the picture; the value is how many edges it says it shows."""


LABELS = (
    "[...document.querySelectorAll('#names span, #chart .annotation-text')].map(l => l.textContent)"
)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as opened:
        yield opened


def saved(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "page.html"
    path.write_text(text, encoding="utf-8")
    return path


def graph(tmp_path: Path, neighbourhood: Neighbourhood, at: Moment | None = None) -> Path:
    return saved(tmp_path, graph_page(neighbourhood, causal=CAUSAL, now=NOW, at=at))


def end_of(day: str) -> datetime:
    # The next midnight by the clock here, which may be 23 or 25 hours away.
    midnight = datetime.fromisoformat(day) + timedelta(days=1)
    return midnight.astimezone() - timedelta(milliseconds=1)


def holds(edge: GraphRelation, as_of: datetime, known_at: datetime | None) -> bool:
    """What an edge has to be like to be true then, as was known then, by its four dates."""
    if edge.valid_at and edge.valid_at > as_of:
        return False
    if known_at and edge.created_at and edge.created_at > known_at:
        return False
    ended = edge.expired_at is not None and (known_at is None or edge.expired_at <= known_at)
    return not ended or (edge.invalid_at is not None and edge.invalid_at > as_of)


def count(neighbourhood: Neighbourhood, as_of: str, known_at: str | None = None) -> int:
    known = end_of(known_at) if known_at else None
    return sum(holds(edge.relation, end_of(as_of), known) for edge in neighbourhood.edges)


def date_of(page: Page, slider: str) -> str:
    return page.run(f"document.querySelector('output[for={slider}]').textContent")


@pytest.mark.parametrize(
    ("width", "dark"), [(390, False), (1280, True)], ids=["narrow and light", "wide and dark"]
)
@pytest.mark.parametrize("kind", ["timeline", "graph"])
def test_a_page_draws_quietly_and_asks_for_nothing(
    page: Page, tmp_path: Path, kind: str, width: int, dark: bool
) -> None:
    path = (
        saved(tmp_path, timeline_page(an_evolution()))
        if kind == "timeline"
        else graph(tmp_path, SMALL)
    )
    page.open(path, width=width, dark=dark)
    assert page.asked == [path.as_uri()]
    assert page.said == []
    marks = 30 if kind == "timeline" else 25
    assert page.run("document.querySelectorAll('#chart .point').length") >= marks
    assert page.run("document.documentElement.scrollWidth") <= width


def test_nothing_added_to_a_page_runs_or_leaves_it(page: Page, tmp_path: Path) -> None:
    page.open(saved(tmp_path, timeline_page(an_evolution(3))))
    page.run(
        "const more = document.createElement('script'); more.textContent = 'hacked = 1';"
        "document.body.append(more); document.body.insertAdjacentHTML("
        "'beforeend', '<img src=\"http://127.0.0.1:9/x\" onerror=\"hacked = 1\">'); 0"
    )
    refused = "fetch('http://127.0.0.1:9/').then(() => 'sent', error => error.name)"
    assert page.run(refused) == "TypeError"
    page.settle()
    assert page.run("typeof hacked") == "undefined"
    assert sum("Content Security Policy" in line for line in page.said) >= 3


@pytest.mark.parametrize("neighbourhood", [SMALL, LARGE], ids=["60 edges", "600 edges"])
def test_the_slider_shows_the_edges_that_were_true(
    page: Page, tmp_path: Path, neighbourhood: Neighbourhood
) -> None:
    page.open(graph(tmp_path, neighbourhood))
    last = page.run("Number(document.getElementById('as-of').max)")
    assert page.run("Number(chart.dataset.shown)") == count(
        neighbourhood, f"{NOW.astimezone():%Y-%m-%d}"
    )
    seen: set[int] = set()
    for step in range(9):
        shown = page.run(MOVE % ("as-of", last * step // 8))
        assert shown == count(neighbourhood, date_of(page, "as-of"))
        assert page.run("document.querySelectorAll('tbody tr:not([hidden])').length") == shown
        assert page.run("chart.data.find(({customdata}) => customdata).x.length") == shown
        seen.add(shown)
    assert len(seen) > 5
    assert page.said == []


def test_both_sliders_together_show_what_was_known(page: Page, tmp_path: Path) -> None:
    page.open(graph(tmp_path, SMALL))
    page.run("document.getElementById('by-knowledge').click()")
    last = page.run("Number(document.getElementById('known-at').max)")
    differs = 0
    for known in range(5):
        page.run(MOVE % ("known-at", last * known // 4))
        for step in range(5):
            shown = page.run(MOVE % ("as-of", last * step // 4))
            as_of, known_at = date_of(page, "as-of"), date_of(page, "known-at")
            assert shown == count(SMALL, as_of, known_at)
            differs += shown != count(SMALL, as_of)
    assert differs > 5


def test_a_graph_opens_at_its_moment(page: Page, tmp_path: Path) -> None:
    at = Moment(as_of=datetime(2024, 2, 1, tzinfo=UTC), known_at=datetime(2024, 3, 1, tzinfo=UTC))
    page.open(graph(tmp_path, SMALL, at))
    as_of, known_at = date_of(page, "as-of"), date_of(page, "known-at")
    assert (as_of, known_at) == tuple(
        f"{one.astimezone():%Y-%m-%d}" for one in (at.as_of, at.known_at) if one
    )
    assert page.run("Number(chart.dataset.shown)") == count(SMALL, as_of, known_at)


def test_the_buttons_go_to_the_changes_before_and_after(page: Page, tmp_path: Path) -> None:
    page.open(graph(tmp_path, SMALL))
    page.run(MOVE % ("as-of", 300))
    before = {
        edge.relation.line
        for edge in SMALL.edges
        if holds(edge.relation, end_of(date_of(page, "as-of")), None)
    }
    page.run("document.querySelector('[data-step=\"1\"]').click()")
    page.settle()
    day = date_of(page, "as-of")
    after = {edge.relation.line for edge in SMALL.edges if holds(edge.relation, end_of(day), None)}
    assert before != after


def test_what_is_searched_for_stands_out(page: Page, tmp_path: Path) -> None:
    page.open(graph(tmp_path, LARGE))
    page.run(
        "byId('find').value = 'CALISMA GUNLUGU'; byId('find').dispatchEvent(new Event('input'))"
    )
    page.settle()
    page.settle()
    assert "Çalışma günlüğü" in page.run("byId('chosen').textContent")
    opacity = page.run("chart.data.at(-1).marker.opacity")
    assert 1 < sum(value > 0.3 for value in opacity) < 60
    labels = page.run(LABELS)
    assert any(label.startswith("Çalışma günlüğü") for label in labels)


def test_pointing_and_clicking_at_a_mark_tells_what_happened(page: Page, tmp_path: Path) -> None:
    evolution = an_evolution()
    page.open(saved(tmp_path, timeline_page(evolution)))
    changed = next(n for n, one in enumerate(evolution.occurrences) if one.event.added)
    box = page.run(
        "(() => { const marks = chart.data.findIndex(({name}) => name === 'modified');"
        f"const nth = chart.data[marks].customdata.indexOf({changed});"
        "const box = document.querySelectorAll('#chart .trace')[marks]"
        ".querySelectorAll('.point')[nth].getBoundingClientRect();"
        "return [box.left + box.width / 2, box.top + box.height / 2]; })()"
    )
    page.click(*box)
    event = evolution.occurrences[changed].event
    for card in ("hover", "chosen"):
        page.until(f"byId('{card}').textContent")
        told = page.run(f"byId('{card}').textContent")
        assert evolution.occurrences[changed].note_title in told
        assert all(sentence in told for sentence in event.added + event.removed)


def test_zooming_in_shows_a_shorter_time(page: Page, tmp_path: Path) -> None:
    page.open(saved(tmp_path, timeline_page(an_evolution())))
    span = "chart.layout.xaxis.range.map(Date.parse).reduce((a, b) => b - a)"
    whole = page.run(span)
    page.run("byId('closer').click()")
    page.settle()
    assert page.run(span) == pytest.approx(whole / 2, rel=0.01)
    page.run("byId('all').click()")
    page.settle()
    assert page.run(span) == pytest.approx(whole, rel=0.01)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_names_run_nothing_and_stay_text(page: Page, tmp_path: Path, words: str) -> None:
    graph_of = replace(
        SMALL,
        name=words,
        nodes=tuple(replace(node, title=words, note_type=words) for node in SMALL.nodes),
        edges=tuple(
            replace(
                edge,
                relation=replace(
                    edge.relation, relation=words, source_title=words, note_path=words
                ),
            )
            for edge in SMALL.edges
        ),
    )
    evolution = Evolution(
        concept=words,
        occurrences=tuple(
            replace(one, note_title=words, event=replace(one.event, detail=words, added=(words,)))
            for one in an_evolution().occurrences
        ),
    )
    for text in (graph_page(graph_of, causal=CAUSAL, now=NOW), timeline_page(evolution)):
        page.open(saved(tmp_path, text))
        [x, y] = page.run(
            "(() => { const box = document.querySelector('#chart .point').getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2]; })()"
        )
        page.click(x, y)
        page.settle()
        assert page.run("typeof hacked") == "undefined"
        assert page.run("document.querySelectorAll('img, a, b, #chart [*|href]').length") == 0
        assert page.run("document.scripts.length") == 3
        labels = page.run(LABELS)
        assert any(label[:12] == words[:12] for label in labels)
        assert page.asked == [(tmp_path / "page.html").as_uri()]
        assert page.said == []
