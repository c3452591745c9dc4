"""A small indexed vault, opened with a folder for new notes."""

from collections.abc import AsyncIterator, Iterator

import pytest

from graphs.brain import Brain
from graphs.core.graph_backends import staging_graph
from tests.support.vaults.added_notes import NOTES
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tools.graph.backends.graphiti import GraphitiStore


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folder = tmp_path_factory.mktemp("added")
    yield from renewed(Indexed(vault=folder / "vault", data_dir=folder / "data"), NOTES)


@pytest.fixture
def place(shared: Renewed) -> Indexed:
    return shared.anew()


@pytest.fixture
async def brain(place: Indexed) -> AsyncIterator[Brain]:
    async with place.open(new_notes_folder="inbox") as opened:
        yield opened
        store = GraphitiStore(staging_graph(opened.settings, None))
        await store.reset()
        await store.close()
