"""``brain watch``: what is saved is found by its words, its meaning and its links."""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.commands.watch import watch
from graphs.stores.index_lock import only_indexer
from tests.support.processes.command_line import environment, run_here
from tests.support.processes.watched_here import WatcherHere, watched_here
from tests.support.processes.watchers import Watcher, watched
from tests.support.vaults.indexed import Indexed
from tests.support.vaults.renewed import Renewed, renewed
from tests.support.vaults.repositories import git
from tests.support.waiting import until_async
from tools.vault.catalog.catalog import Catalog
from tools.vault.history.history import History

pytestmark = pytest.mark.integration

NOTES = {
    "Tea.md": "Tea is a drink of leaves.",
    "garden/Basil.md": "Basil wants warm water.",
    "garden/Mint.md": "Mint spreads by its roots.",
}


class Desk(Indexed):
    """A vault with its watchers, and what is indexed of it."""

    def open(self, **settings: Any) -> AbstractAsyncContextManager[Brain]:
        """As whoever watches does: by the clock of this machine."""
        given: dict[str, Any] = {"mode": "local", "services_owner": os.getpid(), **settings}
        return open_brain(self.vault, data_dir=self.data_dir, **given)

    def write(self, path: str, text: str) -> None:
        (self.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / path).write_text(text, "utf-8")

    def watched(self) -> AbstractContextManager[Watcher]:
        """By a process of its own."""
        return watched(self.environment)

    def watched_here(self) -> AbstractAsyncContextManager[WatcherHere]:
        """Within this process; of two at a time the second one's lines are those of both."""
        return watched_here(self.environment)

    @contextmanager
    def catalog(self) -> Generator[Catalog]:
        opened = Catalog(self.data_dir / "index.db")
        yield opened
        opened.close()

    @contextmanager
    def history(self) -> Generator[History]:
        opened = History(self.data_dir / "history.db")
        yield opened
        opened.close()

    def indexed(self) -> set[str]:
        with self.catalog() as catalog:
            return set(catalog.paths())

    def has(self, *paths: str) -> bool:
        """Whether text, graph and vectors have these notes, and no others."""
        with self.history() as history, self.catalog() as catalog:
            pending = history.ledger.dirty() or catalog.counts().vectors_pending
            return set(catalog.paths()) == set(paths) and not pending


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    folder = tmp_path_factory.mktemp("watched")
    yield from renewed(Desk(vault=folder / "vault", data_dir=folder / "data"), NOTES)


@pytest.fixture
def desk(shared: Renewed) -> Desk:
    found = shared.anew()
    assert isinstance(found, Desk)
    return found


@pytest.fixture
async def brain(desk: Desk) -> AsyncIterator[Brain]:
    async with desk.open() as opened:
        yield opened


def ends_with_one_line(watcher: Watcher, number: signal.Signals) -> None:
    watcher.send(number)
    assert watcher.end() == (0, "")
    assert [line["event"] for line in watcher.lines[-1:]] == ["stopped"]


async def test_what_an_editor_saves_is_found_by_words_meaning_and_links_until_ctrl_c(
    desk: Desk, brain: Brain
) -> None:
    """As editors save: written elsewhere, then moved over the note; vim puts the old one aside."""
    with desk.watched() as watcher:
        note = desk.vault / "garden" / "Basil.md"
        note.rename(desk.vault / "garden" / "Basil.md~")
        draft = desk.vault / "garden" / "4913"
        draft.write_text("Zebras adore quantum yoghurt.\n\ncauses:: [[Tea]]\n", "utf-8")
        began = time.monotonic()
        draft.rename(note)
        (desk.vault / "garden" / "Basil.md~").unlink()
        await until_async(lambda: watcher.events("indexed"))
        took = time.monotonic() - began

        # A question brings words up to date by itself, but embeds nothing.
        for source in ("text", "semantic"):
            answer = await brain.ask("What do zebras adore?", intent="factual")
            (result,) = [one for one in answer.results if one.note_path == "garden/Basil.md"]
            assert source in result.sources
        facts = await brain.facts("Basil")
        assert [(fact.relation, fact.object) for fact in facts.facts] == [("CAUSES", "Tea")]
        await asyncio.to_thread(ends_with_one_line, watcher, signal.SIGINT)
    (indexed,) = watcher.events("indexed")
    assert (indexed["written"], indexed["notes"]) == (1, ["garden/Basil.md"])
    assert 0 not in (indexed["graph_written"], indexed["vectors_written"])
    assert took < 5  # 2 s where nothing else is done on the machine


