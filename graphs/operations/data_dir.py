"""The data directory itself: who can get at it, what lies about in it, how much room is left."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from graphs.contradictions.progress import is_scanning
from graphs.ingest import added_list
from graphs.jobs.contradictions import scan_service
from graphs.jobs.extraction import extraction_service
from graphs.links.writing import journal
from graphs.operations.checks import REPAIR, Check
from graphs.service.client import token_draft, token_file
from graphs.service.process import query_service
from graphs.stores.extraction_progress import is_extracting
from graphs.stores.ownership import READ_ONLY
from tools.base.errors import StorageError
from tools.graph.access.secrets import FILES as ACCESS_FILES
from tools.runtime.server_process import private_dir
from tools.runtime.services import (
    clear_remains,
    graph_service,
    has_remains,
    process_of,
    semantic_service,
)
from tools.settings.settings import Settings
from tools.text.voice import counted
from tools.vault.watch.fence import left_behind, remove_left_behind

LEAST_FREE = 200_000_000
"""Bytes of free space below which a run may not end."""
_READ_ONLY = Check(name="data directory", ok=False, detail=f"{READ_ONLY.error} {READ_ONLY.impact}")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def examine_places(settings: Settings) -> list[Check]:
    """Look at folders, sockets and free space; change nothing."""
    open_to_others = [_shown(settings, place) for place in _private(settings) if _open(place)]
    strangers = [_shown(settings, place) for place in _private(settings) if not _own(place)]
    left = [
        *(name for name, _ in _remains(settings)),
        *added_list.left_unfinished(settings),
        *journal.left_unfinished(settings),
    ]
    free = shutil.disk_usage(settings.data_dir).free
    privacy = Check(
        name="privacy", ok=True, detail="Only you can open the data directory and its sockets."
    )
    if strangers:
        privacy = Check(
            name="privacy",
            ok=False,
            detail=f"{', '.join(strangers)}: a link, or another user's; choose a data directory of "
            "your own with --data-dir.",
        )
    elif open_to_others:
        privacy = Check(
            name="privacy",
            ok=False,
            detail=f"Other users can open {', '.join(open_to_others)}: {REPAIR}.",
        )
    return [
        privacy,
        Check(
            name="leftovers",
            ok=not left,
            detail=f"A process that was killed left {', '.join(left)}: {REPAIR}."
            if left
            else "None of processes that are gone.",
        ),
        _READ_ONLY
        if settings.read_only
        else Check(
            name="free space",
            ok=free >= LEAST_FREE,
            detail=f"{free / 1e9:.1f} GB are free for the data directory."
            if free >= LEAST_FREE
            else f"Only {free / 1e6:.0f} MB are free: indexing may not end; free some space.",
        ),
    ]


def repair_places(settings: Settings) -> list[str]:
    """Make private what must be and drop what killed processes left; say what was done."""
    done: list[str] = []
    for place in _private(settings):
        if _own(place) and _open(place):
            _close(place)
            done.append(f"{_shown(settings, place)}: closed to other users.")
    for name, remove in _remains(settings):
        remove()
        done.append(f"{name}: a killed process had left it; it was removed.")
    return [*done, *added_list.recover(settings), *journal.recover(settings)]


def require_space(settings: Settings) -> None:
    """Raise StorageError where mending would only fill the disk."""
    free = shutil.disk_usage(settings.data_dir).free
    if free < LEAST_FREE:
        raise StorageError(
            f"Only {free / 1e6:.0f} MB are free for the data directory, so nothing was mended: "
            "free some space; what is indexed still answers."
        )


def _remains(settings: Settings) -> Iterator[tuple[str, Callable[[], None]]]:
    """What processes that are gone left behind, and what removes it.

    Their locks ended with them; their marks of stores in use are for the servers that start next.
    """
    for service in (
        semantic_service(settings),
        graph_service(settings),
        query_service(settings),
    ):
        if has_remains(service):
            yield f"{service.name}.sock", partial(clear_remains, service)
    for service, under_way in (
        (extraction_service(settings), is_extracting),
        (scan_service(settings), is_scanning),
    ):
        if service.pid.exists() and not under_way(settings):
            yield service.pid.name, partial(service.pid.unlink, missing_ok=True)
    draft = token_draft(settings.data_dir)
    if draft.exists() and process_of(query_service(settings)) is None:
        yield draft.name, partial(draft.unlink, missing_ok=True)
    if watches := left_behind(settings.fences_dir):
        yield (
            counted(len(watches), "file of watches", "files of watches"),
            partial(remove_left_behind, settings.fences_dir),
        )


def _private(settings: Settings) -> Iterator[Path]:
    """What only this user may open: folders, and files with secrets."""
    inside = ("logs", "chroma", "graph", settings.audit_dir.name)
    folders = (settings.data_dir, settings.run_dir, *map(settings.data_dir.joinpath, inside))
    secrets = map(settings.data_dir.joinpath, ACCESS_FILES)
    for place in (*folders, token_file(settings.data_dir), *secrets):
        if os.path.lexists(place):
            yield place


def _own(place: Path) -> bool:
    found = place.lstat()
    ordinary = stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)
    return ordinary and found.st_uid == os.getuid()


def _open(place: Path) -> bool:
    return bool(place.lstat().st_mode & _OTHERS)


def _close(place: Path) -> None:
    if place.is_dir():
        private_dir(place, holding="this vault's data")
        return
    try:
        place.chmod(0o600)
    except OSError as error:
        raise StorageError(
            f"{place.name} in the data directory cannot be closed to others ({error.strerror}): "
            "check the permissions."
        ) from error


def _shown(settings: Settings, place: Path) -> str:
    if place == settings.data_dir:
        return "the data directory"
    return f"its folder {place.name}" if place.is_dir() else place.name
