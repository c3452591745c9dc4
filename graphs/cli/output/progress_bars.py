"""How far an indexing run is: bars on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphs.ingest.graph import Phase, Progress

if TYPE_CHECKING:
    from rich.console import Console

LINE_SECONDS = 10.0
"""Seconds between two lines where there is no terminal."""

_UNITS: dict[Phase, str] = {
    "text": "notes read",
    "history": "versions read",
    "graph": "notes in the graph",
    "vectors": "passages embedded",
    "claims": "notes read for claims",
    "comparing": "notes compared",
}

type Show = Callable[[Progress], None]


@contextmanager
def shown_progress(*, quiet: bool = False) -> Generator[Show]:
    """Show on standard error what it is told; ``quiet`` says nothing where that is no terminal."""
    from rich.console import Console

    out = Console(stderr=True, highlight=False)
    if out.is_terminal:
        with _bars(out) as show:
            yield show
    elif quiet:
        yield lambda _: None
    else:
        yield in_lines(lambda line: out.print(line, soft_wrap=True, markup=False))


def in_lines(write: Callable[[str], None], *, now: Callable[[], float] = time.monotonic) -> Show:
    """Have a line written whenever ``LINE_SECONDS`` have passed, with the rate and the time left.

    A run that is done sooner says nothing.
    """
    written = now()
    begun: dict[Phase, tuple[float, int]] = {}

    def show(progress: Progress) -> None:
        nonlocal written
        moment = now()
        since, first = begun.setdefault(progress.phase, (moment, progress.done))
        if moment - written < LINE_SECONDS:
            return
        written = moment
        line = f"{progress.done} of {progress.total} {_UNITS[progress.phase]}"
        if moment > since and progress.done > first:
            rate = (progress.done - first) / (moment - since)
            left = _in_words((progress.total - progress.done) / rate)
            line += f", {rate:.0f}/s, about {left} left"
        write(line)

    return show


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@contextmanager
def _bars(out: "Console") -> Generator[Show]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars
    from rich.progress import Task as BarTask
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: BarTask) -> Text:
            return Text(f"{task.speed or 0:.0f}/s")

    columns = (
        TextColumn("{task.description:<20}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=out) as bars:
        tasks: dict[Phase, TaskID] = {}

        def show(progress: Progress) -> None:
            if progress.phase not in tasks:
                tasks[progress.phase] = bars.add_task(_UNITS[progress.phase], total=progress.total)
            bars.update(tasks[progress.phase], completed=progress.done)

        yield show
