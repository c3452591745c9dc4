"""One index for many tests that write: each finds the vault as the first one did."""

from collections.abc import Generator, Mapping

from tests.support.vaults.indexed import Indexed
from tests.support.vaults.notes import write_notes


class Renewed:
    """An indexed vault whose servers run on while its notes are put back.

    What tests leave in the data directory beside the stores is deleted. The stores catch up with
    the notes by indexing, so a note that a test changed has a history.
    """

    def __init__(self, indexed: Indexed, notes: Mapping[str, str]) -> None:
        self._indexed = indexed
        self._notes = notes
        self._write()
        self._indexing = indexed.while_indexed()
        next(self._indexing)
        self._kept = {entry.name for entry in indexed.data_dir.iterdir()}

    def anew(self) -> Indexed:
        """The vault with its first notes, indexed."""
        self._indexed.clear(but=self._kept)
        self._write()
        self._indexed.index()
        return self._indexed

    def end(self) -> None:
        """End the servers."""
        for _ in self._indexing:
            pass

    def _write(self) -> None:
        vault = self._indexed.vault
        for file in [path for path in vault.rglob("*") if path.is_file()]:
            if file.relative_to(vault).as_posix() not in self._notes:
                file.unlink()
        write_notes(vault, self._notes)


def renewed(indexed: Indexed, notes: Mapping[str, str]) -> Generator[Renewed]:
    """What a fixture of a module does, for one of each test that takes ``anew()`` of it."""
    made = Renewed(indexed, notes)
    try:
        yield made
    finally:
        made.end()
