"""The two graph stores: the one in memory and Graphiti on a real embedded server."""

import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.fakes.graph import InMemoryGraph
from tools.graph.graphiti import GraphitiStore
from tools.graph.store import GraphStore


@pytest.fixture(scope="package")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("graph")
    command = [
        *(sys.executable, "-m", "tools.graph.falkor", "--idle-minutes", "5"),
        *("--data-dir", str(folder / "d"), "--run-dir", str(folder / "r")),
        *("--owner", str(os.getpid())),
    ]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as keeper:
        path = folder / "r" / "graph.sock"
        deadline = time.monotonic() + 20
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        if not path.exists():
            keeper.terminate()
            pytest.fail("the graph server did not listen within 20 s")
        yield path
        keeper.terminate()


@pytest.fixture(params=["memory", pytest.param("falkor", marks=pytest.mark.integration)])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[GraphStore]:
    if request.param == "memory":
        yield InMemoryGraph()
        return
    real = GraphitiStore(request.getfixturevalue("socket"))
    await real.reset()
    yield real
    await real.close()
