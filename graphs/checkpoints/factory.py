"""Where open questions wait: LangGraph's savers, with our values and no others allowed in."""

import inspect
import logging
import sqlite3
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import SecretStr, TypeAdapter

from graphs.core import state
from tools.base import domain, vault_query
from tools.base.errors import InputError, StorageError
from tools.base.extras import to_install
from tools.links.connections import NoteConnections
from tools.links.mentions import Mention
from tools.links.planned import NoteChange
from tools.links.review import Decided, Proposal, Reply, ReviewOptions, Tally, Wanted
from tools.links.suggestion import LinkSuggestion, SuggestedRelation
from tools.vault.editing.edits import NoteEdit
from tools.vault.editing.insertions import Insertion
from tools.vault.storage.link_journal import LinkWrite

_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_checkpoints(
    path: Path | None, *, uri: SecretStr | None = None, vault: str = ""
) -> AsyncGenerator[BaseCheckpointSaver[str]]:
    """Open or create the file, or with a ``uri`` the schema of ``vault`` in Postgres.

    Without either, questions wait in this process's memory.
    A damaged file is set aside, also while it is in use. Where nothing can be kept, questions are
    still answered, but one that asks back cannot go on in another process: a warning is logged.
    Raises StorageError for what goes wrong later, StoreVersionError for a store of a newer
    program, InputError for a ``uri`` that cannot be used here.
    """
    async with AsyncExitStack() as stack:
        try:
            if uri is not None:
                saver = await _in_postgres(uri.get_secret_value(), vault, stack)
            elif path is not None:
                saver = await _in_file(path, stack)
            else:
                saver = InMemorySaver(serde=serializer())
        except _UnkeptError as error:
            _log.warning(
                "%s: a question that asks back can only be answered in this process; "
                "all else works.",
                error,
            )
            saver = InMemorySaver(serde=serializer())
        try:
            yield saver
        except sqlite3.Error as error:
            raise StorageError(
                f"Open questions cannot be kept ({error}): free some space or check the data "
                "directory's permissions."
            ) from error


class _UnkeptError(Exception):
    """Why open questions cannot be kept."""


async def _in_file(path: Path, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    import aiosqlite

    from graphs.checkpoints.sqlite import QuestionStore

    try:
        connection = await stack.enter_async_context(aiosqlite.connect(path))
        saver = QuestionStore(path, connection, stack=stack, serde=serializer())
        await saver.setup()
    except sqlite3.OperationalError as error:
        raise _UnkeptError(f"{path.name} in the data directory cannot be used ({error})") from error
    return saver


async def _in_postgres(uri: str, vault: str, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    require_postgres()
    from graphs.checkpoints.postgres import UnreachedError, open_postgres

    try:
        return await stack.enter_async_context(open_postgres(uri, vault=vault, serde=serializer()))
    except UnreachedError as error:
        raise _UnkeptError(str(error)) from error


def require_postgres() -> None:
    """Raise InputError where what Postgres needs is not installed: it is an extra."""
    try:
        import_module("graphs.checkpoints.postgres")
    except ImportError as error:
        raise InputError(
            "Setting checkpoint_uri needs packages that are not installed: "
            f"{to_install('postgres')}, or unset it to keep open questions in the data directory."
        ) from error


_OF_REVIEWS = (
    *(Decided, Proposal, Reply, ReviewOptions, Tally, Wanted),
    *(LinkSuggestion, SuggestedRelation, Mention),
    *(LinkWrite, NoteChange, NoteConnections, NoteEdit, Insertion),
)
"""What a review of links waits with."""
_FORMERLY = {"tools.domain": domain, "tools.vault_query": vault_query, "graphs.state": state}
"""What the modules of our values were called by earlier programs, whose checkpoints name them."""


def serializer() -> JsonPlusSerializer:
    """Reads and writes our values and no others."""
    sys.modules.update(_FORMERLY)
    values = [
        one
        for module in (domain, vault_query)
        for _, one in inspect.getmembers(module, inspect.isclass)
    ]
    former = [
        (name, one.__name__)
        for name, module in _FORMERLY.items()
        for one in (*values, state.QueryContext)
        if getattr(module, one.__name__, None) is one
    ]
    return _Serializer(allowed_msgpack_modules=[*values, *_OF_REVIEWS, state.QueryContext, *former])


class _Serializer(JsonPlusSerializer):
    """Gives values back as they were: MessagePack knows lists only, our values hold tuples."""

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        return _restored(super().loads_typed(data))


def _restored(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return _adapter(type(value)).validate_python(asdict(value))
    if isinstance(value, dict):
        entries = cast("Mapping[object, object]", value)
        return {key: _restored(entry) for key, entry in entries.items()}
    if isinstance(value, list):
        return [_restored(entry) for entry in cast("list[object]", value)]
    return value


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
