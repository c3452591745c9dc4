"""What a vault contradicts itself in: found by a scan of all of it, less what was dismissed."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace

from graphs.contradictions.progress import only_scan
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
    sure.
    """

    found: tuple[FoundConflict, ...]
    dismissed: int
    unsure: int


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


async def find_conflicts(
    deps: Deps, on_progress: Callable[[Progress], None], *, unsure: bool
) -> VaultConflicts:
    """Scan what has changed and give what is found, which has been seen then.

    What is less sure is given only where ``unsure`` asks for it.

    Raises BusyError while another process scans, StorageError, SourceError.
    """
    require_writable(deps.settings)
    with ExitStack() as held:
        # Waiting for the lock must not keep the loop.
        await asyncio.to_thread(held.enter_context, only_scan(deps.settings))
        await scan_for_conflicts(deps, on_progress)
    with closing(ContradictionStore(deps.settings.contradictions_path)) as store:
        every = await asyncio.to_thread(store.found)
        found = [one for one in every if one.sure or unsure]
        await asyncio.to_thread(store.mark_seen, [one.key for one in found])
    dismissed = await asyncio.to_thread(Dismissals(deps.settings.dismissals_path).keys)
    kept = [one for one in found if one.key not in dismissed]
    cited = await asyncio.to_thread(with_cited_authors, [one.clash for one in kept], deps)
    told = tuple(replace(one, clash=clash) for one, clash in zip(kept, cited, strict=True))
    left = {one.key for one in every} - {one.key for one in found} - dismissed
    return VaultConflicts(found=told, dismissed=len(found) - len(kept), unsure=len(left))


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
