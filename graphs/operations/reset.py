"""``brain reset``: what of a data directory can be deleted, what goes with it, and deleting it.

Only files that are ours and lie in the data directory itself are ever deleted; links are removed,
never followed.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphs.ingest import added_list
from graphs.links.writing import journal
from graphs.operations.remote_stores import RemoteStore, remote_stores, require_reached
from graphs.service.client import token_draft, token_file
from graphs.stores.index_lock import only_indexer
from tools.base.errors import InputError, StorageError
from tools.graph.access.secrets import FILES as ACCESS_FILES
from tools.runtime.sqlite import peek
from tools.semantic import choosing
from tools.settings.settings import Settings
from tools.text.voice import counted

_BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the name of a file for those that it keeps beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some of our files: ``lost`` is what nobody can make again once they are gone, in words."""

    name: str
    paths: tuple[Path, ...]
    bytes: int
    lost: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    """What a reset deletes and what it keeps; ``others`` are files that are not ours.

    Of stores at addresses this vault's part is meant: ``deleted_there`` and ``kept_there``.
    """

    deleted: tuple[Part, ...]
    kept: tuple[Part, ...]
    others: tuple[str, ...]
    deleted_there: tuple[RemoteStore, ...]
    kept_there: tuple[RemoteStore, ...]


def plan_reset(settings: Settings, *, everything: bool) -> Reset:
    """Say what would go; nothing is changed. Raises InputError where there is no index of ours."""
    _require_ours(settings)
    made_again = list(_made_again(settings))
    not_again = list(_not_made_again(settings))
    services = list(_for_servers(settings)) if everything else []
    ours = {
        path for part in (*made_again, *not_again, *_for_servers(settings)) for path in part.paths
    }
    others = (entry for entry in settings.data_dir.iterdir() if entry not in ours)
    there = remote_stores(settings)
    gone = [store for store in there if everything or store.can_be_made_again]
    return Reset(
        deleted=(*made_again, *(not_again if everything else ()), *services),
        kept=() if everything else tuple(not_again),
        others=tuple(sorted(entry.name for entry in others)),
        deleted_there=tuple(gone),
        kept_there=tuple(store for store in there if store not in gone),
    )


async def reset(settings: Settings, plan: Reset) -> list[str]:
    """Delete what the plan says; the servers must have been stopped. Say what has to stay.

    Raises InputError while another process indexes, StorageError where a store at an address
    cannot be used (nothing is deleted then) or something cannot be deleted.
    """
    # What goes is all that knows of drafts in the vault, and of links on one side.
    added_list.recover(settings)
    journal.recover(settings)
    left: list[str] = []
    with only_indexer(settings.data_dir):
        await require_reached(plan.deleted_there, otherwise="Nothing was deleted")
        for store in plan.deleted_there:
            left += await store.delete()
        for part in plan.deleted:
            for path in part.paths:
                _delete(path)
    if not plan.kept and not any(settings.data_dir.iterdir()):
        settings.data_dir.rmdir()
    return left


def _require_ours(settings: Settings) -> None:
    """Not only a folder with the right names in it, but the one that this vault claimed."""
    try:
        owner = (settings.data_dir / "vault").read_bytes().removesuffix(b"\n")
    except OSError:
        raise InputError("This vault has no index there: nothing was deleted.") from None
    if owner != os.fsencode(settings.vault):
        raise InputError(
            "This data directory belongs to another vault: nothing was deleted; name that vault "
            "with --vault, or another data directory with --data-dir."
        )


def _made_again(settings: Settings) -> Iterator[Part]:
    run = _named_like(settings.run_path, "", ".draft")
    # How well that index answered says nothing of the next one.
    checks = (settings.self_check_path, settings.self_check_page)
    measured = [path for file in checks for path in _named_like(file, "", ".draft")]
    yield from _part("index", *_with_siblings(settings.index_path), *run, *measured)
    encoder = _named_like(settings.data_dir / choosing.FILE, "", ".draft")
    yield from _part("vectors", *_with_damaged(settings.chroma_dir), *encoder)
    yield from _part("graph", *_with_damaged(settings.graph_dir))
    scanned = settings.contradictions_path
    lock = scanned.with_suffix(".lock")
    yield from _part("contradictions", *_with_siblings(scanned), lock)


