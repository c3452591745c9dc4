"""A Neo4j server for the tests that need one: a running one, or one of the session's own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tools.runtime.server_process import locked

SERVE = Path(__file__).parents[3] / "scripts" / "neo4j" / "serve.py"
UNAVAILABLE = 69


def _serve(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(SERVE), *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server: that of ``BRAIN_TEST_NEO4J_URI``, whose data is deleted, or ours.

    Nothing is fetched here; without a server the tests that ask for it are skipped.
    """
    if given := os.environ.get("BRAIN_TEST_NEO4J_URI"):
        yield given
        return
    home = tmp_path_factory.mktemp("neo4j")
    started = _serve("start", "--fetched", "--brief", "--home", str(home))
    if started.returncode == UNAVAILABLE:
        pytest.skip(started.stderr.strip().splitlines()[-1])
    assert started.returncode == 0, started.stderr
    yield started.stdout.strip()
    _serve("stop", "--home", str(home))


@pytest.fixture
def neo4j_uri(neo4j_server: str) -> Iterator[str]:
    """The address of a server whose database is empty, and this test's alone."""
    from neo4j import GraphDatabase

    # Tests run in several processes, and the server has one database.
    name = f"brain-tests-neo4j-{urlsplit(neo4j_server).port}.lock"
    with locked(Path(tempfile.gettempdir(), name), patience=120) as lock:
        assert lock is not None
        with GraphDatabase.driver(neo4j_server) as driver:  # pyright: ignore[reportUnknownMemberType]
            driver.execute_query("MATCH (n) DETACH DELETE n")  # pyright: ignore[reportUnknownMemberType]
        yield neo4j_server
