"""Where open questions wait: LangGraph's SQLite saver, with our values and no others allowed in."""

import inspect
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import TypeAdapter

from graphs.state import QueryContext
from tools import domain
from tools.errors import StorageError


@asynccontextmanager
async def open_checkpoints(path: Path) -> AsyncGenerator[BaseCheckpointSaver[str]]:
    """Open or create the file; a damaged one is set aside, also while it is in use.

    Where it cannot be written, questions are still answered, but one that asks back cannot go on
    in another process. Raises StorageError for what goes wrong later.
    """
    async with AsyncExitStack() as stack:
        try:
            saver = await _opened(path, stack)
        except sqlite3.OperationalError:
            saver = InMemorySaver(serde=_serializer())
        try:
            yield saver
        except sqlite3.Error as error:
            raise StorageError(
                f"Open questions cannot be kept ({error}): free some space or check the data "
                "directory's permissions."
            ) from error


async def _opened(path: Path, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    import aiosqlite

    from graphs.question_store import QuestionStore

    connection = await stack.enter_async_context(aiosqlite.connect(path))
    saver = QuestionStore(path, connection, stack=stack, serde=_serializer())
    await saver.setup()
    return saver


def _serializer() -> "_Serializer":
    values = [value for _, value in inspect.getmembers(domain, inspect.isclass)]
    return _Serializer(allowed_msgpack_modules=[*values, QueryContext])


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
