"""Marks in the folders of stores, which tell what they are filled with."""

import hashlib
import shutil
from pathlib import Path

from tools.graph.store import SCHEMA_VERSION
from tools.runtime.server_process import FILLED
from tools.runtime.services import semantic_service
from tools.semantic.chroma_server import ChromaAddress
from tools.settings.settings import Settings


def chroma_address(settings: Settings) -> ChromaAddress | None:
    """Where the semantic server of these settings keeps the vectors, if not in the directory."""
    return ChromaAddress.read(dict(semantic_service(settings).environment))


def mark_filled(mark: Path) -> None:
    """Leave a mark in a store's folder: gone with the store, it tells that there is work again.

    It is the only one there: what another store held then is not what it lacks now.
    """
    remove_marks(mark.parent)
    mark.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    mark.touch()


def remove_marks(folder: Path) -> None:
    """Take it that no store is filled, whichever they are."""
    for mark in folder.glob(f"{FILLED}*"):
        mark.unlink(missing_ok=True)


def vectors_mark(settings: Settings) -> Path:
    """The mark of the vectors' present store, the folder itself or a Chroma server."""
    if settings.chroma_url is None:
        return settings.chroma_dir / FILLED
    where = f"{settings.chroma_url}|{settings.chroma_tenant}|{settings.chroma_database}"
    name = hashlib.sha256(where.encode()).hexdigest()[:8]
    return settings.chroma_dir / f"{FILLED}.{name}"


def vectors_in_other_store(settings: Settings) -> bool:
    """Whether the vectors that are known to be made lie in another store than the present one."""
    return not vectors_mark(settings).exists() and any(settings.chroma_dir.glob(f"{FILLED}*"))


def graph_mark(settings: Settings) -> Path:
    """The mark of the graph's present format and database."""
    where = f"{settings.graph_uri or ''}|{settings.graph_database or ''}"
    name = hashlib.sha256(where.encode()).hexdigest()[:8]
    return settings.graph_dir / f"{FILLED}.{SCHEMA_VERSION}.{name}"


def set_aside(folder: Path) -> None:
    """Rename a store's folder that cannot be read; one set aside before makes room."""
    damaged = folder.with_name(f"{folder.name}.damaged")
    shutil.rmtree(damaged, ignore_errors=True)
    if folder.exists():
        folder.rename(damaged)
