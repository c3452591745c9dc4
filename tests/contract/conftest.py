"""The graph stores that must all behave alike: in memory, and Graphiti on each real database."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fakes.graph import InMemoryGraph
from tools import services
from tools.graph.backend_falkor import FalkorBackend
from tools.graph.graphiti import GraphitiStore
from tools.graph.store import GraphStore
from tools.settings import Settings

REAL = [pytest.param("falkor", marks=pytest.mark.integration)]


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


@pytest.fixture(params=REAL)
def real_store(request: pytest.FixtureRequest) -> Callable[[], GraphitiStore]:
    """Opens a store on a real database, in the event loop of whoever calls it."""
    where = request.getfixturevalue("socket")
    return lambda: GraphitiStore(FalkorBackend(where, graph="vault"), vault="tests")


@pytest.fixture(params=["memory", *REAL])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[GraphStore]:
    if request.param == "memory":
        yield InMemoryGraph()
        return
    where = request.getfixturevalue("socket")
    real = GraphitiStore(FalkorBackend(where, graph="vault"), vault="tests")
    await real.reset()
    yield real
    await real.close()
