"""How fresh the catalog is for a question, and what a process that stays need not look at."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphs.ingest.freshness import FreshnessMonitor
from graphs.query.freshness_warnings import freshness_warnings
from graphs.stores.index_lock import only_indexer
from graphs.stores.store_marks import mark_filled
from tools.base.errors import InputError
from tools.runtime.server_process import FILLED
from tools.settings.loading import load_settings
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog
from tools.vault.history.history import History
from tools.vault.indexing.indexing import CAUGHT_UP, Freshness
from tools.vault.watch.watching import Look, VaultWatch

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)


class Told(VaultWatch):
    """A watch that hears what a test tells it."""

    changed = True
    watching = False
    trusted = True

    @property
    def armed(self) -> bool:
        return self.watching

    @property
    def worth_arming(self) -> bool:
        return self.trusted and not self.watching

    def look(self) -> Look:
        return Look(changed=self.changed, upto=1)

    def settle(self, look: Look, folders: Sequence[str]) -> None:
        del look, folders
        self.changed = not self.watching

    def arm(self, folders: Sequence[str]) -> bool:
        del folders
        self.watching = True
        return True

    def distrust(self) -> None:
        self.watching, self.trusted, self.changed = False, False, True


class Desk:
    def __init__(self, folder: Path) -> None:
        self.vault = folder / "vault"
        self.vault.mkdir()
        self.write("Tea.md")
        self.settings: Settings = load_settings(vault=self.vault, data_dir=folder / "data")
        self.catalog = Catalog(self.settings.index_path)
        self.history = History(self.settings.history_path)
        self.watch = Told(self.vault, fences=self.settings.fences_dir)
        self.time = 0.0
        self.catch_up = FreshnessMonitor(
            self.settings,
            self.catalog,
            self.history,
            clock=lambda: NOW,
            watch=self.watch,
            timer=lambda: self.time,
        )

    def write(self, path: str, text: str = "Words.", *, saved: datetime | None = None) -> None:
        (self.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / path).write_text(text, "utf-8")
        if saved is not None:
            os.utime(self.vault / path, (saved.timestamp(), saved.timestamp()))

    def close(self) -> None:
        self.catch_up.close()
        self.catalog.close()
        self.history.close()

    @property
    def indexed(self) -> list[str]:
        return self.catalog.paths()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.fixture
def watched(desk: Desk) -> Desk:
    """One whose first question was asked, and whose vault is watched."""
    desk.catch_up()
    desk.catch_up.maintain()
    assert not desk.watch.changed
    return desk


def test_the_first_question_looks_at_all_files(desk: Desk) -> None:
    assert desk.catch_up() == Freshness(refreshed=1, stale=0)
    assert desk.indexed == ["Tea.md"]


def test_where_nothing_may_have_changed_nothing_is_looked_at(watched: Desk) -> None:
    watched.write("Unheard.md")
    assert watched.catch_up() == Freshness(refreshed=0, stale=0)
    assert watched.indexed == ["Tea.md"]
    watched.watch.changed = True
    assert watched.catch_up().refreshed == 1


def test_what_a_watch_missed_is_found_behind_the_questions_and_ends_the_trust_in_it(
    watched: Desk,
) -> None:
    watched.write("Unheard.md")
    watched.catch_up.maintain()
    assert watched.indexed == ["Tea.md", "Unheard.md"]
    watched.write("Next.md")
    assert watched.catch_up().refreshed == 1


def test_after_a_long_pause_a_question_looks_itself(watched: Desk) -> None:
    watched.write("Unheard.md")
    watched.time += 4000
    assert watched.catch_up().refreshed == 1


def test_as_long_as_notes_are_stale_each_question_looks(watched: Desk) -> None:
    for number in range(CAUGHT_UP + 5):
        watched.write(f"{number:03}.md")
    watched.watch.changed = True
    assert watched.catch_up().stale == 5
    assert watched.catch_up() == Freshness(refreshed=5, stale=0)


@pytest.mark.parametrize("gone", ["missing", "empty", "hidden only"])
def test_a_vault_that_is_not_there_drops_nothing(desk: Desk, gone: str) -> None:
    desk.catch_up()
    shutil.move(desk.vault, desk.vault.with_name("away"))
    if gone != "missing":
        desk.vault.mkdir()
    if gone == "hidden only":
        (desk.vault / ".obsidian").mkdir()

    fresh = desk.catch_up()

    assert (fresh.stale, fresh.unreached) == (0, 1)
    assert desk.indexed == ["Tea.md"]
    assert desk.history.live() == {"Tea.md"}
    (warning,) = freshness_warnings(fresh, interrupted=False)
    assert (warning.source, re.findall(r"\d+", warning.error)) == ("vault", ["1"])


def test_a_folder_that_cannot_be_read_keeps_its_notes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("private/Diary.md")
    desk.catch_up()
    (desk.vault / "Tea.md").unlink()
    desk.write("Coffee.md")
    listing = os.scandir

    def closed(folder: str) -> Iterator[os.DirEntry[str]]:
        if folder.endswith("private"):  # where tests run as root, nothing can be forbidden
            raise PermissionError
        return listing(folder)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", closed)
        fresh = desk.catch_up()
    assert fresh.unreached == 1
    assert desk.indexed == ["Coffee.md", "private/Diary.md"]

    shutil.rmtree(desk.vault / "private")
    assert desk.catch_up().unreached == 0
    assert desk.indexed == ["Coffee.md"]


def many(desk: Desk, saved: Callable[[int], datetime]) -> Freshness:
    for number in range(CAUGHT_UP + 3):
        desk.write(f"{number:03}.md", saved=saved(number))
    with only_indexer(desk.settings.data_dir):
        return desk.catch_up()


def test_stale_notes_are_told_with_the_time_of_the_first(desk: Desk) -> None:
    desk.catch_up()
    fresh = many(desk, lambda number: NOW - timedelta(minutes=number))
    assert fresh.since == NOW - timedelta(minutes=CAUGHT_UP + 2)
    (warning,) = freshness_warnings(fresh, interrupted=False)
    assert re.search(r"^53\b.*\b2030-05-01\b.*\b11:08\b", warning.error)


def test_a_file_of_tomorrow_is_stale_since_now(desk: Desk) -> None:
    desk.catch_up()
    assert many(desk, lambda _: NOW + timedelta(days=1)).since == NOW


def test_an_old_file_that_came_after_the_last_run_is_stale_since_that(desk: Desk) -> None:
    desk.catch_up()
    ran = NOW - timedelta(hours=1)
    mark = desk.settings.chroma_dir / FILLED
    mark_filled(mark)
    os.utime(mark, (ran.timestamp(), ran.timestamp()))
    assert many(desk, lambda _: NOW - timedelta(days=4000)).since == ran


def test_a_run_of_the_future_dates_nothing(desk: Desk) -> None:
    """The clock was put back after it."""
    desk.catch_up()
    mark = desk.settings.chroma_dir / FILLED
    mark_filled(mark)
    ahead = (NOW + timedelta(days=9)).timestamp()
    os.utime(mark, (ahead, ahead))
    assert many(desk, lambda _: NOW - timedelta(days=1)).since == NOW - timedelta(days=1)


def test_a_vault_that_vanishes_while_it_is_read_drops_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.catch_up()
    desk.write("Tea.md", "Other words.")

    def vanish(*_: object, **__: object) -> bytes:
        shutil.rmtree(desk.vault)
        raise FileNotFoundError

    monkeypatch.setattr("tools.vault.indexing.reading.read_bytes", vanish)
    assert desk.catch_up().stale == 1
    assert desk.indexed == ["Tea.md"]
    with pytest.raises(InputError):
        load_settings(vault=desk.vault)
