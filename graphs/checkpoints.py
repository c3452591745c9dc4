"""Where open questions wait: LangGraph's SQLite saver, with our values and no others allowed in."""

import inspect
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tools import domain
from tools.errors import StorageError

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


@asynccontextmanager
async def open_checkpoints(path: Path) -> "AsyncGenerator[AsyncSqliteSaver]":
    """Open or create the file. Raises StorageError."""
    import aiosqlite
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    values = [value for _, value in inspect.getmembers(domain, inspect.isclass)]
    serde = JsonPlusSerializer(allowed_msgpack_modules=values)
    try:
        async with aiosqlite.connect(path) as connection:
            saver = AsyncSqliteSaver(connection, serde=serde)
            await saver.setup()
            yield saver
    except sqlite3.Error as error:
        raise StorageError(
            f"Open questions cannot be kept ({error}): free some space or check the data "
            "directory's permissions."
        ) from error
