"""The map of a vault's links in a real browser: drawn at once, searched, pointed and clicked at."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes.browser import Page, browser
from tools.base.domain import LinkMap, NoteConnections
from tools.links.communities import communities
from tools.links.connections import connections
from tools.rendering.html.map_page import map_page
from tools.vault.catalog.link_graph import link_graph

pytestmark = pytest.mark.integration

PLACE = (
    "(() => { const box = canvas.getBoundingClientRect(), at = place(nodes[%d]);"
    "return [box.left + at.x, box.top + at.y]; })()"
)
FIND = "byId('find').value = '%s'; byId('find').dispatchEvent(new Event('input'))"
LIT = "Number(chart.dataset.lit)"


def a_map(count: int, links: int) -> LinkMap:
    """Notes in clusters of ten, the first linked the most, the last five without a link."""
    rng = random.Random(3)  # noqa: S311 - a picture, no secret
    paths = [f"folder {number % 3}/Çay {number}.md" for number in range(count)]
    made: set[tuple[str, str]] = set()
    while len(made) < links:
        one = rng.randrange(count - 5)
        other = one // 10 * 10 + rng.randrange(10) if rng.random() < 0.8 else 0
        if one != other < count - 5:
            made.add((paths[one], paths[other]))
    graph = link_graph(sorted(made))
    notes = connections(graph, {path: Path(path).stem for path in paths})
    number = {note.path: place for place, note in enumerate(notes)}
    pairs = tuple(sorted((number[one], number[other]) for one, other in made))
    found = communities(count, pairs)
    return LinkMap(
        notes=tuple(notes),
        communities=tuple(
            own if note.neighbours else None for own, note in zip(found, notes, strict=True)
        ),
        links=pairs,
    )


FOUND = a_map(60, 110)


def hub(found: LinkMap) -> tuple[int, NoteConnections]:
    return max(enumerate(found.notes), key=lambda one: one[1].neighbours)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    saved = tmp_path_factory.mktemp("map") / "map.html"
    saved.write_text(map_page(FOUND, vault="Home"), encoding="utf-8")
    return saved


@pytest.mark.parametrize(
    ("width", "dark"), [(390, False), (1280, True)], ids=["narrow and light", "wide and dark"]
)
def test_it_draws_quietly_names_hubs_and_asks_for_nothing(
    page: Page, path: Path, width: int, dark: bool
) -> None:
    page.open(path, width=width, dark=dark)
    assert page.asked == [path.as_uri()]
    assert page.said == []
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run(LIT) == 60
    names = page.run("[...document.querySelectorAll('#names span')].map(name => name.textContent)")
    assert hub(FOUND)[1].title in names
    places = page.run("nodes.map(place)")
    wide, tall = page.run("[wide(), tall()]")
    assert all(0 < at["x"] < wide and 0 < at["y"] < tall for at in places)


def test_pointing_tells_of_a_note_and_a_click_shows_its_links_alone(page: Page, path: Path) -> None:
    number, note = hub(FOUND)
    page.open(path)
    at = page.run(PLACE % number)
    page.point(*at)
    shown = page.run("byId('hover').textContent")
    assert note.title in shown
    assert f"links to {note.links_out} note" in shown
    page.click(*at)
    assert page.run(LIT) == note.neighbours + 1
    card = page.run("byId('chosen').innerHTML")
    assert f"vault=Home&amp;file=folder%20{note.path[7]}" in card
    page.run("byId('chosen').querySelector('button').click()")
    page.settle()
    assert page.run("state.focus") not in {None, number}
    page.run("canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")
    page.settle()
    assert page.run(LIT) == 60


def test_what_is_searched_for_stands_out_and_one_note_is_chosen(page: Page, path: Path) -> None:
    page.open(path)
    page.run(FIND % "CAY 1")
    page.settle()
    assert page.run("state.focus === null ? '' : nodes[state.focus].title") == "Çay 1"
    page.run(FIND % "cay")
    page.settle()
    assert page.run("[state.focus, state.lit.size]") == [None, 60]
    page.run(FIND % "no such note")
    page.settle()
    assert page.run(LIT) == 0


def test_a_legend_shows_one_colour_and_colours_can_be_communities(page: Page, path: Path) -> None:
    page.open(path)
    page.run("document.querySelector('.legend:not([hidden]) button').click()")
    page.settle()
    assert page.run(LIT) == 20
    page.run("byId('colouring').value = 'community'")
    page.run("byId('colouring').dispatchEvent(new Event('change'))")
    page.settle()
    assert page.run("document.querySelector('.legend:not([hidden])').textContent").startswith("●")
    assert "around" in page.run("document.querySelector('.legend:not([hidden])').textContent")


def test_dragging_and_the_wheel_move_the_picture_and_all_shows_it_whole(
    page: Page, path: Path
) -> None:
    page.open(path)
    before = page.run(PLACE % 0)
    x, y = page.run("(box => [box.left + 30, box.top + 30])(canvas.getBoundingClientRect())")
    mouse = "Input.dispatchMouseEvent"
    page.tell(mouse, type="mousePressed", x=x, y=y, button="left", clickCount=1)
    page.tell(mouse, type="mouseMoved", x=x + 50, y=y + 20, button="left", buttons=1)
    page.tell(mouse, type="mouseReleased", x=x + 50, y=y + 20, button="left", clickCount=1)
    page.settle()
    moved = page.run(PLACE % 0)
    assert [round(one - other) for one, other in zip(moved, before, strict=True)] == [50, 20]
    page.tell(mouse, type="mouseWheel", x=moved[0], y=moved[1], deltaX=0, deltaY=-120)
    page.until("view.scale > view.whole * 1.3")
    nearer = page.run(PLACE % 0)
    assert all(abs(one - other) <= 1 for one, other in zip(nearer, moved, strict=True))
    page.run("document.querySelector('[data-zoom=\"0\"]').click()")
    page.settle()
    assert page.run(PLACE % 0) == before


@pytest.mark.torture
def test_five_thousand_notes_and_twenty_thousand_links_stay_usable(
    page: Page, tmp_path: Path
) -> None:
    found = a_map(5000, 20_000)
    saved = tmp_path / "map.html"
    saved.write_text(map_page(found, vault="Home"), encoding="utf-8")
    assert saved.stat().st_size < 2_500_000
    page.open(saved)
    assert page.said == []
    number, note = hub(found)
    page.click(*page.run(PLACE % number))
    assert page.run(LIT) == note.neighbours + 1
    one = (
        "(() => { const begin = performance.now(); draw(); pen.getImageData(0, 0, 1, 1);"
        "return performance.now() - begin; })()"
    )
    assert min(page.run(one) for _ in range(5)) < 1000  # milliseconds; a tenth on an idle machine