def _not_made_again(settings: Settings) -> Iterator[Part]:
    texts = _count(
        settings.history_path,
        "SELECT count(*) FROM versions WHERE origin = 'seen' AND content IS NOT NULL",
    )
    facts = _count(settings.inferred_path, "SELECT count(*) FROM facts")
    asked = _count(settings.checkpoint_path, "SELECT count(DISTINCT thread_id) FROM checkpoints")
    replies = _count(settings.readings_path, "SELECT count(*) FROM replies")
    for name, path, lost in (
        (
            "history",
            settings.history_path,
            counted(texts, "text of notes as they were seen", "texts of notes as they were seen"),
        ),
        (
            "inferred facts",
            settings.inferred_path,
            counted(
                facts, "fact that a model read out of notes", "facts that a model read out of notes"
            ),
        ),
        (
            "open questions",
            settings.checkpoint_path,
            counted(asked, "thread of questions", "threads of questions"),
        ),
        (
            "replies of a model",
            settings.readings_path,
            counted(replies, "reading of questions", "readings of questions"),
        ),
    ):
        yield from _part(name, *_with_siblings(path), lost=lost)
    lost = "questions that were unclear, with what you chose"
    yield from _part("unclear questions", settings.ambiguity_log_path, lost=lost)
    lost = "pairs of claims that you dismissed as no contradictions"
    yield from _part("dismissals", settings.dismissals_path, lost=lost)
    added = settings.added_notes_path
    staged = _count(added, "SELECT count(*) FROM notes WHERE place = 'staging'")
    lost = f"{counted(staged, 'note')} that other programs added and nobody has accepted yet, and "
    lost += "which others they added"
    yield from _part("added notes", *_with_siblings(added), added.with_suffix(".lock"), lost=lost)
    links = settings.link_journal_path
    written = _count(links, "SELECT count(*) FROM writes WHERE state = 'applied'")
    lost = f"where {counted(written, 'link')} stand that you had put into notes, by which they can "
    lost += "be taken out again; the links stay"
    yield from _part("links", *_with_siblings(links), links.with_suffix(".lock"), lost=lost)
    decided = settings.link_feedback_path
    files = (*_named_like(decided, "", ".draft"), *_named_like(decided.with_suffix(""), ".damaged"))
    lost = "what you accepted and rejected of the links that were suggested"
    yield from _part("link feedback", *files, decided.with_suffix(".lock"), lost=lost)
    access = tuple(map(settings.data_dir.joinpath, ACCESS_FILES))
    lost = "the access tiers: no program that has a token of one is let in any more"
    yield from _part("access", *access, lost=lost)
    lost = "which tools other programs called, and what they wrote"
    yield from _part("audit log", settings.audit_dir, lost=lost)


def _for_servers(settings: Settings) -> Iterator[Part]:
    """The logs, and what says who is at work, with the vault's name; deleted last."""
    names = ("logs", "semantic.lock", "extract.lock", "index.lock", "vault")
    paths = tuple(map(settings.data_dir.joinpath, names))
    token = (token_file(settings.data_dir), token_draft(settings.data_dir))
    slow = _named_like(settings.slow_path, "", ".1", ".lock")
    yield from _part("logs and locks", *slow, *paths, *token, settings.run_dir)


def _part(name: str, *paths: Path, lost: str = "") -> Iterator[Part]:
    there = tuple(path for path in paths if os.path.lexists(path))
    if there:
        yield Part(name=name, paths=there, bytes=sum(map(_size, there)), lost=lost)


def _with_siblings(path: Path) -> list[Path]:
    files = (path, path.with_suffix(".damaged"))
    return [beside for file in files for beside in _named_like(file, *_BESIDE)]


def _named_like(file: Path, *endings: str) -> list[Path]:
    return [Path(f"{file}{ending}") for ending in endings]


def _with_damaged(folder: Path) -> tuple[Path, Path]:
    return folder, folder.with_name(f"{folder.name}.damaged")


def _size(path: Path) -> int:
    if path.is_symlink() or not path.is_dir():
        return path.lstat().st_size
    return sum((root / name).lstat().st_size for root, _, names in path.walk() for name in names)


def _count(path: Path, sql: str) -> int:
    """A number for the question; a file that cannot be read counts as empty."""
    rows = peek(path, sql)
    return int(rows[0][0]) if rows else 0


def _delete(path: Path) -> None:
    try:
        if path.is_symlink() or not path.is_dir():
            path.unlink(missing_ok=True)
        else:
            shutil.rmtree(path)
    except OSError as error:
        raise StorageError(
            f"{path.name} in the data directory cannot be deleted ({error.strerror}): check its "
            "permissions and run `brain reset` again; the notes are untouched."
        ) from error
