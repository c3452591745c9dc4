"""A vault that was moved or renamed goes on with the index that it had elsewhere.

Notes are kept by their paths inside the vault, so nothing but the data directory's own name for its
vault depends on where it lies.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from graphs.operations.remote_stores import remote_stores, require_reached
from graphs.operations.stop import stop_servers
from graphs.stores.index_lock import only_indexer
from graphs.stores.ownership import claim_anew
from tools.base.errors import InputError, StorageError
from tools.runtime.server_process import FILLED
from tools.runtime.sqlite import peek, reason
from tools.settings.loading import load_any_settings
from tools.settings.settings import Settings, default_data_dir
from tools.vault.disk.files import scan

ALIKE = 0.5
"""Share of the notes of an index that a vault must have to be the one that was indexed."""


def left_behind(settings: Settings) -> Path | None:
    """The data directory of a vault that is gone and had the notes of this one, if there is one.

    Only where this vault has no index yet and its data directory is the default one.
    """
    if settings.index_path.exists() or settings.data_dir != default_data_dir(settings.vault):
        return None
    paths = _paths(settings)
    for data_dir in _siblings(settings.data_dir):
        vault = _owner(data_dir)
        if vault is not None and not vault.exists() and _alike(data_dir, paths):
            return data_dir
    return None


async def take_over(settings: Settings) -> int:
    """Have this vault go on with the index of the place it was moved from; return its notes.

    The index is that of the data directory of the settings where it has one, else the one that a
    moved vault left behind. Raises InputError where there is none, where the vault that was indexed
    is still there, or has other notes; StorageError where a store of it cannot be used.
    """
    old = settings.data_dir if _owner(settings.data_dir) else left_behind(settings)
    before = _owner(old) if old is not None else None
    if old is None or before is None:
        raise InputError(
            "No index of a vault that was moved here was found: name its folder with --data-dir."
        )
    if before == settings.vault:
        raise InputError("This data directory is this vault's already: run `brain index`.")
    if before.exists():
        raise InputError(
            "The vault of this data directory still is where it was, so it was not moved here: "
            "choose another with --data-dir."
        )
    paths = _paths(settings)
    if not _alike(old, paths):
        raise InputError(
            "The notes of this vault are not those of that index, so it was not taken over: "
            "without --moved a new index is made."
        )
    await _leave(old, before, to=settings)
    with only_indexer(old):
        try:
            for mark in (*(old / "graph").glob(f"{FILLED}*"), *(old / "chroma").glob(FILLED)):
                mark.unlink(missing_ok=True)
            if old != settings.data_dir:
                old.rename(settings.data_dir)
            claim_anew(settings)
        except OSError as error:
            raise StorageError(
                f"The data directory cannot be changed ({reason(error)}): check its permissions "
                "and run `brain index --moved` again; the index is kept."
            ) from error
    return len(_indexed(settings.data_dir) & paths)


async def _leave(data_dir: Path, vault: Path, *, to: Settings) -> None:
    """End the servers of the vault's old place; what is at addresses comes along, or is forgotten.

    Raises StorageError where a store at an address cannot be used; nothing is changed then.
    """
    settings = load_any_settings(vault=vault, data_dir=data_dir)
    await stop_servers(settings)
    stores = remote_stores(settings)
    await require_reached(stores, otherwise="Nothing was taken over")
    for store in stores:
        await store.move(to)


def _siblings(data_dir: Path) -> Iterator[Path]:
    try:
        folders = sorted(data_dir.parent.iterdir())
    except OSError:
        return
    yield from (folder for folder in folders if folder != data_dir and folder.is_dir())


def _owner(data_dir: Path) -> Path | None:
    try:
        name = (data_dir / "vault").read_bytes().removesuffix(b"\n")
    except OSError:
        return None
    return Path(os.fsdecode(name)) if name else None


def _paths(settings: Settings) -> set[str]:
    found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
    return {file.path for file in found.files}


def _alike(data_dir: Path, paths: set[str]) -> bool:
    indexed = _indexed(data_dir)
    return bool(indexed) and len(indexed & paths) >= ALIKE * len(indexed)


def _indexed(data_dir: Path) -> set[str]:
    """The notes of an index, of whatever version; none where it cannot be read."""
    return {path for (path,) in peek(data_dir / "index.db", "SELECT path FROM notes")}
