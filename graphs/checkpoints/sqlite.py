"""LangGraph's SQLite saver, on a file that is set aside as soon as it turns out to be damaged."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import aiosqlite
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from graphs.checkpoints.guarded_saver import GuardedSaver
from tools.base.errors import StorageError, StoreVersionError
from tools.runtime.sqlite import (
    PATIENCE,
    POLL_SECONDS,
    is_busy,
    is_damage,
    is_unwritable,
    set_file_aside,
)

SCHEMA_VERSION = 1
"""Of what our checkpoints hold; the tables are the saver's own."""

_log = logging.getLogger(__name__)


class QuestionStore(GuardedSaver, AsyncSqliteSaver):
    """Keeps open questions; a damaged file is renamed, a new one begun, and a warning logged.

    Raises StorageError where it cannot be renamed, and for a question that cannot be read.
    """

    def __init__(
        self,
        path: Path,
        conn: aiosqlite.Connection,
        *,
        stack: AsyncExitStack,
        serde: SerializerProtocol,
    ) -> None:
        super().__init__(conn, serde=serde)
        self._path = path
        self._stack = stack
        self._mending = asyncio.Lock()
        self._file: int | None = None

    async def setup(self) -> None:
        if not self.is_setup:
            await self._guarded(self._begin)

    async def _guarded[T](self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work; where the file is damaged, once more with a new one.

        Where it cannot be written, once more in memory.
        """
        used = self.conn
        try:
            return await work()
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                begin_anew = self._begin_anew
            elif is_unwritable(error):
                begin_anew = self._go_on_in_memory
            else:
                raise
        async with self._mending:
            if self.conn is used:
                await begin_anew()
        return await work()

    async def _begin_anew(self) -> None:
        await self.conn.close()
        await asyncio.to_thread(self._set_aside)
        self.conn = await self._stack.enter_async_context(aiosqlite.connect(self._path))
        self.is_setup = False
        await self._begin()

    async def _go_on_in_memory(self) -> None:
        await self.conn.close()
        self.conn = await self._stack.enter_async_context(aiosqlite.connect(":memory:"))
        self.is_setup = False
        await super().setup()
        _log.warning(
            "Open questions cannot be kept: answers are whole, but what is asked back has to be "
            "asked again. Free some space or check the data directory's permissions."
        )

    async def _begin(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                await self._check_version()
                await super().setup()
                break
            except sqlite3.OperationalError as error:
                # Another process begins the file: for its log SQLite does not wait by itself.
                if not is_busy(error) or time.monotonic() > deadline:
                    raise
            await self.conn.rollback()
            await asyncio.sleep(POLL_SECONDS)
        self._file = (await asyncio.to_thread(self._path.stat)).st_ino

    async def _check_version(self) -> None:
        """Mark a new file; one from before the marks is as the first version's."""
        async with self.conn.execute("PRAGMA user_version") as found:
            row = await found.fetchone()
        version = row[0] if row else 0
        if version > SCHEMA_VERSION:
            raise StoreVersionError(
                "The file of open questions was written by a newer version of brain: update "
                f"brain, or delete {self._path.name} in the data directory; what waits for a "
                "reply is lost with it."
            )
        if version < SCHEMA_VERSION:
            await self.conn.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            await self.conn.commit()

    def _set_aside(self) -> None:
        """Rename the file and what SQLite keeps beside it; one set aside before makes room."""
        try:
            if self._file not in (None, self._path.stat().st_ino):
                return  # another process has begun a new one
            aside = set_file_aside(self._path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(
                f"{self._path.name} in the data directory is damaged and cannot be renamed "
                f"({error.strerror}): move it away; questions that wait for a reply are lost."
            ) from None
        _log.warning(
            "The file of open questions was damaged: questions that waited for a reply are lost, "
            "ask them again. It is kept as %s in the data directory.",
            aside.name,
        )
