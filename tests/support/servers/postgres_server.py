"""A Postgres server for the tests that need one: a running one, or one of the session's own."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

SERVE = Path(__file__).parents[3] / "scripts" / "postgres" / "serve.py"
UNAVAILABLE = 69


def serve(action: str, home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(SERVE), action, "--home", str(home), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def _started(home: Path) -> str:
    started = serve("start", home)
    if started.returncode == UNAVAILABLE:
        pytest.skip(started.stderr.strip().splitlines()[-1])
    assert started.returncode == 0, started.stderr
    return started.stdout.strip()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server: that of ``BRAIN_TEST_POSTGRES_URI``, or one of ours.

    Without a server the tests that ask for it are skipped.
    """
    if given := os.environ.get("BRAIN_TEST_POSTGRES_URI"):
        yield given
        return
    # Not in the tests' own folder: another user runs the server and may not enter it.
    home = Path(tempfile.mkdtemp(prefix="brain-pg-"))
    yield _started(home)
    serve("stop", home)
    shutil.rmtree(home)


@pytest.fixture
def postgres_uri(postgres_server: str) -> Iterator[str]:
    """The address of an empty database, which is dropped afterwards."""
    import psycopg
    from psycopg import sql

    name = f"test_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    yield f"{postgres_server.rpartition('/')[0]}/{name}"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
        server.execute(drop)


@pytest.fixture
def own_postgres() -> Iterator[tuple[Path, str]]:
    """The home and the address of a server that a test may stop and start again."""
    home = Path(tempfile.mkdtemp(prefix="brain-pg-"))
    yield home, _started(home)
    serve("stop", home)
    shutil.rmtree(home)
