"""Another embedding model: everything is embedded again, and the user is told."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from graphs.app import open_brain
from graphs.core.state import QueryContext
from graphs.jobs.extraction import extract_folders
from tests.fakes.ollama import FakeOllama
from tests.support.vaults.extraction import apart, note, served
from tests.support.vaults.indexed import stop_servers_of
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

KIRA = "Ev sahibi kirayı her ayın beşinde bekliyor.\n"


@asynccontextmanager
async def servers_ended(vault: Path, data_dir: Path) -> AsyncGenerator[None]:
    """End the servers with the block."""
    try:
        yield
    finally:
        await asyncio.to_thread(stop_servers_of, vault, data_dir)


async def test_another_embedding_model_embeds_everything_again_and_reading_by_a_model_goes_on(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    """It says so; a first index embeds nothing again, whichever encoder it takes."""
    old = note("2024-01-01", "Otto Old lives in Upper Village.")
    vault, data_dir = write_vault({"Kira.md": KIRA, "read/Old.md": old}), tmp_path / "data"
    with FakeOllama(replies=apart, models=("llama3.2:latest", "other-embed:latest")) as ollama:
        given = {"services_owner": os.getpid(), "ollama_url": ollama.url}
        settings = partial(load_settings, vault=vault, data_dir=data_dir, **given)
        brain = partial(open_brain, vault, data_dir=data_dir, mode="local", **given)
        async with servers_ended(vault, data_dir):
            async with brain() as first:
                report = await first.index()
                assert (report.vectors_written, report.warnings) == (2, ())
            await extract_folders(settings(), ("read",))
            new = note("2024-01-01", "Nora New lives in Lower Village.")
            (vault / "read" / "New.md").write_text(new, "utf-8")
            async with brain(encoder="other-embed") as second:
                report = await second.index()
                assert report.vectors_written == 3
                assert "embedded again" in str(report.warnings)
                assert (await second.index()).vectors_written == 0
                answer = await second.ask("Where does Nora live?")
                assert "semantic" in answer.sources_available
            job = await extract_folders(settings(encoder="other-embed"), ("read",))
    assert (job.state, job.notes_done, job.notes_failed) == ("finished", 1, 0)
    assert len(served(settings(), "read")) == 2


async def test_notes_in_another_language_change_the_encoder_which_is_said(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    english = {
        f"2024-01-0{day} note.md": f"On day {day} the basil grew fast." for day in range(1, 9)
    }
    vault, data_dir = write_vault(english), tmp_path / "data"
    opened = open_brain(vault, data_dir=data_dir, mode="local", services_owner=os.getpid())
    async with servers_ended(vault, data_dir), opened as brain:
        first = await brain.index()
        assert (first.vectors_written, first.warnings) == (8, ())
        (vault / "Kira.md").write_text(KIRA, "utf-8")
        second = await brain.index()
        assert second.vectors_written == 9
        assert "to multilingual-e5-small" in str(second.warnings)
        context = QueryContext(interactive=False)
        answer = await brain.ask("when is the rent due?", context=context)
        assert answer.results[0].note_path == "Kira.md"
        assert (await brain.index()).vectors_written == 0
