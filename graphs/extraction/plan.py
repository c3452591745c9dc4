"""Which notes of which folders a model has still to read."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import batched
from pathlib import Path

from graphs.extraction.chunking import read_parts
from tools.base.errors import InputError
from tools.graph.extraction.store import InferredStore, NoteVersion
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import scan

_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A note version to read: the parts not yet read, as (part, characters)."""

    version: NoteVersion
    parts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to do in some folders, in order.

    ``read`` notes are done already, ``given_up`` failed too often, ``unindexed`` are on disk and
    not in the index as they are now.
    """

    folders: tuple[str, ...]
    pending: tuple[Pending, ...]
    read: int
    given_up: int
    unindexed: int


def chosen_folders(settings: Settings, folders: Sequence[str]) -> tuple[str, ...]:
    """The folders as paths inside the vault, ``""`` for all of it.

    Raises InputError for one that lies outside the vault or is not there.
    """
    return tuple(dict.fromkeys(_inside(settings.vault, folder) for folder in folders))


def _inside(vault: Path, folder: str) -> str:
    where = Path(folder).expanduser()
    path = Path(os.path.normpath(vault / where))
    try:
        real = path.resolve(strict=True)
    except (OSError, ValueError):
        raise InputError(f"The vault has no folder {where.name!r}: nothing was started.") from None
    if not (path.is_relative_to(vault) and real.is_relative_to(vault.resolve())):
        raise InputError(
            f"The folder {where.name!r} lies outside the vault: give a path inside it. "
            "Nothing was started."
        )
    if not real.is_dir():
        raise InputError(f"{where.name!r} is no folder of the vault: nothing was started.")
    inside = path.relative_to(vault).as_posix()
    return "" if inside == "." else inside


def make_plan(
    settings: Settings, catalog: Catalog, store: InferredStore, folders: tuple[str, ...]
) -> Plan:
    """What is still to be read in these folders, from the index alone."""
    asked = () if "" in folders else folders
    found = scan(settings.vault, folders=asked, max_bytes=settings.max_note_bytes)
    indexed = catalog.files()
    known = [file.path for file in found.files if indexed.get(file.path) == file]
    sizes: dict[NoteVersion, tuple[int, ...]] = {}
    for batch in batched(known, _BATCH):
        records, passages = catalog.records(batch), catalog.passages_of(batch)
        for path in batch:
            episodes = read_parts(records[path], passages.get(path, ()))
            version = NoteVersion(
                path=path, content_hash=records[path].content_hash, parts=len(episodes)
            )
            if episodes:
                sizes[version] = tuple(len(episode.text) for episode in episodes)
    todo = store.pending(sizes)
    left_out = {(one.path, one.content_hash) for one in store.given_up()}
    given_up = len(left_out & {(one.path, one.content_hash) for one in sizes})
    return Plan(
        folders=folders,
        pending=tuple(
            Pending(
                version=version,
                parts=tuple((n, size) for n, size in enumerate(sizes[version]) if n not in done),
            )
            for version, done in todo.items()
        ),
        read=len(known) - len(todo) - given_up,
        given_up=given_up,
        unindexed=len(found.files) - len(known),
    )
