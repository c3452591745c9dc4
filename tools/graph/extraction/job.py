"""How far the reading of notes by a model is: one row that any process may look at."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from tools.graph.extraction.file import InferredFile

JobState = Literal["waiting", "running", "finished", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionJob:
    """One run of a model and an encoder over some folders, ``""`` being the whole vault.

    ``notes`` and ``parts`` are what there was to do at its start, or as foreseen while it waits for
    its process; ``encoder`` made the vectors there are, which is the last run's until then.
    ``error`` is the last thing that went wrong; a run that is ``stopped`` has it for a reason, and
    goes on when it is started again.
    """

    folders: tuple[str, ...]
    model: str
    encoder: str
    state: JobState
    started_at: datetime
    updated_at: datetime
    notes: int
    parts: int
    notes_done: int = 0
    notes_failed: int = 0
    parts_done: int = 0
    seconds_per_part: float | None = None
    error: str | None = None

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the present rate; None before the first part."""
        if self.seconds_per_part is None:
            return None
        return (self.parts - self.parts_done) * self.seconds_per_part


_JOB = TypeAdapter(ExtractionJob)


def save_job(path: Path, job: ExtractionJob) -> None:
    """Replace the row in the file of inferred facts. Raises StorageError."""
    with InferredFile(path).write() as db:
        db.execute("INSERT OR REPLACE INTO job VALUES (1, ?)", (_JOB.dump_json(job).decode(),))


def load_job(path: Path) -> ExtractionJob | None:
    """The last run, or None. Raises StorageError."""
    with InferredFile(path).read() as db:
        row = db.execute("SELECT state FROM job").fetchone() if db is not None else None
    try:
        return _JOB.validate_json(row["state"]) if row is not None else None
    except ValidationError:  # of another version of this program
        return None
