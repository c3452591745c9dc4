"""Whether a reading by a model is under way, and how far it is: for every process that asks."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from graphs.core.encoder_choice import named_encoder
from tools.base.errors import InputError
from tools.graph.extraction.job import ExtractionJob, load_job, save_job
from tools.runtime.server_process import locked
from tools.settings.settings import Settings

_LOCK_PATIENCE = 2.0
_BEGIN_SECONDS = 60.0
"""A process that was started and has not begun by then never will."""


@contextmanager
def only_extraction(settings: Settings) -> Generator[None]:
    """Hold the lock of the one run a data directory may have. Raises InputError while it is held.

    Patient, because a process that looks whether it is held holds it for a moment itself.
    """
    with locked(settings.data_dir / "extract.lock", patience=_LOCK_PATIENCE) as lock:
        if lock is None:
            raise InputError("Notes of this vault are being read already: see `brain status`.")
        yield


def is_extracting(settings: Settings) -> bool:
    """Whether a run is under way in any process."""
    path = settings.data_dir / "extract.lock"
    if not path.exists():
        return False
    with locked(path) as lock:
        return lock is None


def extraction_progress(settings: Settings) -> tuple[ExtractionJob, bool] | None:
    """The last run and whether it is under way; None where there never was one.

    One that is ``running`` and not under way was killed; one that waited for its process for too
    long is told of as ``stopped``. Raises StorageError.
    """
    job = load_job(settings.inferred_path)
    if job is None:
        return None
    under_way = is_extracting(settings)
    waited = (datetime.now(UTC) - job.started_at).total_seconds()
    if job.state == "waiting" and not under_way and waited > _BEGIN_SECONDS:
        job = replace(job, state="stopped", error="It did not begin: see logs/extract.log.")
    return job, under_way


def mark_waiting(settings: Settings, folders: Sequence[str], *, notes: int, parts: int) -> None:
    """Say of a run that its process is about to begin. Raises StorageError."""
    last, now = load_job(settings.inferred_path), datetime.now(UTC)
    waiting = ExtractionJob(
        folders=tuple(folders),
        model=settings.chat_model,
        encoder=named_encoder(settings) if last is None else last.encoder,
        state="waiting",
        started_at=now,
        updated_at=now,
        notes=notes,
        parts=parts,
    )
    save_job(settings.inferred_path, waiting)
