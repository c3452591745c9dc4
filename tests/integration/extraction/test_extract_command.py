"""``brain index --extract`` as a person meets it, and what the other commands make of it."""

import io
import json
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from graphs.cli.commands import status as status_command
from graphs.cli.commands.extract import extract_command
from graphs.core.graph_backends import graph_backend
from graphs.stores.index_lock import only_indexer
from tests.fakes.ollama import FakeOllama, Reply
from tests.fakes.reader import read, reader
from tests.support.processes.command_line import Brain, indexed_here
from tests.support.vaults.extraction import Place, note, served
from tools.base.errors import InputError
from tools.graph.backends.graphiti import GraphitiStore
from tools.graph.extraction.job import load_job, save_job
from tools.runtime.services import Service
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

NOTES = {
    "read/Late coffee.md": "---\ndate: 2024-03-01\n---\n\nLate coffee causes Bad sleep.\n",
    "read/Before.md": "---\ndate: 2024-01-01\n---\nGrace Hopper works at Harbour Office.\n",
    "read/Later.md": "---\ndate: 2024-06-01\n---\nGrace Hopper works at Compiler House.\n",
    "Grace Hopper.md": "---\ndate: 2024-02-01\n---\nworks at:: [[Harbour Office]]\n",
    "Bad sleep.md": "Bad sleep is a short night.\n\ncauses:: [[Grumpy morning]]\n",
    "Grumpy morning.md": "A grumpy morning has little light.\n",
}


class Model:
    """A fake that says when it is first asked about a note, and replies from when it is let go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.let_go = threading.Event()

    def __call__(self, prompt: str) -> Reply:
        if prompt.startswith("List the names"):  # to see how long one question takes
            return {"names": []}
        self.asked.set()
        self.let_go.wait(60)
        return read(prompt)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What was printed, each on one line: by itself, when told to start, and while it reads."""

    preview: str
    started: str
    status: str
    again: str
    facts: str
    done: str


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("extract")


@pytest.fixture(scope="module")
def run(folder: Path, model: Model) -> Iterator[Brain]:
    """The command line on an indexed vault, with a model that can be asked."""
    with (
        FakeOllama(replies=model) as server,
        indexed_here(folder, NOTES, BRAIN_OLLAMA_URL=server.url) as brain,
    ):
        yield brain
        model.let_go.set()


@pytest.fixture(scope="module")
def told(run: Brain, model: Model) -> Told:
    """One reading in the background, done by now."""
    preview = printed(run("index", "--extract", "read"), code=3)
    started = printed(run("index", "--extract", "read", "--yes"))
    assert model.asked.wait(60)
    during = {
        "status": printed(run("status")),
        "again": printed(run("index", "--extract", "read", "--yes")),
        "facts": printed(run("facts", "Late coffee")),
    }
    model.let_go.set()
    deadline = time.monotonic() + 60
    while "3 notes, done." not in (done := printed(run("status"))):
        assert time.monotonic() < deadline
        time.sleep(0.2)  # the processor is the worker's
    return Told(preview=preview, started=started, done=done, **during)


@pytest.fixture(scope="module")
def place(folder: Path, told: Told) -> Place:
    """The same vault, once nothing else is read of it."""
    assert "done." in told.done
    return Place(vault=folder / "vault", data_dir=folder / "data")


def printed(done: subprocess.CompletedProcess[str], *, code: int = 0) -> str:
    """What a command printed, on one line."""
    assert (done.returncode, done.stderr) == (code, "")
    return " ".join(done.stdout.split())


def facts(run: Brain, subject: str, *options: str) -> list[dict[str, Any]]:
    return json.loads(printed(run("facts", subject, "--json", *options)))


# --- before and while it reads -------------------------------------------------------------


def test_it_says_first_how_much_there_is_to_read_and_how_long_it_takes(told: Told) -> None:
    assert "To read 3 notes in 3 parts (0 are read, 0 were given up)" in told.preview
    assert re.search(r"about 18 questions, \d+ thousand tokens to read; no money", told.preview)
    assert re.search(r"Time about \d+ (s|min), judged by one question", told.preview)
    assert told.preview.endswith("Nothing was started: add --yes to start.")


