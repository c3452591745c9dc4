"""Whose a data directory is: claimed for one vault, private, writable or not."""

import os
import tempfile
from pathlib import Path

from graphs.stores.index_lock import INDEX_PATIENCE, only_indexer
from tools.base.domain import SourceWarning
from tools.base.errors import InputError, StorageError
from tools.graph.access.secrets import FILES as ACCESS_FILES
from tools.settings.settings import Settings

_BESIDE_THE_STORES = (
    *("vault", "index.lock", "semantic.lock", "run", "logs"),
    *("inferred.db", "extract.lock", "serve.token", "serve.draft", "audit"),
    *("contradictions", "dismissed-contradictions", "added-notes", "encoder.json"),
    *("link-journal", "link-feedback"),
    *ACCESS_FILES,
    *(f"{name}.damaged" for name in ("index", "history", "inferred", "checkpoints", "readings")),
)


READ_ONLY = SourceWarning(
    source="index",
    error="The data directory is read-only.",
    impact="Nothing new is kept: changed notes are not read, a question that asks back waits in "
    "this process only, slow questions are not logged.",
)


def require_writable(settings: Settings) -> None:
    """Raise StorageError where the data directory may only be read."""
    if settings.read_only:
        raise StorageError(
            "The data directory is read-only, so nothing was changed: make it writable, or choose "
            "another with --data-dir. Questions work as it is."
        )


def claim(settings: Settings) -> None:
    """Make the data directory, private, and tie it to its vault; one that is read-only is as it is.

    Raises StorageError where it cannot be written, InputError where it is somebody else's folder.
    """
    owner, name = settings.data_dir / "vault", os.fsencode(settings.vault)
    try:
        if not settings.read_only:
            _make_ours(settings, owner)
        claimed = owner.read_bytes().removesuffix(b"\n")
    except OSError as error:
        raise StorageError(
            f"The data directory cannot be used ({error.strerror}): free some space, check its "
            "permissions, or choose another with --data-dir."
        ) from error
    if claimed != name:
        gone = not os.path.lexists(os.fsdecode(claimed))
        moved = " If that vault was moved here, `brain index --moved` goes on with its index."
        raise InputError(
            "This data directory belongs to another vault: choose another with --data-dir."
            + (moved if gone else "")
        )


def _make_ours(settings: Settings, owner: Path) -> None:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if _is_claimed(owner):
        return
    _refuse_foreign(settings)
    settings.data_dir.chmod(0o700)
    # Two vaults may be given one new folder at the same moment: the lock lets one of them have it.
    with only_indexer(settings.data_dir, patience=INDEX_PATIENCE):
        if not _is_claimed(owner):
            claim_anew(settings)


def _is_claimed(owner: Path) -> bool:
    # An empty file claims nothing: a disk may have been full when it was written.
    return owner.exists() and owner.stat().st_size > 0


def claim_anew(settings: Settings) -> None:
    """Tie a data directory of ours to this vault, whatever it was tied to. Raises OSError."""
    _write_whole(settings.data_dir / "vault", os.fsencode(settings.vault) + b"\n")


def _write_whole(file: Path, content: bytes) -> None:
    """Write a file so that nobody ever reads part of it."""
    descriptor, draft = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(draft).replace(file)
    finally:
        Path(draft).unlink(missing_ok=True)


def _refuse_foreign(settings: Settings) -> None:
    """A folder with other things in it would be made private and filled with ours."""
    stores = (
        *(settings.index_path, settings.history_path, settings.chroma_dir, settings.graph_dir),
        *(settings.checkpoint_path, settings.readings_path, settings.ambiguity_log_path),
        *(settings.slow_path, settings.run_path),
        *(settings.self_check_path, settings.self_check_page),
    )
    # SQLite puts files of its own beside a database, their names beginning alike.
    ours = (*(store.name for store in stores), *_BESIDE_THE_STORES)
    if any(not entry.name.startswith(ours) for entry in settings.data_dir.iterdir()):
        raise InputError(
            "The data directory holds other things: give an empty or a new folder as --data-dir."
        )
