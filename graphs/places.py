"""The data directory itself: who can get at it, what lies about in it, how much room is left."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from graphs.checks import REPAIR, Check
from graphs.upkeep import READ_ONLY
from tools.errors import StorageError
from tools.services import Service, clear_remains, graph_service, has_remains, semantic_service
from tools.serving import private_dir
from tools.settings import Settings

LEAST_FREE = 200_000_000
"""Bytes of free space below which a run may not end."""
_READ_ONLY = Check(name="data directory", ok=False, detail=f"{READ_ONLY.error} {READ_ONLY.impact}")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def examine_places(settings: Settings) -> list[Check]:
    """Look at folders, sockets and free space; change nothing."""
    open_to_others = [_shown(settings, folder) for folder in _folders(settings) if _open(folder)]
    strangers = [_shown(settings, folder) for folder in _folders(settings) if not _own(folder)]
    left = [f"{service.name}.sock" for service in _services(settings) if has_remains(service)]
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
            detail=f"A server that was killed left {', '.join(left)}: {REPAIR}."
            if left
            else "No sockets or pid files of servers that are gone.",
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


def mend_places(settings: Settings) -> list[str]:
    """Make folders private and drop what killed servers left; say what was done."""
    done: list[str] = []
    for folder in _folders(settings):
        if _own(folder) and _open(folder):
            private_dir(folder, holding="this vault's data")
            done.append(f"{_shown(settings, folder)}: closed to other users.")
    for service in _services(settings):
        if has_remains(service):
            clear_remains(service)
            done.append(f"{service.name}.sock: what a killed server left was removed.")
    return done


def require_space(settings: Settings) -> None:
    """Raise StorageError where mending would only fill the disk."""
    free = shutil.disk_usage(settings.data_dir).free
    if free < LEAST_FREE:
        raise StorageError(
            f"Only {free / 1e6:.0f} MB are free for the data directory, so nothing was mended: "
            "free some space; what is indexed still answers."
        )


def _folders(settings: Settings) -> Iterator[Path]:
    inside = ("logs", "chroma", "graph")
    for folder in (settings.data_dir, settings.run_dir, *map(settings.data_dir.joinpath, inside)):
        if os.path.lexists(folder):
            yield folder


def _own(folder: Path) -> bool:
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def _open(folder: Path) -> bool:
    return bool(folder.lstat().st_mode & _OTHERS)


def _services(settings: Settings) -> tuple[Service, ...]:
    return semantic_service(settings), graph_service(settings)


def _shown(settings: Settings, folder: Path) -> str:
    if folder == settings.data_dir:
        return "the data directory"
    return f"its folder {folder.name}"
