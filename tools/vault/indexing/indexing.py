"""From files to the catalog: what changed (pure), and reading, parsing and storing those notes."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched
from pathlib import Path

from tools.base.domain import Note, NoteFile, Problem
from tools.base.errors import InputError
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import Scan, is_there, is_within, read_bytes, saved_at
from tools.vault.git.log import GitDates
from tools.vault.history.history import History
from tools.vault.history.history_rows import Sighting
from tools.vault.indexing.readers import read_in_order
from tools.vault.indexing.reading import Read, Task, Unread, parse_file, read_note, sighting_of
from tools.vault.storage.packing import train

CAUGHT_UP = 50
"""Notes that changed which a question takes in before it is answered."""

MOVED_WITHIN = timedelta(minutes=10)
"""How long after a note went its text may turn up elsewhere: it may be seen by two commands."""

_REFRESHED_AT_ONCE = 10
_FIRST_FILL = 200
"""Notes from which on it pays to look first at what they have in common."""
_SAMPLED = 400
_SAMPLE_BYTES = 16_384
_PARAGRAPH = b"\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlan:
    """What to do so that the catalog says what is on disk.

    ``unreached`` are indexed notes in folders that could not be read: they stay as they are.
    """

    read: tuple[NoteFile, ...]
    remove: tuple[str, ...]
    unchanged: int
    unreached: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReport:
    """What a run of text indexing did."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    problems: tuple[Problem, ...] = ()


def plan_changes(
    on_disk: Sequence[NoteFile],
    indexed: Mapping[str, NoteFile],
    *,
    everything: bool = False,
    unreadable: Sequence[str] = (),
) -> ChangePlan:
    """Compare by size and modification time; ``everything`` reads all notes again.

    What is not on disk is to be removed, unless it is in one of the ``unreadable`` folders.
    """
    present = {file.path for file in on_disk}
    read = tuple(file for file in on_disk if everything or indexed.get(file.path) != file)
    missing = sorted(path for path in indexed if path not in present)
    remove = tuple(path for path in missing if not is_within(path, unreadable))
    return ChangePlan(
        read=read,
        remove=remove,
        unchanged=len(on_disk) - len(read),
        unreached=len(missing) - len(remove),
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
    time recorded. Raises InputError when the whole vault vanished.
    """
    if plan.remove:
        history.record_missing(plan.remove, at=seen_at)
        catalog.remove(plan.remove)
    since = min(moved_since or seen_at, seen_at - MOVED_WITHIN)
    hashes = catalog.hashes()
    tasks = [Task(file, hashes.get(file.path), git.get(file.path)) for file in plan.read]
    if len(tasks) >= _FIRST_FILL and catalog.texts.dictionary() is None:
        _begin_dictionary(plan.read, root=root, catalog=catalog, max_bytes=max_bytes)
    reading = read_in_order(
        tasks,
        root=root,
        max_bytes=max_bytes,
        packing=catalog.texts.packing(),
    )
    problems: list[Problem] = []
    written: list[str] = []
    removed = list(plan.remove)
    done = 0
    with closing(reading):
        for batch in reading:
            read = [one for one in batch if isinstance(one, Read)]
            gone = [one for one in batch if isinstance(one, Unread)]
            problems += [
                Problem(note_path=one.file.path, message=why)
                for one in batch
                for why in (one.warnings if isinstance(one, Read) else filter(None, (one.why,)))
            ]
            if gone and not is_there(root):
                raise InputError("The vault vanished while it was read: what is indexed is kept.")
            sightings = (one.sighting for one in read if one.sighting)
            history.see(sightings, at=seen_at, moved_since=since)
            entries = [one.entry for one in read if one.entry]
            catalog.write(entries)
            catalog.touch(one.file for one in read if one.entry is None)
            known = [one.file.path for one in gone if one.file.path in hashes]
            if known:
                history.record_missing(known, at=seen_at)
                catalog.remove(known)
                removed += known
            written += [one.path for one in entries]
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
    """How far the catalog was behind the files, and what is still behind after a refresh.

    ``since`` is when the first of the stale notes changed, as far as their files tell.
    ``unreached`` are indexed notes in folders that cannot be read now.
    """

    refreshed: int
    stale: int
    since: datetime | None = None
    unreached: int = 0


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
    plan = plan_changes(scan.files, catalog.files(), unreadable=scan.unreadable)
    if not plan.read and not plan.remove:
        return Freshness(refreshed=0, stale=0, unreached=plan.unreached)
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
    read = {file.path for file in todo[:done]}
    stale = [file for file in plan.read if file.path not in failed | read]
    return Freshness(
        refreshed=done + len(plan.remove),
        stale=len(stale),
        since=oldest(stale, now=seen_at),
        unreached=plan.unreached,
    )


def oldest(files: Iterable[NoteFile], *, now: datetime) -> datetime | None:
    """When the first of these files was changed; a clock that was ahead counts as ``now``."""
    return min((saved_at(file, now=now) for file in files), default=None)


def read_notes(
    paths: Iterable[str], *, root: Path, catalog: Catalog, max_bytes: int
) -> dict[str, Note]:
    """Parse notes as they are on disk now; those that are gone or unreadable are absent."""
    found: dict[str, Note] = {}
    wanted = list(paths)
    git = _known_git_dates(catalog, wanted)
    for path, file in catalog.files(wanted).items():
        try:
            raw = read_bytes(root, path, max_bytes=max_bytes)
        except (InputError, OSError):
            continue  # it vanished or became unreadable since: the next run reports it
        found[path] = parse_file(file, raw, git=git.get(path))
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
                raw, note = read_note(file, root=root, max_bytes=max_bytes, git=None)
                found.append(sighting_of(file, raw, note))
            except (InputError, OSError):
                continue  # the next run reports it
    return found


def _begin_dictionary(
    files: Sequence[NoteFile], *, root: Path, catalog: Catalog, max_bytes: int
) -> None:
    """Look into some notes for what they have in common, so that all can be kept smaller."""
    samples: list[bytes] = []
    for file in files[:: max(1, len(files) // _SAMPLED)]:
        with suppress(InputError, OSError):
            raw = read_bytes(root, file.path, max_bytes=max_bytes)[:_SAMPLE_BYTES]
            samples += filter(None, raw.split(_PARAGRAPH))
    if dictionary := train(samples):
        catalog.texts.begin_dictionary(dictionary)


def _known_git_dates(catalog: Catalog, paths: Sequence[str]) -> dict[str, GitDates]:
    """Git dates as the last full run saw them: asking git costs more than a question may take."""
    return {
        path: GitDates(first=record.created, last=record.modified)
        for path, record in catalog.records(paths).items()
        if record.date_origin == "git"
    }
