"""A link that was written is known to graph, text and vectors before anybody can ask for it."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from functools import partial

import pytest

from graphs.brain import Brain
from graphs.links.writing.apply import apply, indexed, planned, undo
from tests.support.vaults.added_notes import as_tier, given_by
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tools.base.errors import SourceError
from tools.settings.settings import Settings
from tools.vault.editing.places import AsField, InFrontmatter, NewLink
from tools.vault.storage.link_journal import LinkWrite

pytestmark = pytest.mark.integration

NOTES = {
    "Tides.md": "# Tides\n\nTides follow the moon.\n",
    "moon/Orbit.md": "---\nstatus: open\n---\n# Orbit\n\nAn orbit is an ellipse.\n",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folder = tmp_path_factory.mktemp("linked")
    yield from renewed(Indexed(vault=folder / "vault", data_dir=folder / "data"), NOTES)


@pytest.fixture
def place(shared: Renewed) -> Indexed:
    return shared.anew()


@pytest.fixture
async def brain(place: Indexed) -> AsyncIterator[Brain]:
    async with place.open() as opened:
        yield opened


def link(settings: Settings) -> LinkWrite:
    there = NewLink(name="Orbit", relation="elaborates", context="the barycentre pulls water")
    back = NewLink(name="Tides", relation="elaborated_by")
    return LinkWrite(
        at=datetime(2026, 1, 1, tzinfo=UTC),
        by="me",
        source="Tides.md",
        target="moon/Orbit.md",
        relation="elaborates",
        context=there.context,
        edits=(
            planned(settings, "Tides.md", there, AsField()),
            planned(settings, "moon/Orbit.md", back, InFrontmatter()),
        ),
    )


async def known(brain: Brain) -> tuple[bool, bool, bool]:
    """Whether graph, text and vectors have the link."""
    reader = as_tier(brain, "reader")
    facts = await brain.facts("Tides")
    text = await given_by(reader, "search_notes", query="barycentre")
    near = await given_by(reader, "semantic_search", query="the barycentre pulls water")
    return (
        "Orbit" in str(facts),
        "Tides.md" in {one["path"] for one in text["notes"]},
        "barycentre" in str(near),
    )


async def test_all_stores_know_of_a_link_and_of_its_undoing(brain: Brain) -> None:
    settings = brain.settings
    before = {path: (settings.vault / path).read_bytes() for path in NOTES}
    done, warnings = await indexed(partial(apply, settings, link(settings)), brain.index)
    assert (done.state, warnings) == ("applied", ())
    assert await known(brain) == (True, True, True)
    undone, warnings = await indexed(partial(undo, settings, done.id), brain.index)
    assert (undone.state, warnings) == ("undone", ())
    assert await known(brain) == (False, False, False)
    assert {path: (settings.vault / path).read_bytes() for path in NOTES} == before


async def test_what_cannot_be_indexed_is_written_and_warned_of(brain: Brain) -> None:
    async def refuse() -> None:
        raise SourceError("The graph does not answer.")

    settings = brain.settings
    done, (warning,) = await indexed(partial(apply, settings, link(settings)), refuse)  # type: ignore[arg-type]
    assert done.state == "applied"
    assert b"[[Orbit]]" in (settings.vault / "Tides.md").read_bytes()
    assert (warning.source, warning.error) == ("index", "The graph does not answer.")
