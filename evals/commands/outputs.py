"""What the commands of ``brain eval`` share: their limit, their files, their progress."""

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import TextIO

from tools.base import guards
from tools.base.errors import InputError
from tools.base.output_files import require_output, writing
from tools.settings.loading import load_folders


def at_least_one(limit: int | None, what: str) -> None:
    """Raise InputError for a limit below 1."""
    if limit is not None and limit < 1:
        raise InputError(f"The limit {limit} is too small: read at least 1 {what}.")


def notify(text: str) -> None:
    """Tell the person something, in one line."""
    sys.stderr.write(f"brain: {guards.terminal_text(text)}\n")


def apart(file: Path, outputs: Mapping[str, Path]) -> None:
    """Raise InputError where the input file would be written over."""
    for option, path in outputs.items():
        if path.exists() and path.samefile(file):
            raise InputError(f"{option} names the input file itself: give another name.")


def require_outputs(*kept: Path, **given: Path | None) -> dict[str, Path]:
    """The files that are asked for, by their options.

    Raises InputError for one that cannot be written, that is named twice, or that lies in a folder
    of ours: those that are ``kept``, and vault and data directory as they are set.
    """
    outputs = {f"--{option}": path for option, path in given.items() if path is not None}
    kept = (*load_folders(), *kept)
    for option, path in outputs.items():
        require_output(path, option=option, kept=kept)
    for (one, first), (other, second) in combinations(outputs.items(), 2):
        if first.resolve() == second.resolve():
            raise InputError(f"{one} and {other} name the same file: give two names.")
    return outputs


def write_line(sink: TextIO, text: str) -> None:
    """Written at once, so that a run that is stopped leaves whole lines."""
    sink.write(f"{text}\n")
    sink.flush()


@contextmanager
def written(path: Path) -> Generator[TextIO]:
    """The file, emptied. Raises InputError where it cannot be written."""
    with writing(path):
        sink = path.open("w", encoding="utf-8")
    with sink:
        yield sink


@contextmanager
def progress(what: str, total: int) -> Generator[Callable[[], None]]:
    """Show a bar on a terminal, nothing in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    out = Console(stderr=True)
    with Progress(console=out, disable=not out.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
