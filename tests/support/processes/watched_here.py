"""``brain watch`` within the process of a test: the same lines, without a process to start."""

import asyncio
import io
import json
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, redirect_stdout, suppress
from unittest.mock import patch

from graphs.cli.commands.watch import watch
from tests.support.waiting import until_async


class WatcherHere:
    """A ``brain watch --json`` in the loop of a test, and the lines it has printed so far."""

    def __init__(self, printed: io.StringIO, watching: asyncio.Task[int]) -> None:
        self._printed = printed
        self._watching = watching

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self._printed.getvalue().splitlines()]

    def events(self, name: str) -> list[dict[str, object]]:
        return [line for line in self.lines if line["event"] == name]

    async def until(self, condition: Callable[[], object], *, seconds: float = 60) -> None:
        """Wait until something is so, while it watches on."""

        def is_so() -> object:
            assert not self._watching.done(), "it ended"
            return condition()

        await until_async(is_so, seconds=seconds)


@asynccontextmanager
async def watched_here(variables: Mapping[str, str]) -> AsyncGenerator[WatcherHere]:
    """A vault that is watched, with what there is indexed, until the block ends."""
    printed = io.StringIO()
    with patch.dict(os.environ, variables), redirect_stdout(printed):
        watching = asyncio.create_task(watch(vault=None, data_dir=None, as_json=True))
        watcher = WatcherHere(printed, watching)
        try:
            await watcher.until(lambda: watcher.events("watching"))
            yield watcher
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
