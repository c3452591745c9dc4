"""A model is blamed for what Graphiti cannot read, and for nothing that is our own doing."""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel

from tests.fakes.reader import read
from tools.base.errors import SourceError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.episodes import EpisodeText
from tools.graph.extraction.graphiti import (
    DIMENSIONS,
    GROUP,
    Extractor,
    FalkorExtraction,
    load_for_extraction,
)
from tools.runtime.services import ensure, graph_service, stop
from tools.settings.settings import Settings

pytestmark = pytest.mark.integration

EPISODE = EpisodeText(
    note_path="a.md",
    title="Diary",
    text="Ada Byron fears Bats.",
    content_hash="1",
    valid_at=datetime(2024, 1, 1, tzinfo=UTC),
)


async def ask[T: BaseModel](prompt: str, schema: type[T], /) -> T:
    return schema.model_validate(read(prompt))


async def embed(texts: Sequence[str]) -> list[list[float]]:
    return [[0.1] * DIMENSIONS for _ in texts]


async def fails(*_: object, **__: object) -> None:
    raise KeyError(EPISODE.text)


@pytest.fixture(scope="module")
def socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("graph")
    service = graph_service(
        Settings(vault=folder / "vault", data_dir=folder / "data", services_owner=os.getpid())
    )
    asyncio.run(ensure(service))
    yield service.socket
    asyncio.run(stop(service))


@pytest.fixture
async def extractor(socket: Path) -> AsyncIterator[Extractor]:
    await load_for_extraction()
    graph = FalkorExtraction(FalkorBackend(socket, graph=GROUP))
    made = Extractor(graph, ask=ask, embed=embed, model="small")
    yield made
    await made.close()


async def test_what_can_be_read_is_no_failure(extractor: Extractor) -> None:
    (fact,) = (await extractor.extract(EPISODE)).facts
    assert (fact.subject, fact.relation, fact.object) == ("Ada Byron", "FEARS", "Bats")


async def test_what_graphiti_stumbles_over_is_the_models_and_told_without_the_note(
    extractor: Extractor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("graphiti_core.Graphiti.add_episode", fails)
    with pytest.raises(SourceError, match="larger model") as caught:
        await extractor.extract(EPISODE)
    (said,) = [record.getMessage() for record in caplog.records if record.name.startswith("tools")]
    assert re.search(r"KeyError at test_extraction_blame\.py:\d+ fails, graphiti\.py:", said)
    assert "Bats" not in f"{said}{caught.value}"


async def test_a_failure_beside_graphiti_is_not_blamed_on_the_model(
    extractor: Extractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphiti_core.edges.EntityEdge.get_by_uuids", fails)
    with pytest.raises(KeyError):
        await extractor.extract(EPISODE)
