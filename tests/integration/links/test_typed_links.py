"""What notes say of one another: the catalog has the edges that the graph has."""

import pytest

from graphs.brain import Brain
from tests.support.vaults.in_turn import in_turn
from tests.support.vaults.indexed import Indexed
from tools.graph.relations import PLAIN

pytestmark = pytest.mark.integration

NOTES = {
    "Basil.md": "---\nsupports: Tea\nauthor: [Ada, Nobody]\ntitle: Basil of [[Tea]]\n---\nGrows.\n",
    "Tea.md": "# Tea\n\nsupported by:: [[Basil|it]], and [leads to:: [Milk](./sub/Milk.md)].\n",
    "sub/Milk.md": "---\ncontradicts:\n  - '[[Tea]]'\n  - '[[sub/Milk]]'\n---\n- kind of:: Basil\n",
    "Ada.md": "---\naliases: [Countess]\n---\nsee [[Tea]], ![[Milk]]\nsupports:: [[Lost]]\n",
    "Old.md": "supports:: [[Tea]]\nsuperseded_by:: [[Ada]]\n",
    "Older.md": "# Older\n\nelaborates:: [[Tea]], [[countess]]\n",
    "New.md": "# New\n\nsupersedes:: [[Older]]\nelaborates:: [[Countess]]\n",
}


@pytest.fixture(params=["made", "example"])
def place(request: pytest.FixtureRequest) -> Indexed:
    if request.param == "made":
        return in_turn(request).of(NOTES)
    example: Indexed = request.getfixturevalue("indexed")
    return example


async def test_they_are_the_edges_of_the_graph(place: Indexed) -> None:
    async with place.open() as brain:
        known = set(brain.deps.catalog.inventory.typed_links())
        assert known == await in_graph(brain)
    assert len(known) >= 8


async def in_graph(brain: Brain) -> set[tuple[str, str, str]]:
    facts = await brain.deps.graph.facts(brain.deps.catalog.paths())
    return {
        (one.source_path, one.relation, one.target_path)
        for one in facts
        if one.source_path and one.target_path and one.relation not in PLAIN
    }
