"""Graphiti's driver stays with the graph it was made for."""

import pytest

from tools.base.errors import SourceError
from tools.graph.cypher.graphiti_models import falkor_driver


async def test_graphiti_gets_no_other_graph_than_its_own() -> None:
    driver = await falkor_driver(object(), "mine", indices=())
    assert driver.clone("mine") is driver
    with pytest.raises(SourceError, match="mine"):
        driver.clone("default_db")
