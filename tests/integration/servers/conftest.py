"""Vaults with tiers, and without, on embedded servers of their own."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from graphs.operations import access
from tests.support.servers.access import settings_of
from tools.runtime.services import graph_service, stop
from tools.settings.settings import Settings


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A vault whose tiers exist, on an embedded server of its own."""
    settings = settings_of(tmp_path_factory.mktemp("access"))
    asyncio.run(access.provision(settings))
    yield settings
    asyncio.run(stop(graph_service(settings)))


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncIterator[Settings]:
    """A vault without tiers."""
    settings = settings_of(tmp_path)
    yield settings
    await stop(graph_service(settings))
