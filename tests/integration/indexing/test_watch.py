"""``brain watch`` as a process: what is saved is found by its words, its meaning and its links."""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.commands.watch import watch
from graphs.stores.index_lock import only_indexer
from tests.support.processes.command_line import environment, run, run_here
from tests.support.processes.service_process import until
from tests.support.processes.watchers import Watcher, watched
from tests.support.vaults.repositories import git
from tools.vault.catalog.catalog import Catalog
from tools.vault.history.history import History

pytestmark = pytest.mark.integration

NOTES = {
    "Tea.md": "Tea is a drink of leaves.",
    "garden/Basil.md": "Basil wants warm water.",
    "garden/Mint.md": "Mint spreads by its roots.",
}


class Desk:
    """A vault with its watchers, and what is indexed of it."""

    def __init__(self, folder: Path) -> None:
        self.vault, self.data_dir = folder / "vault", folder / "data"
        for path, text in NOTES.items():
            self.write(path, text)
        self.variables = environment(self.vault, self.data_dir)

    def write(self, path: str, text: str) -> None:
        (self.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / path).write_text(text, "utf-8")

    def watched(self) -> AbstractContextManager[Watcher]:
        return watched(self.variables)

    @contextmanager
    def catalog(self) -> Generator[Catalog]:
        opened = Catalog(self.data_dir / "index.db")
        yield opened
        opened.close()

    def indexed(self) -> set[str]:
        with self.catalog() as catalog:
            return set(catalog.paths())

    def done(self) -> bool:
        """Whether graph and vectors have all that the text index has."""
        history = History(self.data_dir / "history.db")
        dirty = history.ledger.dirty()
        history.close()
        with self.catalog() as catalog:
            return not dirty and not catalog.counts().vectors_pending

    def until_indexed(self, *paths: str, seconds: float = 30) -> None:
        until(lambda: self.indexed() == set(paths) and self.done(), seconds=seconds)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    run_here("stop", environment=made.variables)


@pytest.fixture
async def brain(desk: Desk) -> AsyncIterator[Brain]:
    async with open_brain(
        desk.vault, data_dir=desk.data_dir, mode="local", services_owner=os.getpid()
    ) as opened:
        yield opened


