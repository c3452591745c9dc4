"""From files to the catalog: what changed (pure), and reading, parsing and storing those notes."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import batched
from pathlib import Path

from tools.domain import Chunk, Note, NoteFile, Problem
from tools.errors import InputError
from tools.statements import said
from tools.vault.catalog import Catalog
from tools.vault.chunks import chunk_note
from tools.vault.files import Scan, read_bytes
from tools.vault.git_log import GitDates
from tools.vault.history import History
from tools.vault.history_rows import Sighting
from tools.vault.notes import parse_note

CAUGHT_UP = 50
"""Notes that changed which a question takes in before it is answered."""

MOVED_WITHIN = timedelta(minutes=10)
"""How long after a note went its text may turn up elsewhere: it may be seen by two commands."""

_REFRESHED_AT_ONCE = 10
_BATCH = 64
"""Notes a transaction: large enough to be fast, small enough for questions in between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlan:
    """What to do so that the catalog says what is on disk."""

    read: tuple[NoteFile, ...]
    remove: tuple[str, ...]
    unchanged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReport:
    """What a run of text indexing did."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    problems: tuple[Problem, ...] = ()


def plan_changes(
    on_disk: Sequence[NoteFile], indexed: Mapping[str, NoteFile], *, everything: bool = False
) -> ChangePlan:
    """Compare by size and modification time; ``everything`` reads all notes again."""
    present = {file.path for file in on_disk}
    read = tuple(file for file in on_disk if everything or indexed.get(file.path) != file)
    return ChangePlan(
        read=read,
        remove=tuple(sorted(path for path in indexed if path not in present)),
        unchanged=len(on_disk) - len(read),
    )


def index_text(
    plan: ChangePlan,
    *,
    root: Path,
    catalog: Catalog,
    history: History,
    seen_at: datetime,
    max_bytes: int,
    git: Mapping[str, GitDates],
    moved_since: datetime | None = None,
    known_problems: Sequence[Problem] = (),
    progress: Callable[[int], None] = lambda _: None,
) -> TextReport:
    """Read, parse and store the planned notes; a note that cannot be read is a problem, no more.

    What the notes say is recorded in ``history`` first, so that no text is lost; ``seen_at`` is the
    run's one moment, by which it is known. A note that went missing shortly before that, or since
    ``moved_since``, and has the text of a new one was moved. ``known_problems`` of the scan are
    recorded with those found here. ``progress`` gets the number of notes handled so far. A note
    that vanished since the scan is forgotten; one whose content is as indexed only has its file
    time recorded.
    """
    if plan.remove:
        history.miss(plan.remove, at=seen_at)
        catalog.remove(plan.remove)
    since = min(moved_since or seen_at, seen_at - MOVED_WITHIN)
    hashes = catalog.hashes()
    problems: list[Problem] = []
    written: list[str] = []
    removed = list(plan.remove)
    done = 0
    for batch in batched(plan.read, _BATCH):
        parsed: list[tuple[Note, tuple[Chunk, ...], NoteFile]] = []
        seen: list[Sighting] = []
        touched: list[NoteFile] = []
        gone: list[str] = []
        for file in batch:
            try:
                raw, note = _read(file, root=root, max_bytes=max_bytes, git=git.get(file.path))
            except FileNotFoundError:
                gone.append(file.path)
                continue
            except (InputError, OSError) as error:
                problems.append(Problem(note_path=file.path, message=_message(error)))
                gone.append(file.path)
                continue
            problems += [Problem(note_path=note.path, message=text) for text in note.warnings]
            if hashes.get(note.path) == note.content_hash:
                touched.append(file)
            else:
                parsed.append((note, chunk_note(note), file))
                seen.append(_sighting(file, raw, note))
        history.see(seen, at=seen_at, moved_since=since)
        catalog.write(parsed)
        catalog.touch(touched)
        known = [path for path in gone if path in hashes]
        if known:
            history.miss(known, at=seen_at)
            catalog.remove(known)
            removed += known
        written += [note.path for note, _, _ in parsed]
        done += len(batch)
        progress(done)
    catalog.record_problems([*known_problems, *problems], read=[file.path for file in plan.read])
    return TextReport(
        written=tuple(written),
        removed=tuple(removed),
        unchanged=plan.unchanged,
        problems=tuple(problems),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How far the catalog was behind the files, and what is still behind after a refresh."""

    refreshed: int
    stale: int


