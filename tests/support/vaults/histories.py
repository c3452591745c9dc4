"""Notes as they are seen and committed, ready-made for tests of what a history keeps."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha1
from pathlib import Path

import pytest

from tools.graph.statements import version_content
from tools.vault.git.log import Change
from tools.vault.git.repository import GitLog
from tools.vault.history.history import History
from tools.vault.history.history_rows import Sighting, sight, text_hash
from tools.vault.notes.notes import parse_note

START = datetime(2024, 1, 1, tzinfo=UTC)
NOW = START + timedelta(days=1000)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    """An empty one."""
    opened = History(tmp_path / "data" / "history.db")
    yield opened
    opened.close()


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def sighting(path: str, text: str, *, saved_at: datetime = START) -> Sighting:
    note = parse_note(path, text.encode(), mtime=saved_at)
    return sight(path, text.encode(), text=note.text, said=version_content(note), saved_at=saved_at)


def see(history: History, notes: dict[str, str], *, on: float) -> None:
    """One run that reads these notes."""
    history.see([sighting(path, text) for path, text in notes.items()], at=day(on))


def blob(text: str) -> str:
    """What git calls a file with this text."""
    content = text.encode()
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def change(
    path: str,
    text: str | None,
    *,
    on: float,
    former: str | None = None,
    grafted: bool = False,
) -> Change:
    """What a commit did to a note: its text afterwards, None when it is gone."""
    return Change(
        commit=f"commit {on}",
        when=day(on),
        path=path,
        former=former,
        blob=None if text is None else blob(text),
        grafted=grafted,
    )


def log(*changes: Change, continues: bool = False, cut: str | None = None) -> GitLog:
    return GitLog(head=f"head {len(changes)}", changes=changes, continues=continues, cut=cut)


def commit(history: History, *changes: Change, continues: bool = True) -> None:
    history.record_git(log(*changes, continues=continues), read_at=NOW)


def fill(history: History, *texts: str) -> None:
    """Read what git has, of which ``texts`` are all there is."""
    contents = {blob(text): text for text in texts}
    history.fill(
        (
            version.key,
            text_hash(contents[version.blob]),
            version_content(parse_note(version.path, contents[version.blob].encode(), mtime=START)),
        )
        for version in history.unread()
    )


def told(history: History, path: str) -> list[tuple[str | None, datetime]]:
    """The opening of each version of a note, and when it was known."""
    return [
        (version.said.opening if version.said else None, version.at)
        for version in history.versions([path]).get(path, [])
    ]
