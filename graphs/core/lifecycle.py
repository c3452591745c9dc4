"""What can be done before LangGraph is loaded: start the servers, see whether to index at all."""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from graphs.core.encoder_choice import is_choice_due, named_encoder
from graphs.core.inferred_facts import InferredFacts
from graphs.core.state import IngestReport
from tools.base.domain import SourceWarning
from tools.base.errors import BusyError, InputError, SourceError, StorageError
from tools.graph.extraction.store import InferredStore
from tools.graph.store import SCHEMA_VERSION
from tools.runtime.server_process import FILLED
from tools.runtime.services import is_running, launch, local_services, semantic_service
from tools.semantic.chroma_server import ChromaAddress, ChromaServer
from tools.settings.settings import Settings
from tools.text.voice import counted
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import Scan, scan
from tools.vault.git.repository import head
from tools.vault.history.history import History
from tools.vault.indexing.indexing import Freshness, oldest, plan_changes, refresh

INDEX_PATIENCE = 2.0
"""Seconds an indexing run waits for questions that bring a few notes up to date."""
_QUESTION_PATIENCE = 0.3
_POLL_SECONDS = 0.02
_BESIDE_THE_STORES = (
    *("vault", "index.lock", "semantic.lock", "run", "logs"),
    *("inferred.db", "extract.lock", "serve.token", "serve.draft"),
    *("contradictions", "dismissed-contradictions"),
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


def start_servers(settings: Settings) -> None:
    """Start the local servers that are not running, without waiting for them.

    Raises StorageError and InputError for a data directory that cannot be used.
    """
    claim(settings)
    for service in local_services(settings):
        if not is_running(service):
            launch(service)


def nothing_to_do(settings: Settings) -> IngestReport | None:
    """Report of a run that found every store up to date, or None when a run is needed.

    Raises InputError for the data directory of another vault, StorageError.
    """
    if not vectors_mark(settings).exists() or not graph_mark(settings).exists():
        return None
    claim(settings)
    catalog = Catalog(settings.index_path)
    history = History(settings.history_path, folders=settings.folders)
    inferred = InferredFacts(InferredStore(settings.inferred_path, model=settings.chat_model))
    try:
        found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
        indexed, problems = catalog.files(), tuple(catalog.problems())
        plan = plan_changes(found.files, indexed, unreadable=found.unreadable)
        left_out = {problem for problem in problems if problem.note_path not in indexed}
        counts = catalog.counts()
        behind = (
            *(
                plan.read,
                plan.remove,
                left_out ^ set(found.problems),
                catalog.outbox.unused_vectors(),
            ),
            *(counts.vectors_pending, history.ledger.dirty(), history.unread()),
            head(settings.vault) not in (None, history.git_head()),
            inferred.changed(),
            inferred.readable and history.ledger.lacks_inferred(),
            catalog.soundness.interrupted(),
            is_choice_due(settings, catalog),
        )
        if any(behind) or catalog.encoder() != named_encoder(settings):
            return None
        if not _vectors_there(settings, catalog.outbox.vector_count()):
            return None
        return IngestReport(
            notes=counts.notes,
            unchanged=plan.unchanged,
            undated=counts.undated,
            problems=problems,
            warnings=(*unreached_warnings(plan.unreached), *inferred.warnings()),
        )
    finally:
        catalog.close()
        history.close()


def _vectors_there(settings: Settings, expected: int) -> bool:
    """Whether a Chroma server has as many vectors as expected; no mark of ours goes with them."""
    address = chroma_address(settings)
    if address is None:
        return True
    server = ChromaServer(address)
    try:
        return server.count() == expected
    except (SourceError, StorageError):  # the run says what is wrong
        return False
    finally:
        server.close()


def chroma_address(settings: Settings) -> ChromaAddress | None:
    """Where the semantic server of these settings keeps the vectors, if not in the directory."""
    return ChromaAddress.read(dict(semantic_service(settings).environment))


def mark_filled(mark: Path) -> None:
    """Leave a mark in a store's folder: gone with the store, it tells that there is work again.

    It is the only one there: what another store held then is not what it lacks now.
    """
    remove_marks(mark.parent)
    mark.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    mark.touch()


def remove_marks(folder: Path) -> None:
    """Take it that no store is filled, whichever they are."""
    for mark in folder.glob(f"{FILLED}*"):
        mark.unlink(missing_ok=True)


def vectors_mark(settings: Settings) -> Path:
    """The mark of the vectors' present store, the folder itself or a Chroma server."""
    if settings.chroma_url is None:
        return settings.chroma_dir / FILLED
    where = f"{settings.chroma_url}|{settings.chroma_tenant}|{settings.chroma_database}"
    name = hashlib.sha256(where.encode()).hexdigest()[:8]
    return settings.chroma_dir / f"{FILLED}.{name}"


def vectors_elsewhere(settings: Settings) -> bool:
    """Whether the vectors that are known to be made lie in another store than the present one."""
    return not vectors_mark(settings).exists() and any(settings.chroma_dir.glob(f"{FILLED}*"))


def graph_mark(settings: Settings) -> Path:
    """The mark of the graph's present format and database."""
    where = f"{settings.graph_uri or ''}|{settings.graph_database or ''}"
    name = hashlib.sha256(where.encode()).hexdigest()[:8]
    return settings.graph_dir / f"{FILLED}.{SCHEMA_VERSION}.{name}"


def set_aside(folder: Path) -> None:
    """Rename a store's folder that cannot be read; one set aside before makes room."""
    damaged = folder.with_name(f"{folder.name}.damaged")
    shutil.rmtree(damaged, ignore_errors=True)
    if folder.exists():
        folder.rename(damaged)


def catch_up(
    settings: Settings, catalog: Catalog, history: History, found: Scan, *, now: datetime
) -> Freshness:
    """Bring the catalog up to date with the files found, as far as a question may wait for it.

    While another process indexes, or the disk is full, what is indexed has to do.
    """
    plan = plan_changes(found.files, catalog.files(), unreadable=found.unreadable)
    if not plan.read and not plan.remove:
        return Freshness(refreshed=0, stale=0, unreached=plan.unreached)
    try:
        with only_indexer(settings.data_dir, patience=_QUESTION_PATIENCE):
            fresh = refresh(
                found,
                root=settings.vault,
                catalog=catalog,
                history=history,
                seen_at=now,
                max_bytes=settings.max_note_bytes,
            )
    except (InputError, StorageError):
        plan = plan_changes(found.files, catalog.files(), unreadable=found.unreadable)
        since = oldest(plan.read, now=now)
        fresh = Freshness(refreshed=0, stale=len(plan.read), since=since, unreached=plan.unreached)
    return _not_before(_last_run(settings), fresh, now=now)


def _last_run(settings: Settings) -> datetime | None:
    """When a whole run ended last, by the mark that it leaves."""
    try:
        ended = vectors_mark(settings).stat().st_mtime
    except OSError:
        return None
    return datetime.fromtimestamp(ended, tz=UTC)


def _not_before(ended: datetime | None, fresh: Freshness, *, now: datetime) -> Freshness:
    """A note that a whole run did not find came after it, however old its file says it is."""
    if fresh.since is None or ended is None or not fresh.since < ended <= now:
        return fresh
    return replace(fresh, since=ended.astimezone(now.tzinfo))


def unreached_warnings(notes: int) -> list[SourceWarning]:
    """Warn of indexed notes in folders that cannot be read; nothing was dropped."""
    if not notes:
        return []
    return [
        SourceWarning(
            source="vault",
            error=f"{counted(notes, 'indexed note')} cannot be looked at: the folder is empty, not "
            "there or not readable.",
            impact="What is indexed is kept: check that the disk with the vault is there.",
        )
    ]


@contextmanager
def only_indexer(data_dir: Path, *, patience: float = 0.0) -> Generator[None]:
    """Hold the indexing lock, waiting ``patience`` seconds for it; it ends with its process.

    Raises BusyError while another process holds it, StorageError where there is no place for it.
    """
    try:
        lock = (data_dir / "index.lock").open("w")
    except OSError as error:
        raise StorageError(
            f"The data directory cannot be written ({error.strerror}): free some space or check "
            "its permissions; what is indexed is kept."
        ) from error
    deadline = time.monotonic() + patience
    with lock:
        while not _taken(lock):
            if time.monotonic() > deadline:
                raise BusyError(
                    "This vault is being indexed by another process: wait for it; questions work "
                    "meanwhile."
                )
            time.sleep(_POLL_SECONDS)
        yield


def is_interrupted(settings: Settings, catalog: Catalog) -> bool:
    """Whether an indexing run ended before its work did, and none is under way."""
    return catalog.soundness.interrupted() and not is_indexing(settings)


def is_indexing(settings: Settings) -> bool:
    """Whether an indexing run is under way in another process."""
    path = settings.data_dir / "index.lock"
    if not path.exists():
        return False
    with path.open("r") as lock:
        return not _taken(lock)


def _taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


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
        *(settings.checkpoint_path, settings.readings_path, settings.unclear_path),
        *(settings.slow_path, settings.run_path),
        *(settings.self_check_path, settings.self_check_page),
    )
    # SQLite puts files of its own beside a database, their names beginning alike.
    ours = (*(store.name for store in stores), *_BESIDE_THE_STORES)
    if any(not entry.name.startswith(ours) for entry in settings.data_dir.iterdir()):
        raise InputError(
            "The data directory holds other things: give an empty or a new folder as --data-dir."
        )