def refresh(
    scan: Scan,
    *,
    root: Path,
    catalog: Catalog,
    history: History,
    seen_at: datetime,
    max_bytes: int,
    limit: int = CAUGHT_UP,
    seconds: float = 0.5,
) -> Freshness:
    """Bring a few changed notes up to date, so that a question sees what is on disk.

    At most ``limit`` notes are read, for about ``seconds``; the others are counted as stale.
    Deleted ones always go. Notes that could not be read last time come last.
    """
    deadline = time.monotonic() + seconds
    plan = plan_changes(scan.files, catalog.files())
    if not plan.read and not plan.remove:
        return Freshness(refreshed=0, stale=0)
    failed = {problem.note_path for problem in catalog.problems()}
    todo = sorted(plan.read, key=lambda file: file.path in failed)[:limit]
    git = _known_git_dates(catalog, [file.path for file in todo])
    done = 0
    for part in batched(todo, _REFRESHED_AT_ONCE) if todo else ((),):
        if time.monotonic() > deadline:
            break
        index_text(
            ChangePlan(
                read=part, remove=plan.remove if done == 0 else (), unchanged=plan.unchanged
            ),
            root=root,
            catalog=catalog,
            history=history,
            seen_at=seen_at,
            max_bytes=max_bytes,
            git=git,
            moved_since=catalog.soundness.began(),
            known_problems=scan.problems,
        )
        done += len(part)
    waiting = [file.path for file in plan.read if file.path not in failed]
    stale = max(0, len(waiting) - done)
    return Freshness(refreshed=done + len(plan.remove), stale=stale)


def read_notes(
    paths: Iterable[str], *, root: Path, catalog: Catalog, max_bytes: int, holding: bytes = b""
) -> dict[str, Note]:
    """Parse notes as they are on disk now; those that are gone or unreadable are absent.

    So are those without ``holding`` in them: parsing takes far longer than looking.
    """
    found: dict[str, Note] = {}
    wanted = list(paths)
    git = _known_git_dates(catalog, wanted)
    for path, file in catalog.files(wanted).items():
        try:
            raw = read_bytes(root, path, max_bytes=max_bytes)
        except (InputError, OSError):
            continue  # it vanished or became unreadable since: the next run reports it
        if holding in raw:
            found[path] = parse_note(path, raw, mtime=_saved_at(file), git=git.get(path))
    return found


def sightings(
    paths: Iterable[str], *, root: Path, catalog: Catalog, max_bytes: int
) -> list[Sighting]:
    """Indexed notes as they are on disk now; those that are gone or unreadable are absent."""
    found: list[Sighting] = []
    files = catalog.files()
    for path in paths:
        file = files.get(path)
        if file is not None:
            try:
                found.append(
                    _sighting(file, *_read(file, root=root, max_bytes=max_bytes, git=None))
                )
            except (InputError, OSError):
                continue  # the next run reports it
    return found


def _sighting(file: NoteFile, raw: bytes, note: Note) -> Sighting:
    return Sighting(
        path=file.path, raw=raw, text=note.text, said=said(note), saved_at=_saved_at(file)
    )


def _read(
    file: NoteFile, *, root: Path, max_bytes: int, git: GitDates | None
) -> tuple[bytes, Note]:
    raw = read_bytes(root, file.path, max_bytes=max_bytes)
    return raw, parse_note(file.path, raw, mtime=_saved_at(file), git=git)


def _saved_at(file: NoteFile) -> datetime:
    return datetime.fromtimestamp(file.mtime_ns / 1e9, tz=UTC)


def _known_git_dates(catalog: Catalog, paths: Sequence[str]) -> dict[str, GitDates]:
    """Git dates as the last full run saw them: asking git costs more than a question may take."""
    return {
        path: GitDates(first=record.created, last=record.modified)
        for path, record in catalog.records(paths).items()
        if record.date_origin == "git"
    }


def _message(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror or 'unknown error'}); the other notes are indexed"
    return str(error)