async def test_what_an_editor_saves_is_found_by_words_meaning_and_links(
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
        await asyncio.to_thread(until, lambda: watcher.events("indexed"))
        took = time.monotonic() - began

        # A question brings words up to date by itself, but embeds nothing.
        for source in ("text", "semantic"):
            answer = await brain.ask("What do zebras adore?", intent="factual")
            (result,) = [one for one in answer.results if one.note_path == "garden/Basil.md"]
            assert source in result.sources
        facts = await brain.facts("Basil")
        assert [(fact.relation, fact.object) for fact in facts.facts] == [("CAUSES", "Tea")]
    (indexed,) = watcher.events("indexed")
    assert (indexed["written"], indexed["notes"]) == (1, ["garden/Basil.md"])
    assert 0 not in (indexed["graph_written"], indexed["vectors_written"])
    assert took < 5  # 2 s where nothing else is done on the machine


def test_renames_of_folders_and_of_letters_and_what_is_removed(desk: Desk) -> None:
    with desk.watched():
        (desk.vault / "garden").rename(desk.vault / "yard")
        desk.until_indexed("Tea.md", "yard/Basil.md", "yard/Mint.md")
        desk.write("yard/Sage.md", "Sage is grey.")  # the new folder is watched, too
        desk.until_indexed("Tea.md", "yard/Basil.md", "yard/Mint.md", "yard/Sage.md")
        (desk.vault / "yard" / "Sage.md").rename(desk.vault / "yard" / "sage.md")
        desk.until_indexed("Tea.md", "yard/Basil.md", "yard/Mint.md", "yard/sage.md")
        (desk.vault / "yard" / "sage.md").unlink()
        desk.write("deep/er/Thyme.md", "Thyme is small.")
        desk.until_indexed("Tea.md", "yard/Basil.md", "yard/Mint.md", "deep/er/Thyme.md")
    history = History(desk.data_dir / "history.db")
    assert history.former_names() == [
        ("garden/Basil.md", "yard/Basil.md"),
        ("garden/Mint.md", "yard/Mint.md"),
        ("yard/Sage.md", "yard/sage.md"),
    ]
    history.close()


def test_a_burst_is_a_few_runs_and_what_is_no_note_none(desk: Desk) -> None:
    with desk.watched() as watcher:
        desk.write(".obsidian/workspace.json", "{}")
        desk.write("picture.png", "no picture")
        desk.write("garden/.Basil.md.swp", "x")
        for number in range(300):
            desk.write(f"inbox/{number}.md", f"Thing number {number}.")
        until(lambda: len(desk.indexed()) == 303 and desk.done())
        until(lambda: sum(int(str(line["written"])) for line in watcher.events("indexed")) == 300)
        assert len(watcher.events("indexed")) < 10
        assert len(watcher.events("indexing")) == 1
        assert watcher.events("problem") == []


@pytest.mark.parametrize("left", ["nothing", "an empty folder"])
def test_a_vault_that_goes_away_drops_nothing_and_is_indexed_when_it_is_back(
    desk: Desk, left: str
) -> None:
    away = desk.vault.with_name("away")
    with desk.watched() as watcher:
        before = desk.indexed()
        desk.vault.rename(away)
        if left != "nothing":
            desk.vault.mkdir()
        until(lambda: watcher.events("gone"))
        assert desk.indexed() == before
        (away / "Tea.md").write_text("Tea is drunk warm.", "utf-8")
        if left != "nothing":
            desk.vault.rmdir()
        away.rename(desk.vault)
        until(lambda: watcher.events("back"))
        until(lambda: watcher.events("indexed"))
        desk.write("Late.md", "Later.")  # it is watched again
        desk.until_indexed(*before, "Late.md")
    removed = [line for line in watcher.lines if line.get("removed")]
    assert removed == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_one_line(desk: Desk, number: signal.Signals) -> None:
    with desk.watched() as watcher:
        watcher.send(number)
        assert watcher.end() == (0, "")
        assert [line["event"] for line in watcher.lines[-1:]] == ["stopped"]


def test_two_watchers_and_a_question_at_a_time(desk: Desk) -> None:
    with desk.watched() as one, desk.watched() as other:
        for number in range(5):
            desk.write(f"{number}.md", f"Giraffe number {number}.")
            done = run("search", f"giraffe number {number}", environment=desk.variables)
            assert done.returncode == 0, done.stderr
            assert f"{number}.md" in done.stdout
        desk.until_indexed(*NOTES, *(f"{number}.md" for number in range(5)))
        for watcher in (one, other):
            watcher.send(signal.SIGTERM)
            assert watcher.end() == (0, "")
            assert not watcher.events("problem")
    doctor = run_here("doctor", environment=desk.variables)
    assert doctor.returncode == 0, doctor.stdout


def test_it_waits_while_another_process_indexes(desk: Desk) -> None:
    with desk.watched() as watcher:
        with only_indexer(desk.data_dir):
            desk.write("Late.md", "Later.")
            until(lambda: watcher.events("waiting"))
        desk.until_indexed(*NOTES, "Late.md")
    assert len(watcher.events("waiting")) == 1


def test_a_commit_is_read_although_no_note_changes(desk: Desk) -> None:
    git(desk.vault, "init", "-q")
    git(desk.vault, "add", "Tea.md")
    git(desk.vault, "commit", "-qm", "one")
    with desk.watched():
        git(desk.vault, "add", ".")
        git(desk.vault, "commit", "-qm", "two", on=2)
        wanted = git(desk.vault, "rev-parse", "HEAD").strip()

        def read() -> bool:
            history = History(desk.data_dir / "history.db")
            head = history.git_head()
            history.close()
            return head == wanted

        until(read, seconds=30)


async def test_an_open_brain_sees_each_save_and_drops_nothing_when_the_vault_goes(
    desk: Desk, brain: Brain
) -> None:
    await brain.index()
    for number in range(20):
        desk.write("Tea.md", f"Giraffes drink tea number {number}.")
        answer = await brain.ask("What do giraffes drink?", intent="factual")
        assert f"number {number}." in answer.results[0].excerpts[0].text
    desk.vault.rename(desk.vault.with_name("away"))
    answer = await brain.ask("What do giraffes drink?", intent="factual")
    assert "vault" in {warning.source for warning in answer.warnings}
    assert desk.indexed() == set(NOTES)
    report = await brain.index()
    assert (report.notes, report.removed) == (3, 0)
    shutil.move(desk.vault.with_name("away"), desk.vault)
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
    for name, value in desk.variables.items():
        monkeypatch.setenv(name, value)
    watching = asyncio.create_task(watch(vault=None, data_dir=None, as_json=False))
    said = ""

    def has_said(words: str) -> bool:
        nonlocal said
        said += capsys.readouterr().out
        return words in said

    await asyncio.to_thread(until, lambda: has_said("watching"))
    desk.write("Late.md", "Later.")
    await asyncio.to_thread(until, lambda: has_said("1 indexed: Late.md"))
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching
    assert said.count("All files are looked at every few seconds") == 1


def test_settings_refuse_a_vault_that_is_not_there(desk: Desk) -> None:
    shutil.rmtree(desk.vault)
    done = run_here("watch", environment=desk.variables)
    assert done.returncode == 2
    assert "does not exist" in done.stderr