async def test_renames_of_folders_and_of_letters_and_what_is_removed(desk: Desk) -> None:
    with desk.history() as history:
        before = history.former_names()

    async def become(watcher: WatcherHere, *paths: str) -> None:
        await watcher.until(lambda: desk.has("Tea.md", *paths), seconds=30)

    async with desk.watched_here() as watcher:
        (desk.vault / "garden").rename(desk.vault / "yard")
        await become(watcher, "yard/Basil.md", "yard/Mint.md")
        desk.write("yard/Sage.md", "Sage is grey.")  # the new folder is watched, too
        await become(watcher, "yard/Basil.md", "yard/Mint.md", "yard/Sage.md")
        (desk.vault / "yard" / "Sage.md").rename(desk.vault / "yard" / "sage.md")
        await become(watcher, "yard/Basil.md", "yard/Mint.md", "yard/sage.md")
        (desk.vault / "yard" / "sage.md").unlink()
        desk.write("deep/er/Thyme.md", "Thyme is small.")
        await become(watcher, "yard/Basil.md", "yard/Mint.md", "deep/er/Thyme.md")
    with desk.history() as history:
        assert [names for names in history.former_names() if names not in before] == [
            ("garden/Basil.md", "yard/Basil.md"),
            ("garden/Mint.md", "yard/Mint.md"),
            ("yard/Sage.md", "yard/sage.md"),
        ]


async def test_a_burst_is_a_few_runs_and_what_is_no_note_none(desk: Desk) -> None:
    async with desk.watched_here() as watcher:
        desk.write(".obsidian/workspace.json", "{}")
        desk.write("picture.png", "no picture")
        desk.write("garden/.Basil.md.swp", "x")
        for number in range(100):
            desk.write(f"inbox/{number}.md", f"Thing number {number}.")
        await watcher.until(lambda: desk.has(*NOTES, *(f"inbox/{n}.md" for n in range(100))))
        await watcher.until(
            lambda: sum(int(str(line["written"])) for line in watcher.events("indexed")) == 100
        )
        assert len(watcher.events("indexed")) < 10
        assert len(watcher.events("indexing")) == 1
        assert watcher.events("problem") == []


@pytest.mark.parametrize("left", ["nothing", "an empty folder"])
async def test_a_vault_that_goes_away_drops_nothing_and_is_indexed_when_it_is_back(
    desk: Desk, tmp_path: Path, left: str
) -> None:
    away = tmp_path / "away"
    async with desk.watched_here() as watcher:
        desk.vault.rename(away)
        if left != "nothing":
            desk.vault.mkdir()
        await watcher.until(lambda: watcher.events("gone"))
        assert desk.indexed() == set(NOTES)
        (away / "Tea.md").write_text("Tea is drunk warm.", "utf-8")
        if left != "nothing":
            desk.vault.rmdir()
        away.rename(desk.vault)
        await watcher.until(lambda: watcher.events("back"))
        await watcher.until(lambda: watcher.events("indexed"))
        desk.write("Late.md", "Later.")  # it is watched again
        await watcher.until(lambda: desk.has(*NOTES, "Late.md"), seconds=30)
        assert [line for line in watcher.lines if line.get("removed")] == []


@pytest.mark.torture
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_with_one_line(desk: Desk, number: signal.Signals) -> None:
    """As Ctrl-C does."""
    with desk.watched() as watcher:
        ends_with_one_line(watcher, number)


async def saved_and_asked(desk: Desk, brain: Brain) -> tuple[str, ...]:
    """Save notes, ask for each but the last, and return what there is to be indexed."""
    for number in range(5):
        desk.write(f"{number}.md", f"Giraffe number {number}.")
        answer = await brain.ask(f"giraffe number {number}", intent="exploratory")
        found = {result.note_path for result in answer.results}
        told = {warning.error for warning in answer.warnings}
        # While a watcher writes, the index is not brought up to date, and the answer says so.
        assert f"{number}.md" in found or any("not indexed yet" in one for one in told)
    desk.write("Last.md", "Nobody asks for it, so that a watcher has to index it.")
    return (*NOTES, *(f"{number}.md" for number in range(5)), "Last.md")


