"""Processes that add notes to a vault, or take them back, and kill themselves on the way.

``python -m tests.support.processes.dying_note_writer FOLDER STEP LINKS``: processes do STEP as
``die_at_each`` says. LINKS is ``no`` where the file system is to have no hard links.
"""

import errno
import hashlib
import os
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from graphs.ingest.new_notes import accept, added_note, put_into_vault, remove_from_vault, stage
from tests.support.processes.countdown import die_at_each, settings_in
from tools.settings.settings import Settings
from tools.vault.storage.added_notes import AddedNote, Place

PATH = "inbox/new/deep/Added.md"
TEXT = "Herons eat newts.\n"
_COUNTED = [
    (os, name) for name in ("open", "fsync", "link", "unlink", "rename", "mkdir", "rmdir", "close")
]


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


def _refuse(*_: Any, **__: Any) -> None:
    raise OSError(errno.EPERM, "no links")


def main(folder: Path, step: str, links: str) -> None:
    if links == "no":
        os.link = _refuse
    die_at_each(folder, _COUNTED, partial(prepared, step=step), partial(do, step=step))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
