"""A transaction is committed as a whole or not at all; rows are found for any number of values."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.base.errors import StorageError
from tools.vault.storage.database import Database
from tools.vault.storage.schemas import CATALOG


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "index.db", CATALOG)
    yield opened
    opened.close()


def add(database: Database, message: str, *, end: type[BaseException] | None = None) -> None:
    """Write one row in a transaction of its own, which ``end`` breaks off."""
    with database.transaction() as db:
        db.execute("INSERT INTO problems VALUES ('a.md', ?)", [message])
        if end is not None:
            raise end


def name_a_note_that_is_not_there(database: Database) -> None:
    """Write a row that SQLite refuses only when it is committed."""
    with database.transaction() as db:
        db.execute("PRAGMA defer_foreign_keys = ON")
        db.execute("INSERT INTO names VALUES ('tea', 7, 'title')")


def messages(database: Database) -> list[str]:
    return [message for (message,) in database.rows("SELECT message FROM problems")]


def test_what_a_block_did_is_kept(database: Database) -> None:
    add(database, "kept")
    assert messages(database) == ["kept"]


@pytest.mark.parametrize("end", [ValueError, KeyboardInterrupt])
def test_a_block_that_breaks_off_leaves_nothing(
    database: Database, end: type[BaseException]
) -> None:
    with pytest.raises(end):
        add(database, "lost", end=end)
    add(database, "kept")
    assert messages(database) == ["kept"]


def test_a_commit_that_fails_leaves_nothing(database: Database) -> None:
    with pytest.raises(StorageError):
        name_a_note_that_is_not_there(database)
    add(database, "kept")
    assert database.rows("SELECT * FROM names") == []


@pytest.mark.parametrize("number", [0, 1, 3, 4, 5, 256, 257, 700])
def test_rows_are_found_for_any_number_of_values(database: Database, number: int) -> None:
    for at in range(number + 1):
        add(database, f"{at}")
    asked = [f"{at}" for at in range(number)]
    sql = "SELECT message, count(*) FROM problems WHERE note_path = ? AND message IN"
    found = database.rows_for(sql, asked, given=["a.md"], group_by="message")
    assert sorted(found) == sorted((message, 1) for message in asked)


def test_closing_lets_a_transaction_of_another_thread_end(tmp_path: Path) -> None:
    database = Database(tmp_path / "index.db", CATALOG)
    begun, closing = threading.Event(), threading.Event()

    def write() -> None:
        with database.transaction() as db:
            begun.set()
            closing.wait()
            db.execute("INSERT INTO problems VALUES ('a.md', 'kept')")

    def close() -> None:
        begun.wait()
        closing.set()
        database.close()

    with ThreadPoolExecutor() as threads:
        for each in [threads.submit(write), threads.submit(close)]:
            each.result()
    again = Database(tmp_path / "index.db", CATALOG)
    assert messages(again) == ["kept"]
    again.close()


def test_closing_while_others_read_ends_them_with_one_line(tmp_path: Path) -> None:
    database = Database(tmp_path / "index.db", CATALOG)
    all_read = threading.Barrier(5)

    def read() -> str:
        database.rows("SELECT 1")
        all_read.wait()
        while True:
            try:
                database.rows(
                    "WITH RECURSIVE numbers(n) AS "
                    "(SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300) "
                    "SELECT n FROM numbers"
                )
            except StorageError as error:
                return str(error)

    with ThreadPoolExecutor() as threads:
        readers = [threads.submit(read) for _ in range(4)]
        all_read.wait()
        database.close()
    (said,) = {reader.result() for reader in readers}
    assert CATALOG.name in said
    assert "\n" not in said