async def assert_sound_once_completed(desk: Desk, brain: Brain) -> None:
    await brain.index()  # a watcher may have been ended while it looked once more
    doctor = await asyncio.to_thread(run_here, "doctor", environment=desk.environment)
    assert doctor.returncode == 0, doctor.stdout


async def test_two_watchers_and_a_question_at_a_time(desk: Desk, brain: Brain) -> None:
    async with desk.watched_here(), desk.watched_here() as both:
        written = await saved_and_asked(desk, brain)
        await both.until(lambda: both.events("indexed") and desk.has(*written), seconds=30)
        assert not both.events("problem")
    await assert_sound_once_completed(desk, brain)


@pytest.mark.torture
async def test_two_watchers_that_are_processes_and_a_question_at_a_time(
    desk: Desk, brain: Brain
) -> None:
    """As of two terminals: they share nothing but files, and each is ended by a signal."""
    with desk.watched() as one, desk.watched() as other:
        written = await saved_and_asked(desk, brain)
        await until_async(
            lambda: (one.events("indexed") or other.events("indexed")) and desk.has(*written),
            seconds=30,
        )
        for watcher in (one, other):
            await asyncio.to_thread(ends_with_one_line, watcher, signal.SIGTERM)
            assert not watcher.events("problem")
    await assert_sound_once_completed(desk, brain)


async def test_it_waits_while_another_process_indexes(desk: Desk) -> None:
    async with desk.watched_here() as watcher:
        with only_indexer(desk.data_dir):
            desk.write("Late.md", "Later.")
            await watcher.until(lambda: watcher.events("waiting"))
        await watcher.until(lambda: desk.has(*NOTES, "Late.md"), seconds=30)
        assert len(watcher.events("waiting")) == 1


async def test_a_commit_is_read_although_no_note_changes(desk: Desk) -> None:
    git(desk.vault, "init", "-q")
    git(desk.vault, "add", "Tea.md")
    git(desk.vault, "commit", "-qm", "one")

    def head() -> str | None:
        with desk.history() as history:
            return history.git_head()

    async with desk.watched_here() as watcher:
        git(desk.vault, "add", ".")
        git(desk.vault, "commit", "-qm", "two", on=2)
        wanted = git(desk.vault, "rev-parse", "HEAD").strip()
        await watcher.until(lambda: head() == wanted, seconds=30)
    shutil.rmtree(desk.vault / ".git")


async def test_an_open_brain_sees_each_save_and_drops_nothing_when_the_vault_goes(
    desk: Desk, brain: Brain, tmp_path: Path
) -> None:
    for number in range(20):
        desk.write("Tea.md", f"Giraffes drink tea number {number}.")
        answer = await brain.ask("What do giraffes drink?", intent="factual")
        assert f"number {number}." in answer.results[0].excerpts[0].text
    desk.vault.rename(tmp_path / "away")
    answer = await brain.ask("What do giraffes drink?", intent="factual")
    assert "vault" in {warning.source for warning in answer.warnings}
    assert desk.indexed() == set(NOTES)
    report = await brain.index()
    assert (report.notes, report.removed) == (3, 0)
    (tmp_path / "away").rename(desk.vault)
    answer = await brain.ask("What do giraffes drink?", intent="factual")
    assert answer.warnings == ()
    assert answer.results[0].note_path == "Tea.md"


async def test_where_the_system_tells_of_no_changes_all_files_are_looked_at(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a network's disk."""

    def tells_of_nothing(_: Path) -> bool:
        return False

    monkeypatch.setattr("tools.vault.watch.watching.supports_watching", tells_of_nothing)
    for name, value in desk.environment.items():
        monkeypatch.setenv(name, value)
    watching = asyncio.create_task(watch(vault=None, data_dir=None, as_json=False))
    said = ""

    def has_said(words: str) -> bool:
        nonlocal said
        said += capsys.readouterr().out
        return words in said

    await until_async(lambda: has_said("watching"))
    desk.write("Late.md", "Later.")
    await until_async(lambda: has_said("1 indexed: Late.md"))
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching
    assert said.count("All files are looked at every few seconds") == 1


def test_settings_refuse_a_vault_that_is_not_there(tmp_path: Path) -> None:
    done = run_here("watch", environment=environment(tmp_path / "vault", tmp_path / "data"))
    assert done.returncode == 2
    assert "does not exist" in done.stderr
