"""Processes that add notes to a vault, or take them back, and kill themselves on the way.

``python -m tests.support.processes.dying_note_writer FOLDER STEP LINKS``: for each number from 1 on
a process does STEP to the vault in ``FOLDER/NUMBER`` until it comes to the call to the system, or
to the SQL statement, of that number, before or after which it is gone; so until one comes to its
end. LINKS is ``no`` where the file system is to have no hard links.
"""

import errno
import hashlib
import os
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from graphs.ingest.new_notes import accept, added_note, put_into_vault, remove_from_vault, stage
from tests.support.processes.dying_writer import Countdown
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.vault.storage.added_notes import AddedNote, Place

PATH = "inbox/new/deep/Added.md"
TEXT = "Herons eat newts.\n"
_CALLS = ("open", "fsync", "link", "unlink", "rename", "mkdir", "rmdir", "close")


def settings_in(folder: Path) -> Settings:
    return load_settings(vault=folder / "vault", data_dir=folder / "data")


def note(place: Place) -> AddedNote:
    return AddedNote(
        path=PATH,
        place=place,
        digest=hashlib.sha256(TEXT.encode()).hexdigest(),
        request="one",
        added_by="a program",
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
        text=TEXT,
    )


def prepared(folder: Path, step: str) -> Settings:
    """A vault to which the step can be done."""
    (folder / "vault/inbox").mkdir(parents=True)
    (folder / "vault/inbox/Old.md").write_text("Mine.\n", "utf-8")
    (folder / "data").mkdir(mode=0o700)
    settings = settings_in(folder)
    if step == "accept":
        stage(settings, note("staging"))
    elif step == "remove":
        put_into_vault(settings, note("vault"))
    return settings


def do(settings: Settings, step: str) -> None:
    match step:
        case "accept":
            accept(settings, note("staging"), path=PATH.replace("Added", "Accepted"))
        case "remove":
            remove_from_vault(settings, added_note(settings, PATH) or note("vault"))
        case _:
            put_into_vault(settings, note("vault"))


def count_statements(countdown: Countdown) -> None:
    """Have SQL statements of this process count too."""
    connect = sqlite3.connect
    strike = countdown.at("statement", lambda: None)

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(lambda _: strike())
        return connection

    sqlite3.connect = traced


def _refuse(*_: Any, **__: Any) -> None:
    raise OSError(errno.EPERM, "no links")


def main(folder: Path, step: str, links: str) -> None:
    if links == "no":
        os.link = _refuse
    for number in count(1):
        for part in (0.0, 1.0):
            settings = prepared(folder / f"{number}-{part}", step)
            child = os.fork()
            if child == 0:
                _dying(number, part, lambda now=settings: do(now, step))
            if os.waitpid(child, 0)[1] == 0:
                return


def _dying(number: int, part: float, step: Callable[[], None]) -> None:
    countdown = Countdown(number, part)
    count_statements(countdown)
    for name in _CALLS:
        setattr(os, name, countdown.at(name, getattr(os, name)))
    try:
        step()
    except BaseException:  # noqa: BLE001 - nothing of the test's process goes on here
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
