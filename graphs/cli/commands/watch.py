"""``brain watch``: stays, and indexes what is saved as soon as it is."""

import asyncio
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.output.exit_codes import OK
from graphs.cli.output.progress_bars import shown_progress
from graphs.cli.output.watch import MANY, Lines
from graphs.contradictions.progress import scan_state
from graphs.stores.freshness import nothing_to_do
from tools.base.errors import BrainError, BusyError
from tools.temporal.clock import local_now
from tools.vault.disk.files import is_there, scan
from tools.vault.git.repository import places_of_head
from tools.vault.watch.watching import Changes, FolderWatch, WatchError

_STEP_MS = 100
_LOOK_SECONDS = 60.0
"""How often all files are looked at although nothing was heard of."""
_POLL_SECONDS = 2.0
"""The same where nothing can be heard; longer where looking itself takes long."""
_AWAY_SECONDS = _BUSY_SECONDS = 1.0
_RETRY_SECONDS = 30.0
_TRIES = 5
_PAUSE_SECONDS = 5.0
_FEW = 20
_LONGEST_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long changes are gathered, in seconds: until none comes for ``quiet``, or ``at_most``.

    ``stream`` are the notes that changed without a pause between them.
    """

    quiet: float = 0.2
    at_most: float = 1.0
    stream: frozenset[str] = frozenset()

    def after(self, notes: frozenset[str], *, pause: float, took: float) -> "Pace":
        """The pace after a batch that came ``pause`` after the last one and ``took`` so long.

        A save, and one note saved again and again, is indexed at once; in a stream of many notes
        each batch is gathered longer than the one before.
        """
        stream = notes if pause > _PAUSE_SECONDS else self.stream | notes
        if len(stream) <= _FEW:
            return Pace(stream=stream)
        longest = min(max(2 * self.at_most, took), _LONGEST_SECONDS)
        return Pace(quiet=1.0, at_most=longest, stream=stream)


async def watch(*, vault: Path | None, data_dir: Path | None, as_json: bool) -> int:
    """Index, then stay and index each change, until a signal ends it."""
    async with open_brain(vault, data_dir=data_dir) as brain:
        lines = Lines(clock=local_now, as_json=as_json)
        watching = _Watching(brain, lines)
        with _ended_by_signals(watching):
            await watching.run()
        lines.emit("stopped", "Stopped; what is done is kept.")
    return OK


class _Watching:
    """A vault while it is watched."""

    def __init__(self, brain: Brain, lines: Lines) -> None:
        self._brain = brain
        self._settings = brain.settings
        self._lines = lines
        self._stop = threading.Event()
        self._run: asyncio.Task[bool] | None = None
        self._watch: FolderWatch | None = None
        self._deaf: str | None = None
        self._deaf_until = 0.0
        self._due: Changes | None = Changes()
        self._begun = False
        self._pace = Pace()
        self._ended = 0.0

    def stop(self) -> None:
        """End it soon; an indexing run under way is cut short, and completed by the next."""
        self._stop.set()
        if self._run is not None:
            self._run.cancel()

    async def run(self) -> None:
        """Stay until ``stop``."""
        try:
            while not self._stop.is_set():
                if not await asyncio.to_thread(is_there, self._settings.vault):
                    await self._wait_until_there()
                elif self._watch is None and time.monotonic() >= self._deaf_until:
                    # Before the run that is due: what happens during it is heard of.
                    if await asyncio.to_thread(self._listen):
                        self._due = self._due or Changes()
                elif self._due is not None:
                    if await self._index(self._due):
                        self._due = None
                else:
                    self._due = await asyncio.to_thread(self._wait)
        finally:
            self._stop.set()
            self._deafen()

    async def _wait_until_there(self) -> None:
        self._deafen()
        self._lines.emit(
            "gone", "The vault is empty or not there: waiting for it; what is indexed is kept."
        )
        while not await asyncio.to_thread(is_there, self._settings.vault):
            if self._stop.wait(0):
                return
            await self._pause(_AWAY_SECONDS)
        self._lines.emit("back", "The vault is there again.")
        self._due = self._due or Changes()

    # --- hearing of changes ----------------------------------------------------------------

    def _listen(self) -> bool:
        """Watch the folders that there are; none may come unheard while that is set up."""
        settings = self._settings
        beside = places_of_head(settings.vault)
        try:
            for _ in range(_TRIES):
                found = scan(
                    settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes
                )
                if self._watch is not None and self._watch.folders == frozenset(found.folders):
                    break
                self._deafen()
                self._watch = FolderWatch(
                    settings.vault,
                    found.folders,
                    fences=settings.fences_dir,
                    beside=beside,
                    step_ms=_STEP_MS,
                )
        except WatchError as error:
            self._deafen()
            self._deaf_until = time.monotonic() + _RETRY_SECONDS
            if str(error) != self._deaf:
                self._lines.emit("problem", f"All files are looked at every few seconds: {error}.")
            self._deaf = str(error)
            return False
        self._deaf = None
        return True

    def _deafen(self) -> None:
        if self._watch is not None:
            self._watch.close()
        self._watch = None

    def _wait(self) -> Changes | None:
        """Wait for changes, and look at all files now and then; None: there are none."""
        if self._watch is None:
            started = time.monotonic()
            behind = self._is_behind()
            if not behind:
                self._stop.wait(max(_POLL_SECONDS, 10 * (time.monotonic() - started)))
            return Changes() if behind else None
        try:
            changes = self._watch.wait(
                seconds=_LOOK_SECONDS,
                quiet=self._pace.quiet,
                at_most=self._pace.at_most,
                stop=self._stop,
            )
        except WatchError:  # most of all because the vault is gone
            self._deafen()
            return Changes()
        if changes.folders:
            self._deafen()
        if not changes and not self._stop.is_set() and self._is_behind():
            return Changes()
        return changes or None

    def _is_behind(self) -> bool:
        try:
            return nothing_to_do(self._settings) is None
        except BrainError:
            return True  # the run says what is wrong

    # --- indexing --------------------------------------------------------------------------

    async def _index(self, changes: Changes) -> bool:
        """Run the indexing and tell of it; False if it has to be tried again."""
        self._run = asyncio.create_task(self._run_and_tell(changes))
        try:
            return await self._run
        except asyncio.CancelledError:
            if not self._stop.is_set():
                raise
            return False
        finally:
            self._run = None

    async def _tell_clashes(self) -> None:
        """Tell what the notes just saved contradict, once the vault was looked through."""
        try:
            if await asyncio.to_thread(scan_state, self._settings) is None:
                return
            clashes = await self._brain.contradictions()
        except BusyError:  # who looks through the vault now tells of them
            return
        except BrainError as error:
            self._lines.emit("problem", f"Contradictions were not looked for: {error}")
            return
        for one in clashes.found:
            if one.new:
                self._lines.conflict(one)

    async def _run_and_tell(self, changes: Changes) -> bool:
        began = time.monotonic()
        long = not self._begun or changes.folders or len(changes.notes) >= MANY
        try:
            with shown_progress() if long and not self._lines.as_json else nullcontext() as show:
                report = await self._brain.index(on_progress=self._lines.progress(show))
        except BusyError:
            self._lines.emit("waiting", "Another process indexes this vault: waiting for it.")
            await self._pause(_BUSY_SECONDS)
            return False
        except BrainError as error:
            self._lines.emit("waiting", f"{error} It is tried again.")
            await self._pause(_RETRY_SECONDS)
            return False
        ended = time.monotonic()
        if self._begun:
            self._lines.indexed(report, seconds=ended - began)
            await self._tell_clashes()
        else:
            self._lines.began(report, seconds=ended - began)
        self._begun = True
        pause, took = began - self._ended, ended - began
        self._pace = self._pace.after(changes.notes, pause=pause, took=took)
        self._ended = ended
        return True

    async def _pause(self, seconds: float) -> None:
        await asyncio.to_thread(self._stop.wait, seconds)


@contextmanager
def _ended_by_signals(watching: _Watching) -> Generator[None]:
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, watching.stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