def test_it_reads_in_the_background_and_tells_how_far_it_is(told: Told) -> None:
    assert told.started.endswith(
        "Started. `brain status` tells how far it is, `brain stop` ends it."
    )
    assert "Read by a model 0 of 3 notes" in told.status
    assert told.again == "Reading notes: 0 of 3 notes."
    assert "That note states no relations" in told.facts, "questions go on meanwhile"
    assert "Read by a model 3 of 3 notes, done." in told.done


@pytest.mark.usefixtures("told")
def test_what_is_read_is_not_read_again(run: Brain) -> None:
    again = printed(run("index", "--extract", "read", "--yes"))

    assert "To read 0 notes in 0 parts (3 are read, 0 were given up)" in again
    assert again.endswith("There is nothing to read.")


# --- what comes of it ----------------------------------------------------------------------


@pytest.mark.usefixtures("told")
def test_a_fact_that_was_inferred_says_so_with_its_note_and_line(run: Brain) -> None:
    (fact,) = facts(run, "Late coffee")

    assert (fact["subject"], fact["relation"], fact["object"]) == (
        *("Late coffee", "CAUSES", "Bad sleep"),
    )
    assert (fact["origin"], fact["note_path"], fact["line"]) == (
        *("inferred", "read/Late coffee.md", 5),
    )
    shown = printed(run("facts", "Late coffee"))
    assert "causes → Bad sleep (inferred) since 2024-03-01" in shown
    assert shown.endswith("read/Late coffee.md:5")


@pytest.mark.usefixtures("told")
def test_what_was_written_is_not_ended_by_what_was_inferred(run: Brain) -> None:
    works = {
        (fact["object"], fact["origin"]): fact for fact in facts(run, "Grace Hopper", "--ever")
    }

    written = works["Harbour Office", "written"]
    assert (written["invalid_at"], written["expired_at"]) == (None, None)
    ended = works["Harbour Office", "inferred"]
    assert ended["invalid_at"].startswith("2024-06-01")
    assert works["Compiler House", "inferred"]["invalid_at"] is None
    now = {(fact["object"], fact["origin"]) for fact in facts(run, "Grace Hopper")}
    assert now == works.keys() - {("Harbour Office", "inferred")}


@pytest.mark.usefixtures("told")
def test_an_answer_marks_what_was_inferred_and_nothing_else(run: Brain) -> None:
    asked = ("ask", "What does late coffee lead to?", "--intent", "causal")
    brief, chain = printed(run(*asked)), printed(run(*asked, "--all"))
    held = printed(run("ask", "Where does Grace Hopper work?", "--as-of", "2024-07-01"))
    table = printed(run("ask", "Compare late coffee and Grace Hopper", "--intent", "comparative"))

    assert "Late coffee → Bad sleep (inferred) → Grumpy morning — " in brief
    assert "Late coffee causes Bad sleep (inferred)." in chain
    assert "Bad sleep, in turn, causes Grumpy morning." in chain
    assert re.search(
        r"Late coffee → Bad sleep \(0\.\d\d, inferred\)\[\^1\] → Grumpy morning \(0\.\d\d\)\[\^2\]",
        chain,
    )
    assert "[^1]: [[Late coffee]] line 5 [^2]: [[Bad sleep]] line 3" in chain
    assert "Grace Hopper works at Harbour Office (since 2024-02-01)." in held
    assert "Grace Hopper works at Compiler House (inferred, since 2024-06-01)." in held
    assert "| Bad sleep (inferred) (" in table
    assert "| Harbour Office, Compiler House (inferred) (" in table


@pytest.mark.usefixtures("told")
def test_a_neighbourhood_marks_what_was_inferred(run: Brain) -> None:
    near = printed(run("graph", "Bad sleep"))

    assert "Late coffee — causes → Bad sleep (inferred) since 2024-03-01" in near
    assert "Bad sleep — causes → Grumpy morning since" in near


