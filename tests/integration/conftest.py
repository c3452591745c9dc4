"""The vaults that integration tests share, each with its real servers."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.processes.connections import watcher
from tests.support.vaults.extraction import Place
from tests.support.vaults.indexed import Indexed, stop_servers_of

__all__ = ["watcher"]


@pytest.fixture(scope="session")
def indexed(example_vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    made = Indexed(vault=example_vault, data_dir=tmp_path_factory.mktemp("data"))
    yield from made.while_indexed()


@pytest.fixture(scope="session")
def model_client_imported() -> None:
    """Import the client now: it takes longer than the short limits of some tests leave."""
    import_module("langchain_ollama")


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A vault for notes that a model reads, in a folder of each test's own."""
    made = Place(vault=tmp_path_factory.mktemp("v"), data_dir=tmp_path_factory.mktemp("d"))
    made.write({"Start.md": "Nothing to see."})
    yield made
    stop_servers_of(made.vault, made.data_dir)
