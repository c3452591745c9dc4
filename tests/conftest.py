"""Fixtures that several suites use."""

import gc
import logging
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.servers.chroma_server import chroma_server
from tests.support.servers.neo4j_server import neo4j_server, neo4j_uri
from tests.support.servers.postgres_server import own_postgres, postgres_server, postgres_uri
from tests.support.vaults.notes import write_notes
from tools.runtime import event_log
from tools.runtime.process_name import name_process

__all__ = [
    "chroma_server",
    "neo4j_server",
    "neo4j_uri",
    "own_postgres",
    "postgres_server",
    "postgres_uri",
]

# How long something takes is no property: that belongs in a benchmark.
settings.register_profile("unhurried", deadline=None)
# What decides whether a change lands has to be quick, and comes out the same each time.
settings.register_profile("ci", deadline=None, max_examples=30, derandomize=True)
settings.register_profile("torture", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "unhurried"))

EXAMPLES = Path(__file__).parent.parent / "examples" / "vault"


@pytest.fixture(autouse=True, scope="session")
def _little_garbage_is_looked_for() -> None:
    """What is loaded never dies, and looking through it takes a tenth of the time of the tests."""
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(autouse=True, scope="session")
def _ctrl_c_reaches_programs() -> None:
    """A run in the background may be told to ignore it, and all that it starts inherits that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _logging_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test that runs a server's or the command line's way in makes this process one of ours."""
    root = logging.getLogger()
    before, collecting = list(root.handlers), gc.get_threshold()
    monkeypatch.setattr(event_log, "_libraries", None)
    yield
    name_process(None)
    gc.set_threshold(*collecting)
    for handler in list(root.handlers):
        if handler not in before and not type(handler).__module__.startswith("_pytest"):
            root.removeHandler(handler)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the developer's own settings and working directory out of the tests."""
    names = ("VAULT", "DATA_DIR", "MODE", "CHAT_MODEL", "MODEL_CHECKS")
    graph = ("GRAPH_URI", "GRAPH_USER", "GRAPH_PASSWORD", "GRAPH_DATABASE")
    stores = ("CHROMA_URL", "CHROMA_TOKEN", "CHROMA_TENANT", "CHROMA_DATABASE", "CHECKPOINT_URI")
    for name in (f"BRAIN_{name}" for name in (*names, *graph, *stores)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def write_vault(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Write notes, given by path and text, and return the vault's folder."""

    def write(notes: dict[str, str]) -> Path:
        root = tmp_path / "vault"
        write_notes(root, notes)
        return root

    return write


@pytest.fixture(scope="session")
def example_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the example vault, so that no test can touch the real one."""
    copy = tmp_path_factory.mktemp("example") / "vault"
    shutil.copytree(EXAMPLES, copy)
    return copy
