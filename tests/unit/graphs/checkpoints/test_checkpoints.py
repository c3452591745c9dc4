"""Where open questions wait: a damaged file costs the questions in it, and nothing else."""

import logging
import sqlite3
import threading
from pathlib import Path
from shutil import copy

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver

from graphs.checkpoints.factory import open_checkpoints, serializer
from graphs.core.state import QueryContext
from tests.support.waiting import until_async
from tools.base.domain import QueryPlan
from tools.base.errors import StorageError, StoreVersionError
from tools.base.vault_query import ListedItem, Listing, UnknownName, VaultQuery

PAGE = 4096
_EARLIER = Path(__file__).parents[3] / "fixtures" / "earlier_checkpoints.db"
"""Written when the modules of our values had other names."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.db"


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name, "checkpoint_ns": ""}}


async def keep(saver: BaseCheckpointSaver[str], name: str) -> None:
    await saver.aput(thread(name), empty_checkpoint(), {}, {})


async def kept(saver: BaseCheckpointSaver[str], name: str) -> bool:
    return await saver.aget_tuple(thread(name)) is not None


async def fill(path: Path) -> None:
    async with open_checkpoints(path) as saver:
        for number in range(100):
            await keep(saver, f"old{number}")


def damage(path: Path, *, after: int) -> bytes:
    """Overwrite all but the first bytes."""
    whole = path.read_bytes()
    broken = whole[:after] + b"\xa5" * (len(whole) - after)
    path.write_bytes(broken)
    return broken


@pytest.mark.parametrize("after", [0, PAGE])
@pytest.mark.parametrize("first", ["read", "write", "delete"])
async def test_a_damaged_file_is_set_aside_and_told(
    path: Path, after: int, first: str, caplog: pytest.LogCaptureFixture
) -> None:
    await fill(path)
    broken = damage(path, after=after)
    async with open_checkpoints(path) as saver:
        match first:
            case "read":
                assert not await kept(saver, "old1")
            case "write":
                await keep(saver, "another")
            case _:
                await saver.adelete_thread("old1")
        await keep(saver, "new")
        assert await kept(saver, "new")
    assert path.with_suffix(".damaged").read_bytes() == broken
    assert [record.getMessage().count("\n") for record in caplog.records] == [0]
    assert "checkpoints.damaged" in caplog.text
    caplog.clear()
    async with open_checkpoints(path) as saver:
        assert await kept(saver, "new")
    assert caplog.text == ""


async def test_what_another_process_has_begun_anew_is_not_set_aside(path: Path) -> None:
    await fill(path)
    async with open_checkpoints(path) as early:
        assert await kept(early, "old1")
        damage(path, after=PAGE)
        async with open_checkpoints(path) as late:
            await keep(late, "new")
        # Its own pages may still be at hand; in the end it sees the new file or writes to the old.
        await keep(early, "mine")
    async with open_checkpoints(path) as saver:
        assert await kept(saver, "new")


async def test_a_damaged_file_that_cannot_be_renamed_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    await fill(path)
    damage(path, after=PAGE)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageError, match=r"checkpoints\.db.*Permission denied") as caught:
        async with open_checkpoints(path) as saver:
            await keep(saver, "new")
    assert str(path.parent) not in str(caught.value)


async def test_other_errors_are_no_damage(path: Path) -> None:
    await fill(path)
    with pytest.raises(StorageError, match="database or disk is full"):
        async with open_checkpoints(path):
            raise sqlite3.OperationalError("database or disk is full")
    assert not path.with_suffix(".damaged").exists()


async def test_a_question_that_cannot_be_read_blocks_its_thread_only(path: Path) -> None:
    await fill(path)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE checkpoints SET checkpoint = x'c1' WHERE thread_id = 'old1'")
    database.close()
    async with open_checkpoints(path) as saver:
        with pytest.raises(StorageError):
            await kept(saver, "old1")
        assert await kept(saver, "old2")


def set_version(path: Path, version: int) -> None:
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()


async def test_a_file_of_a_newer_program_is_refused_and_left_alone(path: Path) -> None:
    await fill(path)
    set_version(path, 99)
    with pytest.raises(StoreVersionError):
        async with open_checkpoints(path):
            pass
    set_version(path, 1)
    async with open_checkpoints(path) as saver:
        assert await kept(saver, "old1")


async def test_a_file_from_before_there_were_versions_is_taken_on(path: Path) -> None:
    await fill(path)
    set_version(path, 0)
    async with open_checkpoints(path) as saver:
        assert await kept(saver, "old1")
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
    database.close()


async def driver_gone() -> None:
    """Wait for the thread of a connection that was never made: it still tells the loop its end."""
    await until_async(
        lambda: not any("_connection_worker" in one.name for one in threading.enumerate())
    )


async def test_where_no_file_can_be_made_it_is_said_once_and_questions_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with open_checkpoints(tmp_path / "nowhere" / "checkpoints.db") as saver:
            assert isinstance(saver, InMemorySaver)
            await keep(saver, "new")
            assert await kept(saver, "new")
            await driver_gone()
    (record,) = caplog.records
    assert "checkpoints.db" in record.getMessage()
    assert str(tmp_path) not in record.getMessage()


def test_what_a_vault_answered_is_given_back_as_it_was(caplog: pytest.LogCaptureFixture) -> None:
    query = VaultQuery(subject="tasks", tags=("a", "b"))
    named = UnknownName(kind="tag", name="b", near=("c",))
    listing = Listing(query=query, items=(ListedItem(name="Sow", line=3),), unknown=(named,))
    again = serializer().loads_typed(serializer().dumps_typed({"listing": listing}))
    assert again == {"listing": listing}
    assert not caplog.records


async def test_what_an_earlier_program_kept_is_read_as_ours(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copy(_EARLIER, path)
    async with open_checkpoints(path) as saver:
        found = await saver.aget_tuple(thread("af142b68"))
    assert found is not None
    values = found.checkpoint["channel_values"]
    assert isinstance(values["plan"], QueryPlan)
    assert isinstance(values["asked_with"], QueryContext)
    assert values["plan"].query == "Tell me about Zettelkasten"
    assert not caplog.records
