"""What every command of ``brain`` shares: common options, and how it runs to an exit code."""

import errno
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from graphs.cli.output.exit_codes import ALL_FAILED, BAD_INPUT, INTERNAL, STOPPED
from graphs.core.crash_report import record
from tools.base.errors import BrainError, SourceError
from tools.runtime.disk_space import NO_ROOM

if TYPE_CHECKING:
    from tools.settings.settings import Settings

Vault = Annotated[Path | None, typer.Option("--vault", help="Folder with the notes [BRAIN_VAULT].")]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Where the index lives [BRAIN_DATA_DIR].")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
AsJsonList = Annotated[bool, typer.Option("--json", help="Print a JSON array of objects.")]
ModeOption = Annotated[
    Literal["auto", "llm", "local"] | None,
    typer.Option("--mode", help="Who decides: the program, a model, or either [BRAIN_MODE]."),
]

AsOf = Annotated[
    str | None,
    typer.Option("--as-of", help="What was true then: a date, a moment, or words."),
]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", help="What the notes said by then: a date, a moment, or words."),
]


def run_async(work: Coroutine[Any, Any, int]) -> int:
    """Run a coroutine to its exit code; who only asks another process never imports asyncio."""
    from graphs.cli.interrupts import run_interruptible

    return run_interruptible(work)


def run(start: Callable[[], int]) -> None:
    """Run a command to its exit code; whatever goes wrong becomes one line."""
    try:
        code = start()
        sys.stdout.flush()
    except BrainError as error:
        typer.echo(f"brain: {error}", err=True)
        code = ALL_FAILED if isinstance(error, SourceError) else BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):  # Abort: at a question, or its input ended
        typer.echo("brain: stopped; what is done is kept.", err=True)
        code = STOPPED
    except BrokenPipeError:  # the reader of our output is gone; Python would complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:  # noqa: BLE001 - the process's outermost edge
        code = _unforeseen(error)
    raise typer.Exit(code)


def _unforeseen(error: Exception) -> int:
    if isinstance(error, OSError) and error.errno in NO_ROOM | {errno.EIO, errno.EBADF}:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would complain at its end
        typer.echo(f"brain: the output cannot be written ({error.strerror}).", err=True)
        return BAD_INPUT
    typer.echo(f"brain: {record(error)}", err=True)
    return INTERNAL


def writable(vault: Path | None, data_dir: Path | None) -> "Settings":
    """The settings of a command that writes. Raises StorageError where nothing can be written."""
    from graphs.stores.ownership import require_writable
    from tools.settings.loading import load_settings

    settings = load_settings(vault=vault, data_dir=data_dir)
    require_writable(settings)
    return settings


def start_servers(vault: Path | None, data_dir: Path | None) -> None:
    """Start them before the heavy imports, so that both happen at the same time."""
    from graphs.stores import server_start
    from tools.settings.loading import load_settings

    server_start.start_servers(load_settings(vault=vault, data_dir=data_dir))
