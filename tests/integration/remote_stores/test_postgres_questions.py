"""Open questions in Postgres: other processes go on with them, and every way it can fail."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial
from pathlib import Path

import psutil
import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import SecretStr

from graphs.checkpoints import postgres
from graphs.checkpoints.factory import open_checkpoints
from tests.support.processes import command_line
from tests.support.servers.postgres_server import serve
from tests.support.servers.silent_server import silent_server
from tests.support.vaults.indexed import Indexed
from tests.support.waiting import until
from tools.base.errors import InputError, StorageError, StoreVersionError

pytestmark = pytest.mark.integration

VAULT = "notes-0123456789"


def opened(
    uri: str, *, vault: str = VAULT
) -> AbstractAsyncContextManager[BaseCheckpointSaver[str]]:
    return open_checkpoints(Path("never.db"), uri=SecretStr(uri), vault=vault)


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name, "checkpoint_ns": ""}}


async def keep(saver: BaseCheckpointSaver[str], name: str) -> None:
    await saver.aput(thread(name), empty_checkpoint(), {}, {})


async def kept(saver: BaseCheckpointSaver[str], name: str) -> bool:
    return await saver.aget_tuple(thread(name)) is not None


def rows(uri: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(uri, autocommit=True) as database:
        return database.execute(query.encode()).fetchall()


def write(uri: str, *statements: str) -> None:
    with psycopg.connect(uri, autocommit=True) as database:
        for statement in statements:
            database.execute(statement.encode())


# --- as it should be -------------------------------------------------------------------------


def test_another_process_goes_on_with_a_question(indexed: Indexed, postgres_uri: str) -> None:
    environment = indexed.environment | {"BRAIN_CHECKPOINT_URI": postgres_uri}
    before = (indexed.data_dir / "checkpoints.db").read_bytes()
    here = partial(command_line.run_here, environment=environment)
    asked = here("ask", "Tell me about Zettelkasten", "--thread", "mine", "--json")
    assert (asked.returncode, asked.stderr) == (3, "")
    ended = command_line.run(
        *("ask", "--thread", "mine", "--choose", "1", "--json"), environment=environment
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    # A question that is answered and has no thread of its own leaves nothing.
    assert here("ask", "What is a Zettelkasten?").returncode == 0
    ((schema,),) = rows(
        postgres_uri,
        "SELECT table_schema FROM information_schema.tables WHERE table_name = 'checkpoints'",
    )
    left = rows(postgres_uri, f"SELECT DISTINCT thread_id FROM {schema}.checkpoints")  # noqa: S608
    assert left == [("mine",)]
    assert (indexed.data_dir / "checkpoints.db").read_bytes() == before


async def test_vaults_that_share_a_database_do_not_see_each_other(postgres_uri: str) -> None:
    async with opened(postgres_uri) as mine, opened(postgres_uri, vault="other-1") as yours:
        await keep(mine, "one")
        assert not await kept(yours, "one")
        await yours.adelete_thread("one")
        assert await kept(mine, "one")


async def test_few_connections_serve_many_questions_and_are_closed(postgres_uri: str) -> None:
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    async with opened(postgres_uri) as saver:
        await asyncio.gather(*(keep(saver, str(number)) for number in range(40)))
        ((connections,),) = await asyncio.to_thread(rows, postgres_uri, count)
        assert isinstance(connections, int)
        assert 1 < connections <= 5  # with that of the one who counts
    await asyncio.to_thread(until, lambda: rows(postgres_uri, count) == [(1,)])


async def test_first_starts_at_once_do_not_collide(postgres_uri: str) -> None:
    async def started(name: str) -> None:
        async with opened(postgres_uri) as saver:
            assert type(saver).__name__ == "PostgresQuestions"
            await keep(saver, name)

    names = [str(number) for number in range(8)]
    await asyncio.gather(*map(started, names))
    async with opened(postgres_uri) as saver:
        assert all([await kept(saver, name) for name in names])


# What keeps them apart is the database's; those of one process are as many connections to it.
@pytest.mark.torture
async def test_first_starts_of_many_processes_do_not_collide(postgres_uri: str) -> None:
    script = (
        "import asyncio, sys\n"
        "from tests.integration.remote_stores.test_postgres_questions import opened, keep\n"
        "async def main():\n"
        "    async with opened(sys.argv[1]) as saver:\n"
        "        await keep(saver, sys.argv[2])\n"
        "        print(type(saver).__name__)\n"
        "asyncio.run(main())\n"
    )
    started = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            script,
            postgres_uri,
            str(number),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[3],
        )
        for number in range(4)
    ]
    for output, errors in await asyncio.gather(*(one.communicate() for one in started)):
        assert (output, errors) == (b"PostgresQuestions\n", b"")
    async with opened(postgres_uri) as saver:
        assert all([await kept(saver, str(number)) for number in range(4)])


# --- versions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "newer",
    [
        "INSERT INTO brain_notes_0123456789.brain_version VALUES (99)",
        "INSERT INTO brain_notes_0123456789.checkpoint_migrations VALUES (999)",
    ],
)
async def test_tables_of_a_newer_program_are_refused_and_left_alone(
    newer: str, postgres_uri: str
) -> None:
    async with opened(postgres_uri) as saver:
        await keep(saver, "one")
    write(postgres_uri, newer)
    with pytest.raises(StoreVersionError, match="newer version of brain"):
        async with opened(postgres_uri):
            pass
    assert rows(postgres_uri, "SELECT thread_id FROM brain_notes_0123456789.checkpoints") == [
        ("one",)
    ]


async def test_older_tables_are_brought_up(postgres_uri: str) -> None:
    async with opened(postgres_uri) as saver:
        await keep(saver, "one")
    write(
        postgres_uri,
        "SET search_path TO brain_notes_0123456789",
        "ALTER TABLE checkpoint_writes DROP COLUMN task_path",
        "DELETE FROM checkpoint_migrations WHERE v = (SELECT max(v) FROM checkpoint_migrations)",
    )
    async with opened(postgres_uri) as saver:
        assert await kept(saver, "one")
        found = await saver.aget_tuple(thread("one"))
        assert found is not None
        await saver.aput_writes(found.config, [("question", "x")], "task")


# --- failing ---------------------------------------------------------------------------------


async def said_instead(uri: str, caplog: pytest.LogCaptureFixture) -> str:
    """The one warning of an address where nothing can be kept; questions are answered anyhow."""
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        async with opened(uri) as saver:
            assert isinstance(saver, InMemorySaver)
            await keep(saver, "one")
            assert await kept(saver, "one")
    (record,) = caplog.records
    message = record.getMessage()
    assert "only be answered in this process" in message
    assert not any(word in message for word in ("hush", "127.0.0.1", "nobody-here", "\n"))
    return message


async def test_a_database_that_cannot_be_used_at_first_costs_questions_back_only(
    postgres_uri: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = postgres_uri.rpartition("/")[0]
    where = server.rpartition("@")[2]
    for uri in (
        "postgresql://brain:hush@127.0.0.1:1/brain",
        f"postgresql://brain:hush@{where}/postgres",
        f"postgresql://nobody-here:hush@{where}/postgres",
        f"{server}/nobody-here",
    ):
        assert "cannot be reached or refuses the login" in await said_instead(uri, caplog)
    monkeypatch.setattr(postgres, "CONTACT_SECONDS", 0.3)
    with silent_server() as silent:
        uri = f"postgresql://brain:hush@127.0.0.1:{silent.port}/brain"
        assert "cannot be reached" in await said_instead(uri, caplog)


async def test_a_database_that_lets_in_and_says_no_more_costs_questions_back_only(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.read(1000)
        while asked[4:] in (b"\x04\xd2\x16\x2f", b"\x04\xd2\x16\x30"):  # for encryption
            writer.write(b"N")
            asked = await reader.read(1000)
        writer.write(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")
        while await reader.read(1000):
            pass
        writer.close()

    monkeypatch.setattr(postgres, "CONTACT_SECONDS", 0.3)
    async with await asyncio.start_server(let_in, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        uri = f"postgresql://brain:hush@127.0.0.1:{port}/brain"
        async with asyncio.timeout(20):
            assert "cannot be reached" in await said_instead(uri, caplog)


async def test_a_user_who_may_not_make_tables_is_told(
    postgres_uri: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = postgres_uri.rpartition("/")[2]
    write(postgres_uri, f"CREATE ROLE {name} LOGIN PASSWORD 'hush'")
    where = postgres_uri.rpartition("@")[2]
    try:
        uri = f"postgresql://{name}:hush@{where}"
        assert "does not let this user make or delete tables" in await said_instead(uri, caplog)
    finally:
        write(postgres_uri, f"DROP ROLE {name}")


@pytest.mark.parametrize("where", ["h/d?no_such_word=hush", "hush..h/d", "%zz/d"])
async def test_an_address_that_postgres_does_not_understand_is_refused(where: str) -> None:
    with pytest.raises(InputError, match="Setting checkpoint_uri") as caught:
        async with opened(f"postgresql://brain:hush@{where}"):
            pass
    assert "hush" not in str(caught.value)


async def test_without_the_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "graphs.checkpoints.postgres", None)
    with pytest.raises(InputError, match="install the extra `postgres`"):
        async with opened("postgresql://h"):
            pass


async def test_a_server_that_hangs_or_is_lost_is_one_line_and_used_again_when_it_is_back(
    own_postgres: tuple[Path, str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home, uri = own_postgres
    port = uri.rpartition(":")[2].partition("/")[0]
    async with opened(uri) as saver:
        await keep(saver, "one")
        with monkeypatch.context() as hurried, _hanging(home):
            hurried.setattr(postgres, "_WORK_SECONDS", 0.5)
            with pytest.raises(StorageError, match="Open questions cannot be kept"):
                await keep(saver, "two")
        assert await kept(saver, "one")
    monkeypatch.setattr(postgres, "CONTACT_SECONDS", 1.0)
    async with opened(uri) as saver:
        await asyncio.to_thread(serve, "stop", home)
        with pytest.raises(StorageError, match="Open questions cannot be kept") as caught:
            await keep(saver, "two")
        assert not any(word in str(caught.value) for word in (uri, "127.0.0.1", "\n"))
        assert (await asyncio.to_thread(serve, "start", home, "--port", port)).returncode == 0
        assert await kept(saver, "one")
    assert caplog.text == ""


@contextmanager
def _hanging(home: Path) -> Generator[None]:
    """All of the server's processes stand still within the block."""
    server = psutil.Process(int((home / "pid").read_text("ascii")))
    family = [server, *server.children()]
    for process in family:
        os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in family:
            os.kill(process.pid, signal.SIGCONT)


async def test_what_cannot_be_read_blocks_its_thread_only(postgres_uri: str) -> None:
    async with opened(postgres_uri) as saver:
        for name in ("one", "two"):
            checkpoint = empty_checkpoint()
            checkpoint["channel_values"] = {"found": [1]}
            checkpoint["channel_versions"] = {"found": "1"}
            await saver.aput(thread(name), checkpoint, {}, {"found": "1"})
        write(
            postgres_uri,
            "UPDATE brain_notes_0123456789.checkpoint_blobs SET blob = '\\xc1' "
            "WHERE thread_id = 'one'",
        )
        with pytest.raises(StorageError, match="another thread"):
            await kept(saver, "one")
        assert await kept(saver, "two")
