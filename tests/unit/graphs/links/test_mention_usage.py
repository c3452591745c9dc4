"""How a vault uses the words of a mention, as it is read from the catalog."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from graphs.links.suggesting.mention_usage import mention_probabilities, mention_usages
from tests.support.vaults.catalogs import written_catalog
from tools.links.mention_score import Usage
from tools.links.mentions import Mention
from tools.vault.catalog.catalog import Catalog

SAVED = datetime(2024, 5, 20, tzinfo=UTC)
NOTES = {
    "Lake Ohrid.md": "# Lake Ohrid\n\nDeep.\n",
    "Trip.md": "# Trip\n\nTo [[Lake Ohrid]] and on.\n\n## Lake Ohrid\n\nLake Ohrid again.\n",
    "Fish.md": "# Fish\n\nTrout of Lake Ohrid.\n",
    "Water.md": "# Water\n\nSee [[Lake Ohrid|the old one]].\n",
    "Other.md": "# Other\n\nA lake, and Ohrid.\n",
}


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    found = written_catalog(tmp_path_factory.mktemp("data"), NOTES, saved=SAVED)
    yield found
    found.close()


def mention(path: str, words: str) -> Mention:
    return Mention(path=path, name=words, words=words, line=3, start=0, end=len(words))


def test_each_note_with_the_words_counts_once(catalog: Catalog) -> None:
    graph = catalog.inventory.link_graph()
    mentions = [mention("Lake Ohrid.md", "Lake Ohrid"), mention("Fish.md", "Fish")]
    assert mention_usages(catalog, graph, mentions) == [
        Usage(notes=5, saying=4, linking=2),
        Usage(notes=5, saying=1, linking=0),
    ]


def test_a_note_that_is_linked_to_is_surer(catalog: Catalog) -> None:
    graph = catalog.inventory.link_graph()
    mentions = [mention("Lake Ohrid.md", "Lake Ohrid"), mention("Other.md", "Lake Ohrid")]
    linked, other = mention_probabilities(catalog, graph, mentions)
    assert 0.0 < other < linked < 1.0
