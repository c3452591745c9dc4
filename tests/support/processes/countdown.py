"""A process that kills itself with its n-th call to the system, or SQL statement."""

import os
import signal
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from itertools import count
from pathlib import Path
from typing import Any

from tools.settings.loading import load_settings
from tools.settings.settings import Settings

type Counted = Sequence[tuple[Any, str]]
"""Functions that count, each a module and its name there."""


class Countdown:
    """Kills this process with the call of a number, once a part of that is done."""

    def __init__(self, number: int, part: float) -> None:
        self._number, self._part = number, part
        self.count = 0

    def at(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def counted(*arguments: Any, **options: Any) -> Any:
            self.count += 1
            if self.count == self._number:
                if name == "write":
                    descriptor, data = arguments
                    call(descriptor, data[: int(len(data) * self._part)])
                elif self._part == 1:
                    with suppress(OSError):
                        call(*arguments, **options)
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)

        return counted

    def begin(self, counted: Counted) -> None:
        """Have these functions of this process count, and its SQL statements."""
        connect, strike = sqlite3.connect, self.at("statement", lambda: None)

        def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection = connect(*arguments, **options)
            connection.set_trace_callback(lambda _: strike())
            return connection

        sqlite3.connect = traced
        for module, name in counted:
            setattr(module, name, self.at(name, getattr(module, name)))


def settings_in(folder: Path) -> Settings:
    """The settings of the vault and the data directory in a folder."""
    return load_settings(vault=folder / "vault", data_dir=folder / "data")


def in_child(do: Callable[[], object]) -> bool:
    """Do it in a process of its own; whether that came to its end."""
    child = os.fork()
    if child == 0:
        try:
            do()
        except BaseException:  # noqa: BLE001 - nothing of the test's process goes on here
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def die_at_each(
    folder: Path,
    counted: Counted,
    prepared: Callable[[Path], Settings],
    do: Callable[[Settings], object],
) -> None:
    """Do it to the vault in ``FOLDER/NUMBER-PART``, for each number from 1 on, until that call.

    Before it the process is gone (part 0.0), or after it (1.0); so until one comes to its end.
    """
    for number in count(1):
        for part in (0.0, 1.0):
            settings = prepared(folder / f"{number}-{part}")

            def dying(at: int = number, part: float = part, now: Settings = settings) -> None:
                Countdown(at, part).begin(counted)
                do(now)

            if in_child(dying):
                return
