"""How far what is indexed is behind the files, and bringing it up to date for a question."""

from dataclasses import replace
from datetime import UTC, datetime

from graphs.core.encoder_choice import is_choice_due, named_encoder
from graphs.core.inferred_facts import InferredFacts
from graphs.core.ingest_report import IngestReport
from graphs.stores.index_lock import only_indexer
from graphs.stores.ownership import claim
from graphs.stores.store_marks import chroma_address, graph_mark, vectors_mark
from tools.base.domain import SourceWarning
from tools.base.errors import InputError, SourceError, StorageError
from tools.graph.extraction.store import InferredStore
from tools.semantic.chroma_server import ChromaServer
from tools.settings.settings import Settings
from tools.text.voice import counted
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import Scan, scan
from tools.vault.git.repository import head
from tools.vault.history.history import History
from tools.vault.indexing.indexing import Freshness, oldest, plan_changes, refresh

_QUESTION_PATIENCE = 0.3


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
