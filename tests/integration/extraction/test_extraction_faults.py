"""Reading by a model that ends early, and a model that fails: what was read is kept, and told."""

import asyncio
import os
import signal

import pytest

from graphs.cli.commands.extract import extract_command
from graphs.jobs.extraction import extract_folders, inferred_store, start_in_background
from graphs.stores.extraction_progress import extraction_progress, is_extracting
from tests.fakes.ollama import FakeOllama, Mode, Reply
from tests.fakes.reader import read, reader
from tests.support.vaults.extraction import Place, apart, note, reads_of, said, served
from tests.support.waiting import until_async
from tools.base.errors import InputError, ModelUnavailableError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.extraction.job import ExtractionJob, load_job
from tools.graph.extraction.store import ATTEMPTS
from tools.runtime.services import graph_service
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration


# --- a run that ends early -----------------------------------------------------------------


def parts_done(settings: Settings) -> int:
    job = load_job(settings.inferred_path)
    return job.parts_done if job is not None and job.state == "running" else 0


@pytest.mark.torture
async def test_a_worker_killed_in_the_middle_is_gone_on_with(place: Place) -> None:
    people = [f"Person{number} Killed" for number in range(8)]
    place.write(
        {f"kill/{one}.md": note("2024-01-01", f"{one} lives in {one} Town.") for one in people}
    )
    await place.index()
    with FakeOllama(replies=apart, mode="slow", pause=0.1) as server:
        settings = place.settings(server, chat_model="llama3.2")
        await start_in_background(settings, ["kill"])
        await until_async(lambda: parts_done(settings) >= 3 and is_extracting(settings))
        with pytest.raises(InputError, match="already"):
            await extract_folders(settings, ("kill",))
        os.kill(int((settings.run_dir / "extract.pid").read_text()), signal.SIGKILL)
        await until_async(lambda: not is_extracting(settings))
        progress = extraction_progress(settings)
        assert progress is not None
        assert (progress[0].state, progress[1]) == ("running", False)
        read_before = progress[0].parts_done
        assert read_before < len(people)
        server.mode = "normal"
        job = await extract_folders(settings, ("kill",))
        again = [reads_of(server, f"{one} lives") for one in people]
    assert (job.state, job.notes) == ("finished", len(people) - read_before)
    assert said(served(settings, "kill")) == {(one, "LIVES_IN", f"{one} Town") for one in people}
    assert len(served(settings, "kill")) == len(people)
    assert sorted(again) in ([1] * len(people), [*[1] * (len(people) - 1), 2])


async def test_a_run_that_is_interrupted_here_keeps_what_it_read(place: Place) -> None:
    place.write({f"here/{n}.md": note("2024-01-01", f"Here{n} lives in Now{n}.") for n in "abc"})
    await place.index()
    with FakeOllama(replies=apart, mode="slow", pause=0.2) as server:
        settings = place.settings(server)
        seen_parts = asyncio.Event()

        def show(job: ExtractionJob) -> None:
            if job.parts_done:
                seen_parts.set()

        task = asyncio.create_task(extract_folders(settings, ("here",), on_progress=show))
        await asyncio.wait_for(seen_parts.wait(), 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        job = load_job(settings.inferred_path)
        assert job is not None
        assert (job.state, is_extracting(settings)) == ("stopped", False)
        server.mode = "normal"
        assert (await extract_folders(settings, ("here",))).state == "finished"
    assert len(served(settings, "here")) == 3


# --- a model that does not -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "told"), [("wrong-json", "wrong form"), ("error", "500"), ("hang", "no answer")]
)
async def test_a_model_that_fails_costs_its_note_three_tries_and_one_line(
    place: Place, fault: Mode, told: str
) -> None:
    folder = f"fault-{fault}"
    place.write({f"{folder}/{n}.md": note("2024-01-01", f"Fay{n} lives in Far{n}.") for n in "ab"})
    await place.index()
    with FakeOllama(replies=read, mode=fault) as server:
        settings = place.settings(server, model_timeout=0.02 if fault == "hang" else 60)
        job = await extract_folders(settings, (folder,))
    assert (job.state, job.notes_failed, job.parts_done) == ("finished", 2, 0)
    given_up = [one for one in inferred_store(settings).given_up() if folder in one.path]
    assert [one.path for one in given_up] == [f"{folder}/a.md", f"{folder}/b.md"]
    for one in given_up:
        assert told in one.reason
        assert "\n" not in one.reason
        assert "decides by itself" not in one.reason
    assert served(settings, folder) == []


async def test_one_note_that_fails_does_not_keep_the_others(place: Place) -> None:
    names = ["Alice", "Bertha", "Clara"]
    place.write({f"some/{n}.md": note("2024-01-01", f"{n} Some lives in {n}ton.") for n in names})
    await place.index()

    def odd(prompt: str, form: str) -> Reply | None:
        return {"edges": "many"} if form == "ExtractedEdges" and "Bertha Some" in prompt else None

    with FakeOllama(replies=reader(odd)) as server:
        settings = place.settings(server)
        job = await extract_folders(settings, ("some",))
        assert reads_of(server, "Bertha Some") == ATTEMPTS
        again = await extract_folders(settings, ("some",))
    assert (job.state, job.notes_done, job.notes_failed) == ("finished", 2, 1)
    assert again.notes == 0  # given up, until it changes
    assert said(served(settings, "some")) == {
        ("Alice Some", "LIVES_IN", "Aliceton"),
        ("Clara Some", "LIVES_IN", "Claraton"),
    }


async def test_a_part_whose_facts_fail_leaves_none_of_its_entities(place: Place) -> None:
    place.write({"half/Hubert.md": note("2024-01-01", "Hubert Half lives in Halfway.")})
    await place.index()

    def odd(prompt: str, form: str) -> Reply | None:
        return "no JSON" if form == "ExtractedEdges" else None

    with FakeOllama(replies=reader(odd)) as server:
        settings = place.settings(server)
        await extract_folders(settings, ("half",))
    connection = FalkorBackend(graph_service(settings).socket, graph="extraction")
    try:
        found = await connection.query("MATCH (n) WHERE n.name CONTAINS 'Half' RETURN n.name")
    finally:
        await connection.close()
    assert found == []
    assert "half/Hubert.md" in {one.path for one in inferred_store(settings).given_up()}


@pytest.mark.parametrize("gone", ["server", "model"])
async def test_a_model_that_is_not_there_ends_the_run_without_blaming_a_note(
    place: Place, gone: str
) -> None:
    place.write({f"gone-{gone}/G.md": note("2024-01-01", "Gus Gone lives in Nowhere.")})
    await place.index()
    with FakeOllama(replies=read) as server:
        settings = place.settings(server, chat_model="llama3.2" if gone == "server" else "nosuch")
        if gone == "model":
            with pytest.raises(ModelUnavailableError, match="ollama pull nosuch"):
                await extract_command(
                    settings, [f"gone-{gone}"], yes=True, wait=True, as_json=False
                )
    job = await extract_folders(settings, (f"gone-{gone}",))
    assert (job.state, job.notes_failed, job.parts_done) == ("stopped", 0, 0)
    assert "ollama serve" in (job.error or "")
    assert [one for one in inferred_store(settings).given_up() if "gone" in one.path] == []