# --- as a function of ours -----------------------------------------------------------------


async def test_the_command_says_what_it_takes_and_starts_only_when_told(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write({"cmd/Cora.md": note("2024-01-01", "Cora Command lives in Shell.")})
    await place.index()
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with FakeOllama(replies=reader(lambda _, __: None)) as server:
        settings = place.settings(server)
        assert await extract_command(settings, ["cmd"], yes=False, wait=True, as_json=False) == 3
        shown = capsys.readouterr().out
        assert "1 note in 1 part" in shown
        assert "--yes" in shown
        assert served(settings, "cmd") == []
        assert await extract_command(settings, ["cmd"], yes=True, wait=True, as_json=False) == 0
        assert "1 of 1 notes, done." in capsys.readouterr().out
        assert await in_graph(settings, "Cora Command") == ["LIVES_IN"]
        assert len(served(settings, "cmd")) == 1
        assert await extract_command(settings, [], yes=True, wait=True, as_json=False) == 0
        assert "nothing to read" in capsys.readouterr().out


async def in_graph(settings: Settings, subject: str) -> list[str]:
    """What the vault's graph has as inferred about a thing; no file is looked at."""
    graph = GraphitiStore(graph_backend(settings))
    try:
        facts = await graph.facts_about([subject])
    finally:
        await graph.close()
    return [fact.relation for fact in facts if fact.origin == "inferred"]


async def test_who_waits_is_told_when_what_was_read_is_not_in_the_graph(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    place.write({"late/Dora.md": note("2024-01-01", "Dora Command lives in Shell.")})
    await place.index()
    with FakeOllama(replies=reader(lambda _, __: None)) as server:
        settings = place.settings(server)
        with only_indexer(settings.data_dir):
            code = await extract_command(settings, ["late"], yes=True, wait=True, as_json=False)
    shown = capsys.readouterr().out
    assert code == 1
    assert "1 of 1 notes, done. Last problem: What was read is not in the graph yet" in shown
    assert await in_graph(settings, "Dora Command") == []
    await place.index()
    assert await in_graph(settings, "Dora Command") == ["LIVES_IN"]


async def test_a_reading_is_told_of_before_its_process_has_begun(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write({"wait/Enid.md": note("2024-01-01", "Enid Command lives in Shell.")})
    await place.index()

    def never_begins(service: Service) -> None:
        assert service.name == "extract"

    monkeypatch.setattr("graphs.jobs.extraction.launch", never_begins)

    async def status() -> str:
        assert (
            await status_command.status(vault=place.vault, data_dir=place.data_dir, as_json=False)
            == 0
        )
        return " ".join(capsys.readouterr().out.split())

    with FakeOllama(replies=reader(lambda _, __: None)) as server:
        settings = place.settings(server)
        before = load_job(settings.inferred_path)
        assert await extract_command(settings, ["wait"], yes=True, wait=False, as_json=False) == 0
    assert "Read by a model 0 of 1 notes, waiting to begin." in await status()
    waiting = load_job(settings.inferred_path)
    assert waiting is not None
    assert before is None or waiting.encoder == before.encoder
    long_ago = waiting.started_at - timedelta(hours=1)
    save_job(settings.inferred_path, replace(waiting, started_at=long_ago))
    told = await status()
    assert "0 of 1 notes, ended early. It did not begin: see logs/extract.log." in told
    assert "Start it again" in told


async def test_a_folder_outside_the_vault_is_refused(place: Place, tmp_path: Path) -> None:
    (place.vault / "away").symlink_to(tmp_path)
    try:
        with FakeOllama() as server:
            settings = place.settings(server)
            for folder in ("..", str(tmp_path), "away", "../elsewhere", "no such", "a\0b"):
                with pytest.raises(InputError, match=r"[Nn]othing was started"):
                    await extract_command(settings, [folder], yes=True, wait=True, as_json=False)
            assert server.prompts == []
    finally:
        (place.vault / "away").unlink()
