"""Where open questions wait: LangGraph's SQLite saver, with our values and no others allowed in."""

import inspect
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import TypeAdapter

from tools import domain
from tools.errors import StorageError

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


@asynccontextmanager
async def open_checkpoints(path: Path) -> "AsyncGenerator[AsyncSqliteSaver]":
    """Open or create the file. Raises StorageError."""
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    values = [value for _, value in inspect.getmembers(domain, inspect.isclass)]
    serde = _Serializer(allowed_msgpack_modules=values)
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


class _Serializer(JsonPlusSerializer):
    """Gives values back as they were: MessagePack knows lists only, our values hold tuples."""

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        return _restored(super().loads_typed(data))


def _restored(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return TypeAdapter(type(value)).validate_python(asdict(value))
    if isinstance(value, dict):
        entries = cast("Mapping[object, object]", value)
        return {key: _restored(entry) for key, entry in entries.items()}
    if isinstance(value, list):
        return [_restored(entry) for entry in cast("list[object]", value)]
    return value
