"""One data directory and its servers for the vaults of many modules, one after another."""

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
        shutil.rmtree(self._indexed.vault, ignore_errors=True)
        self._indexed.vault.mkdir()
        self._indexed.clear(but=_SERVERS_OWN)
        return self._indexed

    def written(self, write: Callable[[Path], object]) -> Indexed:
        """A vault that ``write`` was given to fill, indexed."""
        made = self.emptied()
        write(made.vault)
        made.index()
        return made

    def of(self, notes: Mapping[str, str]) -> Indexed:
        """A vault of these notes, each by its path, indexed."""
        return self.written(lambda vault: write_notes(vault, notes))

    def end(self) -> None:
        """End the servers."""
        self._indexed.stop_servers()


_MADE = pytest.StashKey[dict[str, InTurn]]()


def in_turn(request: pytest.FixtureRequest, *, languages: str = "English") -> InTurn:
    """The one of this run, for a fixture of a module.

    Notes in several ``languages`` want another encoder, for which the server starts anew: they have
    one of their own.
    """
    made = request.session.stash.setdefault(_MADE, {})
    if languages not in made:
        folders: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
        made[languages] = InTurn(folders.mktemp("in turn"))
        request.session.addfinalizer(made[languages].end)
    return made[languages]
