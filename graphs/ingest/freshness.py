"""Bringing the catalog up to date for a question; a process that stays need not look each time."""

import threading
import time
from collections.abc import Callable
from datetime import datetime

from graphs.stores.freshness import catch_up
from tools.base.errors import BrainError
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import Scan, scan
from tools.vault.history.history import History
from tools.vault.indexing.indexing import Freshness
from tools.vault.watch.watching import Look, VaultWatch

_AFTER_SECONDS = 1.0
"""How long after a question what need not delay it is done."""
_LOOK_AGAIN_SECONDS = 30.0
"""How often all files are looked at all the same, behind the questions."""
_AT_LEAST_SECONDS = 3600.0
"""A question that comes so long after the last look takes one: a stopped process hears nothing."""
_UP_TO_DATE = Freshness(refreshed=0, stale=0)


class FreshnessMonitor:
    """Called by each question, from any thread; returns how fresh the catalog is then.

    The first question looks at all files, the second has the vault watched from then on, and those
    after it look only if something may have changed.
    """

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog,
        history: History,
        *,
        clock: Callable[[], datetime],
        watch: VaultWatch,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._catalog = catalog
        self._history = history
        self._clock = clock
        self._watch = watch
        self._timer = timer
        self._lock = threading.Lock()
        self._questions = 0
        self._looked: float | None = None
        self._later: threading.Timer | None = None
        self._closed = False

    def __call__(self) -> Freshness:
        """Look if it has to be, index a few changed notes, and say what is behind."""
        look = self._watch.look()
        since = self._since_last_look()
        fresh = _UP_TO_DATE
        if look.changed or since is None or since > _AT_LEAST_SECONDS:
            fresh = self._look_at_all(look)
        self._plan_upkeep()
        return fresh

    def maintain(self) -> None:
        """What is done behind the questions: watch the vault, and look at all files now and then.

        Changes of which the watch had not told end its being believed.
        """
        if self._watch.worth_arming:
            self._watch.arm(self._scan().folders)
        before = self._watch.look()
        fresh = self._look_at_all(before)
        found = fresh.refreshed or fresh.stale
        # What happens while the files are looked at is found before it is told.
        if found and not before.changed and not self._watch.look().changed:
            self._watch.distrust()

    def close(self) -> None:
        """End the watch; waits for upkeep that is under way."""
        with self._lock:
            self._closed = True
            later, self._later = self._later, None
        if later is not None:
            later.cancel()
            if later is not threading.current_thread():
                later.join()
        self._watch.close()

    def _look_at_all(self, look: Look) -> Freshness:
        found = self._scan()
        fresh = catch_up(self._settings, self._catalog, self._history, found, now=self._clock())
        self._looked = self._timer()
        if not fresh.stale and not fresh.unreached:
            self._watch.settle(look, found.folders)
        return fresh

    def _scan(self) -> Scan:
        settings = self._settings
        return scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)

    def _since_last_look(self) -> float | None:
        return None if self._looked is None else self._timer() - self._looked

    def _plan_upkeep(self) -> None:
        with self._lock:
            self._questions += 1
            since = self._since_last_look()
            due = self._watch.worth_arming or (
                self._watch.armed and since is not None and since > _LOOK_AGAIN_SECONDS
            )
            if self._questions < 2 or not due or self._later is not None or self._closed:
                return
            self._later = threading.Timer(_AFTER_SECONDS, self._run_upkeep)
            self._later.daemon = True
            self._later.start()

    def _run_upkeep(self) -> None:
        try:
            self.maintain()
        except BrainError:
            self._watch.distrust()  # the next question says what is wrong
        finally:
            with self._lock:
                self._later = None
