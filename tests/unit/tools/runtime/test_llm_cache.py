"""Replies kept: in memory, in a file, between processes, and with the file in any state."""

import multiprocessing
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tools.runtime.llm_cache import ReplyCache


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "readings.db"


def test_what_is_put_is_found_by_another_of_its_kind(file: Path) -> None:
    ReplyCache(file).put("a", "one")
    ReplyCache(file).put("a", "two")
    assert ReplyCache(file).get("a") == "two"
    assert ReplyCache(file).get("b") is None


def test_without_a_file_memory_alone_serves() -> None:
    cache = ReplyCache()
    cache.put("a", "one")
    assert cache.get("a") == "one"
    assert ReplyCache().get("a") is None


def test_memory_keeps_those_used_last() -> None:
    cache = ReplyCache(in_memory=2)
    for key in "ab":
        cache.put(key, key)
    cache.get("a")
    cache.put("c", "c")
    assert [cache.get(key) for key in "abc"] == ["a", None, "c"]


def test_the_file_keeps_those_written_last(file: Path) -> None:
    for number in range(8):
        ReplyCache(file, in_file=3).put(str(number), "reply")
    ReplyCache(file, in_file=3).put("5", "again")
    kept = [number for number in range(8) if ReplyCache(file).get(str(number))]
    assert kept == [5, 6, 7]
    ReplyCache(file, in_file=3).put("8", "reply")
    assert [number for number in range(9) if ReplyCache(file).get(str(number))] == [5, 7, 8]


def test_only_the_user_may_read_the_file(file: Path) -> None:
    ReplyCache(file).put("a", "one")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_asking_makes_no_file(file: Path) -> None:
    assert ReplyCache(file).get("a") is None
    assert not file.exists()


def test_the_file_can_be_deleted_under_an_open_cache(file: Path) -> None:
    cache = ReplyCache(file, in_memory=1)
    cache.put("a", "one")
    file.unlink()
    cache.put("b", "two")
    assert cache.get("a") is None
    assert ReplyCache(file).get("b") == "two"


def _text(file: Path) -> None:
    file.write_text("no database at all, " * 100)


def _torn(file: Path) -> None:
    ReplyCache(file).put("a", "one")
    file.write_bytes(file.read_bytes()[:5000])


def _empty(file: Path) -> None:
    file.touch()


@pytest.mark.parametrize("damage", [_text, _torn, _empty])
def test_a_damaged_file_is_replaced(file: Path, damage: Callable[[Path], None]) -> None:
    damage(file)
    cache = ReplyCache(file)
    assert cache.get("a") is None
    cache.put("a", "first")
    cache.put("b", "second")
    assert ReplyCache(file).get("b") == "second"


def _folder(file: Path) -> None:
    file.mkdir()


def _foreign(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE replies (other TEXT)")
    db.close()


@pytest.mark.parametrize("hindrance", [_folder, _foreign])
def test_a_file_that_cannot_be_used_leaves_memory(
    file: Path, hindrance: Callable[[Path], None]
) -> None:
    hindrance(file)
    cache = ReplyCache(file)
    cache.put("a", "one")
    assert cache.get("a") == "one"
    assert cache.get("b") is None


def test_a_folder_that_is_not_there_leaves_memory(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "none" / "readings.db")
    cache.put("a", "one")
    assert cache.get("a") == "one"


def test_a_file_another_process_holds_is_not_waited_for(file: Path) -> None:
    ReplyCache(file).put("a", "one")
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    cache = ReplyCache(file)
    assert cache.get("a") is None
    cache.put("b", "two")
    holder.execute("ROLLBACK")
    holder.close()
    assert cache.get("a") == "one"


def _fill(file: Path, name: str) -> None:
    for number in range(20):
        ReplyCache(file).put(f"{name}{number}", name)


def test_two_processes_write_one_file(file: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_fill, args=(file, name)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    # One that had to wait too long has kept nothing, but nobody wrote over the other.
    cache = ReplyCache(file)
    for name in "ab":
        found = {cache.get(f"{name}{number}") for number in range(20)}
        assert name in found
        assert found <= {name, None}
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_file_whose_table_is_another_programs_is_left_alone(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE replies (question TEXT NOT NULL, key TEXT, model TEXT NOT NULL)")
        db.execute("INSERT INTO replies VALUES ('q', 'a', 'm')")
    cache = ReplyCache(file)
    assert cache.get("a") is None
    cache.put("a", "one")
    assert cache.get("a") == "one"
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT * FROM replies").fetchall() == [("q", "a", "m")]
