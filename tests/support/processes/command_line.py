"""The command line on a vault and a data directory, as a process of its own or within this one."""

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from typer.testing import CliRunner

from graphs.cli.main import app
from tests.support.vaults.notes import write_notes

type Brain = Callable[..., subprocess.CompletedProcess[str]]
"""The command line on some vault, run to its end."""

BRAIN = str(Path(sys.executable).parent / "brain")


def environment(vault: Path, data_dir: Path, *, mode: str = "local") -> dict[str, str]:
    """Variables of this process and the settings; the servers end with this process.

    On a busy machine a search may take longer than a person would wait for it.
    """
    return {
        "BRAIN_SOURCE_TIMEOUT": "20",
        **os.environ,
        "BRAIN_VAULT": str(vault),
        "BRAIN_DATA_DIR": str(data_dir),
        "BRAIN_MODE": mode,
        "BRAIN_SERVICES_OWNER": str(os.getpid()),
    }


def run(
    *arguments: str,
    environment: Mapping[str, str],
    stdin: str | None = None,
    timeout: float | None = 120,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run ``brain`` to its end. ``timeout`` is in seconds; ``check`` raises for any exit but 0."""
    return subprocess.run(
        [BRAIN, *arguments],
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=check,
    )


def run_here(
    *arguments: str, environment: Mapping[str, str], stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``brain`` to its end without a process: the same words, without a second of imports."""
    done = CliRunner().invoke(app, arguments, input=stdin, env=environment)
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


@contextmanager
def indexed_here(folder: Path, notes: Mapping[str, str], **variables: str) -> Generator[Brain]:
    """The command line, within this process, on an indexed vault of these notes.

    ``variables`` are settings beside those of ``environment``. The servers end with the block.
    """
    vault = folder / "vault"
    write_notes(vault, notes)
    brain = partial(run_here, environment=environment(vault, folder / "data") | variables)
    assert brain("index").returncode == 0
    yield brain
    brain("stop")
