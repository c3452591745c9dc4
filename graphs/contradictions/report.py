"""What a vault contradicts itself in: found by a scan of all of it, less what was dismissed."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace

from graphs.contradictions.progress import is_scanning, only_scan
from graphs.contradictions.scan import ContradictionScan
from graphs.core.deps import Deps
from graphs.ingest.graph import Progress
from graphs.query.cited_authors import with_cited_authors
from graphs.stores.ownership import require_writable
from tools.base.errors import InputError
from tools.claims.report import Conflict, FoundConflict, KnownConflicts
from tools.settings.settings import Settings
from tools.vault.storage.contradictions import ContradictionStore, Dismissals


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultConflicts:
    """Contradictions and changes: what is sure first, of that what is new.

    ``dismissed`` tells how many more were dismissed, ``unsure`` how many were left out as less
    sure. ``compared`` of the ``notes`` are compared with all others as they are now; ``under_way``
    says that this goes on.
    """

    found: tuple[FoundConflict, ...]
    dismissed: int
    unsure: int
    compared: int
    notes: int
    under_way: bool


class ScannedConflicts:
    """What the last scan found, for the questions of a process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: ContradictionStore | None = None

    def __call__(self, paths: Collection[str] | None) -> KnownConflicts:
        """What is sure between notes of ``paths``, or of all; nothing before the first scan.

        It blocks.

        Raises StorageError and StoreVersionError.
        """
        if self._store is None and self._settings.contradictions_path.exists():
            self._store = ContradictionStore(self._settings.contradictions_path)
        found: Sequence[Conflict] = ()
        if self._store:
            every = paths is None
            found = (
                [one.clash for one in self._store.found() if one.sure]
                if every
                else self._store.among(paths)
            )
        return KnownConflicts(
            found=found,
            dismissed=Dismissals(self._settings.dismissals_path).keys(),
            compared=self._store.compared() if self._store else 0,
        )

    def close(self) -> None:
        if self._store is not None:
            self._store.close()


async def scan_for_conflicts(deps: Deps, on_progress: Callable[[Progress], None]) -> None:
    """Scan what has changed, for one who holds ``only_scan``. Raises StorageError, SourceError."""
    with closing(ContradictionStore(deps.settings.contradictions_path)) as store:
        await ContradictionScan(deps, store).run(on_progress)


async def compare_notes(deps: Deps, on_progress: Callable[[Progress], None]) -> None:
    """Scan what has changed; where it is cancelled, the next goes on.

    Raises BusyError while another process scans, StorageError, SourceError.
    """
    require_writable(deps.settings)
    with ExitStack() as held:
        # Waiting for the lock must not keep the loop.
        await asyncio.to_thread(held.enter_context, only_scan(deps.settings))
        await scan_for_conflicts(deps, on_progress)


async def known_conflicts(deps: Deps, *, unsure: bool) -> VaultConflicts:
    """What the scans so far have found. Raises StorageError.

    What is less sure is given only where ``unsure`` asks for it.
    """
    every, compared = await asyncio.to_thread(_kept, deps)
    dismissed = await asyncio.to_thread(Dismissals(deps.settings.dismissals_path).keys)
    found = [one for one in every if one.sure or unsure]
    kept = [one for one in found if one.key not in dismissed]
    cited = await asyncio.to_thread(with_cited_authors, [one.clash for one in kept], deps)
    left = {one.key for one in every} - {one.key for one in found} - dismissed
    return VaultConflicts(
        found=tuple(replace(one, clash=clash) for one, clash in zip(kept, cited, strict=True)),
        dismissed=len(found) - len(kept),
        unsure=len(left),
        compared=compared,
        notes=await asyncio.to_thread(deps.catalog.note_count),
        under_way=await asyncio.to_thread(is_scanning, deps.settings),
    )


def _kept(deps: Deps) -> tuple[list[FoundConflict], int]:
    """Everything found, and how many notes are compared as they are now."""
    if not deps.settings.contradictions_path.exists():
        return [], 0
    with closing(ContradictionStore(deps.settings.contradictions_path)) as store:
        return store.found(), ContradictionScan(deps, store).up_to_date()


def mark_seen(deps: Deps, found: Sequence[FoundConflict]) -> None:
    """Remember that these were shown. It blocks. Raises StorageError."""
    with closing(ContradictionStore(deps.settings.contradictions_path)) as store:
        store.mark_seen(one.key for one in found)


def dismiss(deps: Deps, keys: Sequence[str]) -> int:
    """Never tell of these again; how many were not dismissed before. It blocks.

    Raises InputError for a key under which nothing was found, StorageError.
    """
    require_writable(deps.settings)
    with closing(ContradictionStore(deps.settings.contradictions_path)) as store:
        found = {one.key: one for one in store.found()}
    if unknown := [key for key in keys if key not in found]:
        raise InputError(
            f"There is no contradiction {unknown[0]!r}: `brain contradictions` lists them with "
            "their keys."
        )
    file = Dismissals(deps.settings.dismissals_path)
    known = file.keys()
    new = [found[key] for key in dict.fromkeys(keys) if key not in known]
    file.add(new, at=deps.clock())
    return len(new)
