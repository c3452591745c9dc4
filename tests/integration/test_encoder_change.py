"""Another embedding model: everything is embedded again, and the user is told."""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from graphs.app import open_brain
from graphs.brain import Brain
from tests.fakes.ollama import FakeOllama
from tools.services import graph_service, semantic_service, stop
from tools.settings import load_settings

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
            embedding_model=model,
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
