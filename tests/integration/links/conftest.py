"""The vault of a module of tests: its ``NOTES``, indexed once and put back for each test."""

from collections.abc import Iterator
from types import ModuleType
from typing import cast

import pytest

from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed


@pytest.fixture(scope="module")
def vault(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Renewed]:
    folders = tmp_path_factory
    module = cast("ModuleType", request.module)  # pyright: ignore[reportUnknownMemberType]
    notes = cast("dict[str, str]", vars(module)["NOTES"])
    yield from renewed(Indexed(vault=folders.mktemp("v"), data_dir=folders.mktemp("d")), notes)


@pytest.fixture
def place(vault: Renewed) -> Indexed:
    return vault.anew()
