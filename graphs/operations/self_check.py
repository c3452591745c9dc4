"""The last run of ``brain eval self``: its files in the data directory, and what doctor says."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import TypeAdapter, ValidationError

from graphs.operations.checks import Check
from tools.base.errors import StorageError
from tools.base.output_files import write_private
from tools.settings.settings import Settings
from tools.text.voice import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCheck:
    """When how many questions to the vault's own notes were asked, and how many were answered.

    ``first`` were answered in the first line, ``top3`` in one of the first three. A run that was
    stopped ``asked`` fewer than it ``made``.
    """

    at: datetime
    made: int
    asked: int
    first: int
    top3: int
    notes: int
    version: str

    @property
    def stopped(self) -> bool:
        return self.asked < self.made


_CHECK = TypeAdapter(SelfCheck)


def keep(settings: Settings, run: SelfCheck, page: str) -> None:
    """Keep a run and its page in place of the last one's.

    Raises StorageError where that cannot be written.
    """
    try:
        write_private(settings.self_check_page, page.encode("utf-8", "replace"))
        write_private(settings.self_check_path, _CHECK.dump_json(run))
    except OSError as error:
        raise StorageError(
            f"The page cannot be kept in the data directory ({error.strerror}): free some space or "
            "check its permissions; --report FILE writes it elsewhere."
        ) from error


def last_self_check(settings: Settings) -> SelfCheck | None:
    """The last run; None where there was none, or its file cannot be read."""
    try:
        return _CHECK.validate_json(settings.self_check_path.read_bytes())
    except (OSError, ValidationError):
        return None


def examine_self_check(settings: Settings) -> Check:
    """Tell of the last run. However it went, nothing is broken."""
    run = last_self_check(settings)
    if run is None:
        detail = (
            "Never run: `brain eval self` asks your notes some hundred questions and shows which "
            "are missed."
        )
    else:
        page = settings.self_check_page
        see = f"; see {page}" if page.exists() else ""
        stopped = f", stopped before {run.made - run.asked} more" if run.stopped else ""
        detail = (
            f"{run.first} of {counted(run.asked, 'question')} to your own notes answered in the "
            f"first line ({run.at.day} {run.at:%B %Y}, {counted(run.notes, 'note')}, version "
            f"{run.version}{stopped}){see}."
        )
    return Check(name="self-check", ok=True, detail=detail)
