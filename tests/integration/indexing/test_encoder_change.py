"""Another embedding model: everything is embedded again, and the user is told."""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from graphs.core.state import QueryContext
from tests.fakes.ollama import FakeOllama
from tools.runtime.services import graph_service, semantic_service, stop
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration


async def test_another_embedding_model_embeds_everything_again_and_says_so(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    vault = write_vault({"2024-01-01 a.md": "Basil grows fast.", "2024-01-02 b.md": "Tea is hot."})
    data_dir = tmp_path / "data"

    def brain(
        model: str | None = None, url: str | None = None
    ) -> AbstractAsyncContextManager[Brain]:
        return open_brain(
            vault,
            data_dir=data_dir,
            mode="local",
            services_owner=os.getpid(),
            encoder=model,
            ollama_url=url,
        )

    try:
        async with brain() as first:
            report = await first.index()
            assert (report.vectors_written, report.warnings) == (2, ())
        with FakeOllama(models=["other-embed:latest"]) as ollama:
            async with brain("other-embed", ollama.url) as second:
                report = await second.index()
                assert report.vectors_written == 2
                assert "embedded again" in str(report.warnings)
                assert (await second.index()).vectors_written == 0
                answer = await second.ask("What grows fast?")
                assert "semantic" in answer.sources_available
    finally:
        settings = load_settings(vault=vault, data_dir=data_dir)
        for service in (semantic_service(settings), graph_service(settings)):
            await stop(service)


async def test_notes_in_another_language_change_the_encoder_which_is_said(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    english = {
        f"2024-01-0{day} note.md": f"On day {day} the basil grew fast." for day in range(1, 9)
    }
    vault, data_dir = write_vault(english), tmp_path / "data"
    try:
        async with open_brain(
            vault, data_dir=data_dir, mode="local", services_owner=os.getpid()
        ) as brain:
            first = await brain.index()
            assert (first.vectors_written, first.warnings) == (8, ())
            (vault / "Kira.md").write_text("Ev sahibi kirayı her ayın beşinde bekliyor.\n", "utf-8")
            second = await brain.index()
            assert second.vectors_written == 9
            assert "to multilingual-e5-small" in str(second.warnings)
            answer = await brain.ask(
                "when is the rent due?", context=QueryContext(interactive=False)
            )
            assert answer.results[0].note_path == "Kira.md"
            assert (await brain.index()).vectors_written == 0
    finally:
        settings = load_settings(vault=vault, data_dir=data_dir)
        for service in (semantic_service(settings), graph_service(settings)):
            await stop(service)


async def test_a_first_index_embeds_nothing_again_whichever_encoder_it_takes(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    vault = write_vault({"Kira.md": "Ev sahibi kirayı her ayın beşinde bekliyor.\n"})
    data_dir = tmp_path / "data"
    try:
        async with open_brain(
            vault, data_dir=data_dir, mode="local", services_owner=os.getpid()
        ) as brain:
            report = await brain.index()
            assert (report.vectors_written, report.warnings) == (1, ())
    finally:
        settings = load_settings(vault=vault, data_dir=data_dir)
        for service in (semantic_service(settings), graph_service(settings)):
            await stop(service)
