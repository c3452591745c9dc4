"""The links of a whole vault: orphans, hubs, unlinked mentions, a map, a link around a mention."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphs.links.suggesting.unlinked import unlinked_mentions
from graphs.links.writing.create import LinkRequest
from tests.support.processes.command_line import run_here
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tools.base.errors import InputError

pytestmark = pytest.mark.integration

SOURDOUGH = (
    "# Sourdough\n\nA loaf with Fornax oven 24; no `Fornax oven 24` in code.\n\n"
    "It needs a [[Bulk fermentation]], then Fornax oven 24 again. Bulk fermentation takes hours.\n"
)
NOTES = {
    "Sourdough.md": SOURDOUGH,
    "Fornax oven 24.md": "# Fornax oven 24\n\nThe last rise of a loaf. See [[Rye bread]].\n",
    "Rye bread.md": "# Rye bread\n\nDense; little Fornax oven 24. [[Bulk fermentation]]\n",
    "Bulk fermentation.md": "# Bulk fermentation\n\nThe first rise.\n",
    "Tax return 2024.md": "# Tax return 2024\n\nForms and receipts.\n",
    "Home.md": "# Home\n\nWe went home.\n",
    "Diary.md": "# Diary\n\nAt home all day, with the **Tax return 2024**.\n",
}
FILLER = {f"more/{number}.md": f"At home on day {number}; home again.\n" for number in range(30)}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folders = tmp_path_factory
    place = Indexed(vault=folders.mktemp("v"), data_dir=folders.mktemp("d"))
    yield from renewed(place, NOTES | FILLER)


@pytest.fixture
def place(vault: Renewed) -> Indexed:
    return vault.anew()


async def test_notes_with_the_fewest_links_come_first_and_hubs_with_the_most(
    place: Indexed,
) -> None:
    async with place.open() as brain:
        least = await brain.links.orphans(limit=100)
        hubs = await brain.links.orphans(hubs=True)
        with pytest.raises(InputError, match="--limit 1"):
            await brain.links.orphans(limit=0)
    assert (least.total, least.orphans, len(least.notes)) == (37, 33, 37)
    assert [one.path for one in least.notes][-4:] == [
        "Fornax oven 24.md", "Sourdough.md", "Bulk fermentation.md", "Rye bread.md"
    ]  # fmt: skip
    assert [one.path for one in hubs.notes][:2] == ["Bulk fermentation.md", "Rye bread.md"]
    assert len(hubs.notes) == 4
    assert (hubs.notes[0].links_out, hubs.notes[0].links_in) == (0, 2)


async def test_places_that_surely_mean_a_note_that_is_not_linked(place: Indexed) -> None:
    async with place.open() as brain:
        one = await brain.links.mentions("Sourdough")
        every = await brain.links.mentions()
    assert [(found.mention.words, found.mention.line) for found in one.mentions] == [
        ("Fornax oven 24", 3),
        ("Fornax oven 24", 5),
    ]
    assert all(0.9 <= found.probability <= 1.0 for found in every.mentions)
    assert {(found.note, found.mention.path) for found in every.mentions} == {
        ("Sourdough.md", "Fornax oven 24.md"),
        ("Rye bread.md", "Fornax oven 24.md"),
        ("Diary.md", "Tax return 2024.md"),
    }  # "home" stands in every note and means none


async def test_a_note_that_cannot_be_read_is_named_and_the_others_looked_at(
    place: Indexed,
) -> None:
    async with place.open() as brain:
        (place.vault / "Rye bread.md").unlink()  # and the catalog does not know yet
        steps: list[tuple[int, int]] = []
        found = unlinked_mentions(
            brain.deps, None, on_progress=lambda step: steps.append((step.done, step.total))
        )
    assert steps == [(25, 37), (37, 37)]
    assert {one.note for one in found.mentions} == {"Sourdough.md", "Diary.md"}
    [warning] = [one for one in found.warnings if one.source == "vault"]
    assert "'Rye bread.md' could not be read" in warning.error


async def test_a_link_goes_around_a_mention_and_out_again(place: Indexed) -> None:
    before = {path: (place.vault / path).read_bytes() for path in NOTES}
    async with place.open() as brain:
        for line, linked in (
            (None, "A loaf with (supports:: [[Fornax oven 24]]); no"),
            (5, "then (supports:: [[Fornax oven 24]]) again"),
        ):
            around = await brain.links.mention_place("Sourdough", "Fornax oven 24", line=line)
            request = LinkRequest(
                source="Sourdough", target="Fornax oven 24", relation="supports", place=around
            )
            await brain.links.create(await brain.links.plan(request))
            assert linked in (place.vault / "Sourdough.md").read_text("utf-8")
            assert "supported_by:: [[Sourdough]]" in (place.vault / "Fornax oven 24.md").read_text()
            await brain.links.undo_last()
            assert {path: (place.vault / path).read_bytes() for path in NOTES} == before


async def test_words_that_are_no_longer_there_do_not_become_a_link(place: Indexed) -> None:
    async with place.open() as brain:
        around = await brain.links.mention_place("Sourdough", "Fornax oven 24")
        changed = SOURDOUGH.replace("A loaf with Fornax oven 24", "A loaf, an oven")
        (place.vault / "Sourdough.md").write_text(changed)
        request = LinkRequest(
            source="Sourdough", target="Fornax oven 24", relation="supports", place=around
        )
        with pytest.raises(InputError, match="no longer has the words"):
            await brain.links.plan(request)
    assert (place.vault / "Sourdough.md").read_text() == changed


async def test_where_a_note_does_not_surely_name_another_a_line_says_so(place: Indexed) -> None:
    async with place.open() as brain:
        with pytest.raises(InputError, match=r"does not name 'Tax return 2024\.md' unlinked: put"):
            await brain.links.mention_place("Sourdough", "Tax return 2024")
        with pytest.raises(InputError, match="unlinked in line 4"):
            await brain.links.mention_place("Sourdough", "Fornax oven 24", line=4)
        with pytest.raises(InputError, match="in line 3, but not surely: choose one with --line"):
            await brain.links.mention_place("Diary", "Home")
        chosen = await brain.links.mention_place("Diary", "Home", line=3)
    assert chosen.words == "home"


def test_all_of_it_is_shown_on_a_terminal(place: Indexed, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        done = run_here("link", *arguments, environment=place.environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("orphans", "--limit", "1").splitlines() == [
        "37 notes, 33 without a link.",
        "    0  Diary  (Diary.md)",
    ]
    assert "2  Bulk fermentation  (0 out, 2 in, Bulk fermentation.md)" in run("orphans", "--hubs")
    assert json.loads(run("orphans", "--json", "--limit", "2"))["orphans"] == 33
    assert "Sourdough.md:3:13 “Fornax oven 24” → Fornax oven 24.md (" in run(
        "mentions", "Sourdough"
    )
    assert len(json.loads(run("mentions", "--json"))) == 4
    page = tmp_path / "links.html"
    shown = run("map", "--html", str(page))
    assert shown.startswith("37 notes, 3 links; 2 communities, 33 notes without a link.")
    assert "Bulk fermentation" in page.read_text("utf-8")
    assert len(json.loads(run("map", "--json"))["links"]) == 3
    refused = run_here(
        "link", "map", "--html", str(place.vault / "a.html"), environment=place.environment
    )
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    create = ("create", "Sourdough", "Fornax oven 24", "--type", "supports", "--yes")
    assert "+A loaf with (supports:: [[Fornax oven 24]])" in run(*create, "--at", "mention")
    misplaced = run_here("link", *create, "--line", "3", environment=place.environment)
    assert (misplaced.returncode, "--at mention" in misplaced.stderr) == (2, True)
