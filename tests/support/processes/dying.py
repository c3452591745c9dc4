"""The command line in a process that kills itself, or a server, at a chosen moment.

``python -m tests.support.processes.dying MOMENT NTH VICTIM ARGUMENT…``: before the NTH time that
MOMENT comes. A moment is a method (``History.see``), its return (``History.see.done``), or the
beginning of an SQL statement (``sql:COMMIT``). A victim is ``self``, ``semantic``, ``keeper`` or
``database``. A ``serve`` is this very process, too.
"""

import inspect
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import psutil

from graphs.cli.main import main
from graphs.service import process as service_process
from tools.runtime.services import graph_service, semantic_service
from tools.settings.loading import load_settings

_MODULES = {
    "Catalog": "tools.vault.catalog.catalog",
    "GraphLedger": "tools.vault.history.graph_ledger",
    "GraphitiStore": "tools.graph.backends.graphiti",
    "History": "tools.vault.history.history",
    "InferredStore": "tools.graph.extraction.store",
    "Outbox": "tools.vault.catalog.outbox",
    "QuestionStore": "graphs.checkpoints.sqlite",
    "SemanticClient": "tools.semantic.client",
    "Soundness": "tools.vault.storage.soundness",
}


def kill(victim: str) -> None:
    """Kill this process, or one of the servers of the vault, and wait until it is gone."""
    if victim == "self":
        os.kill(os.getpid(), signal.SIGKILL)
    settings = load_settings()
    service = semantic_service(settings) if victim == "semantic" else graph_service(settings)
    process = psutil.Process(int(service.pid.read_text("ascii")))
    if victim == "database":
        (process,) = process.children()
    process.kill()
    psutil.wait_procs([process], timeout=20)


class _Countdown:
    """Kills once, when it was called so many times."""

    def __init__(self, nth: int, victim: str) -> None:
        self._left, self._victim = nth, victim

    def __call__(self) -> None:
        self._left -= 1
        if self._left == 0:
            Path(os.environ["BRAIN_DATA_DIR"], "run", "killed").touch()
            kill(self._victim)


def _at_method(name: str, strike: Callable[[], None]) -> None:
    owner, method, *done = name.split(".")
    kind = getattr(import_module(_MODULES[owner]), owner)
    called: Callable[..., Any] = getattr(kind, method)

    @wraps(called)
    async def later(*arguments: Any, **options: Any) -> Any:
        if not done:
            strike()
        result = await called(*arguments, **options)
        if done:
            strike()
        return result

    @wraps(called)
    def now(*arguments: Any, **options: Any) -> Any:
        if not done:
            strike()
        result = called(*arguments, **options)
        if done:
            strike()
        return result

    setattr(kind, method, later if inspect.iscoroutinefunction(called) else now)


def _at_statement(beginning: str, strike: Callable[[], None]) -> None:
    connect = sqlite3.connect

    def trace(statement: str) -> None:
        if statement.startswith(beginning):
            strike()

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(trace)
        return connection

    sqlite3.connect = traced


def _stay(_program: str, command: list[str], _environment: object) -> NoReturn:
    """Serve in this process, where another one would know of no moment."""
    sys.exit(service_process.main(command[command.index(service_process.__name__) + 1 :]))


if __name__ == "__main__":
    moment, nth, victim = sys.argv[1:4]
    countdown = _Countdown(int(nth), victim)
    if moment.startswith("sql:"):
        _at_statement(moment.removeprefix("sql:"), countdown)
    else:
        _at_method(moment, countdown)
    os.execve = _stay
    sys.argv[1:] = sys.argv[4:]
    main()
