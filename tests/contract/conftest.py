"""The graph stores that must all behave alike: in memory, and Graphiti on each real database."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fakes.graph import InMemoryGraph
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.store import GraphStore
from tools.runtime import services
from tools.settings.settings import Settings

REAL = [
    pytest.param("falkor", marks=pytest.mark.integration),
    pytest.param("neo4j", marks=pytest.mark.integration),
]


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


def _open(kind: str, request: pytest.FixtureRequest) -> Callable[[], GraphitiStore]:
    if kind == "neo4j":
        uri = request.getfixturevalue("neo4j_uri")
        return lambda: GraphitiStore(Neo4jBackend(uri, vault="tests"))
    where = request.getfixturevalue("socket")
    return lambda: GraphitiStore(FalkorBackend(where, graph="vault"))


@pytest.fixture(params=REAL)
def real_store(request: pytest.FixtureRequest) -> Callable[[], GraphitiStore]:
    """Opens a store on a real database, in the event loop of whoever calls it."""
    return _open(request.param, request)


@pytest.fixture(params=["memory", *REAL])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[GraphStore]:
    if request.param == "memory":
        yield InMemoryGraph()
        return
    real = _open(request.param, request)()
    await real.reset()
    yield real
    await real.close()
