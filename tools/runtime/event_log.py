"""What our processes log: JSON lines in the data directory, without a text unless that is asked.

A line of ours holds names and numbers. Of a library's warning only the logger, the place and the
kind of error are kept: its words may quote a note, a question or a path.
"""

import json
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, cast, override

from tools.base.errors import StorageError
from tools.runtime.process_name import process_name
from tools.runtime.server_process import locked, private_dir
from tools.settings.kinds import Level

if TYPE_CHECKING:
    from tools.settings.settings import Settings

type Field = str | int | float | bool | list[str] | Mapping[str, float] | None

MAX_BYTES = 1_000_000
_KEPT = 2
_PATIENCE = 0.5
_LEVELS: Mapping[Level, int] = {
    "off": logging.CRITICAL + 1,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}
_OURS = ("agents.", "graphs.", "tools.")
_YES = frozenset(("1", "true", "yes", "on"))
_libraries: logging.Handler | None = None


class SharedFile(RotatingFileHandler):
    """A private file of lines that any number of processes append to; full, it is set aside.

    The file is opened for each line, under a lock: who kept it open would go on writing to a file
    that another process has renamed. What cannot be written is dropped.
    """

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES, kept: int = _KEPT) -> None:
        super().__init__(path, maxBytes=max_bytes, backupCount=kept, encoding="utf-8", delay=True)
        self._lock_file = path.with_name(f"{path.name}.lock")

    @override
    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")

    @override
    def emit(self, record: logging.LogRecord) -> None:
        try:
            with locked(self._lock_file, patience=_PATIENCE) as lock:
                if lock is not None:
                    super().emit(record)
        except OSError:
            self.handleError(record)
        finally:
            self._let_go()

    @override
    def handleError(self, record: logging.LogRecord) -> None:
        """A full disk must not cost the answer that is logged."""

    def add(self, line: Mapping[str, object]) -> None:
        """Append one JSON line."""
        self.handle(logging.makeLogRecord({"msg": json.dumps(line, ensure_ascii=False)}))

    def _let_go(self) -> None:
        if self.stream is not None:  # pyright: ignore[reportUnnecessaryComparison] - delay=True
            stream, self.stream = self.stream, None
            try:
                stream.close()
            except OSError:
                self.handleError(logging.makeLogRecord({}))


class EventLog:
    """Where one process tells of its events; ``texts`` lets texts through."""

    def __init__(self, data_dir: Path, *, process: str, level: Level, texts: bool) -> None:
        self._file = SharedFile(data_dir / "logs" / "brain.log")
        self._process = process
        self._level = _LEVELS[level]
        self.texts = texts

    def debug(self, event: str, **fields: Field) -> None:
        self.write(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: Field) -> None:
        self.write(logging.INFO, event, fields)

    def warning(self, event: str, **fields: Field) -> None:
        self.write(logging.WARNING, event, fields)

    def text(self, text: str) -> str | None:
        """The text where texts are asked for; None, which leaves its field out, where not."""
        return text if self.texts else None

    def write(self, level: int, event: str, fields: Mapping[str, Field]) -> None:
        """Add a line where ``level`` is one that is kept; fields that are None are left out."""
        if level < self._level:
            return
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "level": logging.getLevelName(level).lower(),
            "process": self._process,
            "pid": os.getpid(),
            "event": event,
        }
        try:
            private_dir(Path(self._file.baseFilename).parent, holding="the logs")
        except StorageError:
            return
        self._file.add(line | {name: value for name, value in fields.items() if value is not None})


def open_log(settings: "Settings") -> EventLog:
    """The log of this process, as the settings have it."""
    return log_in(settings.data_dir, level=settings.log, texts=settings.log_text)


def server_log(data_dir: Path) -> EventLog:
    """The log of a local server, which is told the settings by its environment."""
    told = os.environ.get("BRAIN_LOG", "warning")
    level = cast("Level", told) if told in _LEVELS else "warning"
    return log_in(data_dir, level=level, texts=os.environ.get("BRAIN_LOG_TEXT", "").lower() in _YES)


def log_in(data_dir: Path, *, level: Level, texts: bool) -> EventLog:
    """Open the log in a data directory; a process of ours logs its libraries' warnings there."""
    log = EventLog(data_dir, process=process_name() or "python", level=level, texts=texts)
    if process_name() is not None:
        _log_libraries(log)
    return log


def _log_libraries(log: EventLog) -> None:
    global _libraries  # noqa: PLW0603 - the root logger is the process's, too
    root = logging.getLogger()
    if _libraries is not None:
        root.removeHandler(_libraries)
    _libraries = _Libraries(log)
    root.addHandler(_libraries)


class _Libraries(logging.Handler):
    def __init__(self, log: EventLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    @override
    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(_OURS) and logging.lastResort is not None:
            logging.lastResort.handle(record)  # we warn in words that are meant to be read
        kind = record.exc_info[0] if record.exc_info else None
        fields: dict[str, Field] = {
            "logger": record.name,
            "place": f"{record.module}:{record.lineno}",
            "error": kind.__name__ if kind else None,
            "message": self._log.text(record.getMessage()),
        }
        self._log.write(record.levelno, "library warning", fields)
