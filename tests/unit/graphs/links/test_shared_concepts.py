"""What two notes have in common, in words that tell something in their vault."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from graphs.links.suggesting.shared_concepts import concepts_shared_with
from tests.support.vaults.catalogs import written_catalog
from tools.vault.catalog.catalog import Catalog

HABIT = "---\ntags: [note]\n---\n# {0}\n\n## Summary\n\nA kombucha part of what comes. [[Home]]\n"
SAVED = datetime(2024, 5, 20, tzinfo=UTC)
NOTES = {
    "Rye.md": (
        "---\ntags: [note, bread]\n---\n# Rye\n\n## Levain build\n\nThe parts come together with "
        "pentosans; a pentosan is sticky. See [[Yeast]] and [[Home]].\n\n## Summary\n\nKombucha.\n"
    ),
    "Wheat.md": (
        "---\ntags: [note, bread]\n---\n# Wheat\n\n## Levain build\n\nPart of it comes from "
        "Pentosans. See [[Yeast]] and [[Home]].\n\n## Summary\n\nKombucha.\n"
    ),
    "Yeast.md": "# Yeast\n\nIt rises.\n",
    "Home.md": "# Home\n\nAll of it.\n",
} | {f"{number}.md": HABIT.format(number) for number in range(12)}


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    found = written_catalog(tmp_path_factory.mktemp("data"), NOTES, saved=SAVED)
    yield found
    found.close()


def test_what_only_a_few_notes_have_is_shared_as_it_is_written(catalog: Catalog) -> None:
    shared = concepts_shared_with(catalog, catalog.inventory.link_graph(), "Rye.md", ["Wheat.md"])
    assert shared == {"Wheat.md": ("Yeast", "bread", "Levain build", "pentosans")}


def test_habits_of_the_vault_and_everyday_words_are_not(catalog: Catalog) -> None:
    shared = concepts_shared_with(catalog, catalog.inventory.link_graph(), "Rye.md", ["1.md"])
    assert shared == {"1.md": ()}
