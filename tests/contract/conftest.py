"""The two graph stores: the one in memory and Graphiti on a real embedded server."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fakes.graph import InMemoryGraph
from tools import services
from tools.graph.graphiti import GraphitiStore
from tools.graph.store import GraphStore
from tools.settings import Settings


@pytest.fixture(scope="package")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("graph")
    settings = Settings(
        vault=folder / "vault", data_dir=folder / "data", services_owner=os.getpid()
    )
    service = services.graph_service(settings)
    # A thread of its own: the fixture that asks for this one may already run in a loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, services.ensure(service)).result()
        yield service.socket
        thread.submit(asyncio.run, services.stop(service)).result()


@pytest.fixture(params=["memory", pytest.param("falkor", marks=pytest.mark.integration)])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[GraphStore]:
    if request.param == "memory":
        yield InMemoryGraph()
        return
    real = GraphitiStore(request.getfixturevalue("socket"))
    await real.reset()
    yield real
    await real.close()
