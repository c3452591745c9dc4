"""One data directory and its servers for the vaults of many modules, one after another."""

import asyncio
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.support.vaults.indexed import Indexed
from tests.support.vaults.notes import write_notes

_SERVERS_OWN = ("vault", "chroma", "graph", "run", "logs")


class InTurn:
    """What a module finds is as if it was made for it, but for the servers, which run on.

    Indexing takes from the stores whatever the catalog does not know.
    """

    def __init__(self, folder: Path) -> None:
        self._indexed = Indexed(vault=folder / "vault", data_dir=folder / "data")

    def emptied(self) -> Indexed:
        """A vault without notes that was never indexed."""
        vault, data_dir = self._indexed.vault, self._indexed.data_dir
        shutil.rmtree(vault, ignore_errors=True)
        vault.mkdir()
        for entry in data_dir.iterdir() if data_dir.exists() else ():
            if entry.name not in _SERVERS_OWN and entry.suffix != ".lock":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        return self._indexed

    def written(self, write: Callable[[Path], object]) -> Indexed:
        """A vault that ``write`` was given to fill, indexed."""
        made = self.emptied()
        write(made.vault)
        asyncio.run(_index(made))
        return made

    def of(self, notes: Mapping[str, str]) -> Indexed:
        """A vault of these notes, each by its path, indexed."""
        return self.written(lambda vault: write_notes(vault, notes))


async def _index(made: Indexed) -> None:
    async with made.open() as brain:
        await brain.index()


_MADE = pytest.StashKey[dict[str, InTurn]]()


def in_turn(request: pytest.FixtureRequest, *, languages: str = "English") -> InTurn:
    """The one of this run, for a fixture of a module.

    Notes in several ``languages`` want another encoder, for which the server starts anew: they have
    one of their own.
    """
    made = request.session.stash.setdefault(_MADE, {})
    if languages not in made:
        folders: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        folder = folders.mktemp("in turn")
        made[languages] = InTurn(folder)
        request.session.addfinalizer(
            Indexed(vault=folder / "vault", data_dir=folder / "data").stop_servers
        )
    return made[languages]
