"""What a vault's tags, folders and notes are called, read once until a note changes."""

from collections.abc import Callable, Set

from agents.interpreter.vault.names import Names
from agents.interpreter.vault.questions import VaultNames
from tools.text.normalize import fold_name
from tools.vault.catalog.catalog import Catalog


def names_of(catalog: Catalog) -> Callable[[], VaultNames]:
    """A function that gives them as they are now; it blocks."""
    kept: list[tuple[Set[str], VaultNames]] = []

    def now() -> VaultNames:
        notes = catalog.name_set()  # the same object until a note changes
        if not kept or kept[0][0] is not notes:
            held = catalog.inventory.notes()
            names = VaultNames(
                tags=Names.of_tags(tag for note in held for tag in note.tags),
                folders=Names.of_folders(
                    folder for note in held for folder in (*note.folders, *note.branches)
                ),
                notes=notes | {fold_name(note.path) for note in held},
            )
            kept[:] = [(notes, names)]
        return kept[0][1]

    return now
