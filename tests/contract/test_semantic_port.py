"""What every index of passages does: over a directory, a Chroma server, and a server of ours."""

import asyncio
import os
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.servers.chroma_server import ChromaProcess
from tools.base.errors import ModelUnavailableError, StoreVersionError
from tools.runtime import services
from tools.semantic import index as chroma
from tools.semantic.chroma_directory import DirectoryHome, open_client
from tools.semantic.chroma_server import ServerHome
from tools.semantic.client import SemanticClient
from tools.semantic.encoder import Encoder, load_encoder
from tools.semantic.index import ChromaIndex, ChunkIndex, Home
from tools.settings.settings import Settings

PASSAGES = (
    ("p1", "Garden > Water\nTomatoes get two litres of water every second day."),
    ("p2", "Billing > Database\nThe billing service runs on Postgres for its transactions."),
    ("p3", "Health > Sleep\nNo screens after ten o'clock help me fall asleep."),
    ("p4", "Travel > Portugal\nTwo nights in Porto, then by train to Lisbon."),
)


# --- the adapters ----------------------------------------------------------------------------


@cache
def built_in() -> Encoder:
    return load_encoder("all-MiniLM-L6-v2", ollama_url="")


type Opens = Callable[[Encoder], ChromaIndex]
"""Opens the index of one store, as the next process would."""

_SERVER = pytest.param("server", marks=pytest.mark.integration)
_CHROMA_SERVER = pytest.param("Chroma server", marks=pytest.mark.integration)
# Of two that each keep the contract; some of it is asked of both together in any run
# (tests/integration/remote_stores/test_chroma_server.py).
_BOTH_SERVERS = pytest.param(
    "server over a Chroma server", marks=[pytest.mark.integration, pytest.mark.torture]
)


def _served(folder: Path, **settings: Any) -> Iterator[services.Service]:
    chosen = Settings(
        vault=folder / "v", data_dir=folder / "d", services_owner=os.getpid(), **settings
    )
    service = services.semantic_service(chosen)
    yield service
    asyncio.run(services.stop(service))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.Service]:
    yield from _served(tmp_path_factory.mktemp("semantic"))


@pytest.fixture(scope="module")
def server_over_server(
    tmp_path_factory: pytest.TempPathFactory, chroma_server: ChromaProcess
) -> Iterator[services.Service]:
    yield from _served(tmp_path_factory.mktemp("semantic"), chroma_url=chroma_server.url)


@pytest.fixture(params=["directory", _CHROMA_SERVER])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opens]:
    yield from _opens(request.param, request, tmp_path)


def _opens(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Opens]:
    if kind == "directory":
        yield from _opens_directory(folder / "chroma")
    else:
        chroma_server: ChromaProcess = request.getfixturevalue("chroma_server")
        yield from _opens_home(ServerHome(chroma_server.address(f"test.{uuid.uuid4()}")))


def _opens_directory(folder: Path) -> Iterator[Opens]:
    yield from _opens_home(DirectoryHome(open_client(folder)))


def _opens_home(home: Home) -> Iterator[Opens]:
    def open_index(encoder: Encoder) -> ChromaIndex:
        index = ChromaIndex(home, encoder)
        index.open()
        return index

    yield open_index
    home.close()


@pytest.fixture(params=["directory", _CHROMA_SERVER, _SERVER, _BOTH_SERVERS])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ChunkIndex]:
    if request.param in ("directory", "Chroma server"):
        for opens in _opens(request.param, request, tmp_path):
            yield opens(built_in())
        return
    name = "server" if request.param == "server" else "server_over_server"
    async with SemanticClient(request.getfixturevalue(name)) as client:
        await client.reset()
        yield client


# --- the contract ----------------------------------------------------------------------------


async def test_a_question_finds_the_passage_that_answers_it(index: ChunkIndex) -> None:
    assert await index.upsert(PASSAGES) == 4
    hits = await index.search("Which database does billing use?", limit=2)
    assert len(hits) == 2
    assert hits[0][0] == "p2"
    assert hits[0][1] > 0.7 > hits[1][1] >= 0.0


async def test_a_statement_finds_the_passage_that_says_the_same(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    for id_, text in PASSAGES:
        (found, similarity), *_ = await index.search(text, limit=2, kind="statement")
        assert found == id_
        assert similarity > 0.99


async def test_what_is_nearest_to_passages_begins_with_them(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    for id_, _ in PASSAGES:
        nearest = await index.nearest_to([id_], limit=3)
        assert (nearest[0][0], len(nearest)) == (id_, 3)
        assert nearest[0][1] == pytest.approx(1.0, abs=1e-3)
    both = await index.nearest_to(["p1", "p2", "p1"], limit=4)
    assert {id_ for id_, _ in both[:2]} == {"p1", "p2"}
    cosines = [cosine for _, cosine in both]
    assert cosines == sorted(cosines, reverse=True)
    assert await index.nearest_to(["nobody"], limit=3) == []
    assert await index.nearest_to([], limit=3) == []


async def test_stored_vectors_are_those_of_the_texts(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    stored = await index.vectors(["p1", "nobody", "p3", "p1"])
    assert stored.keys() == {"p1", "p3"}
    texts = dict(PASSAGES)
    again = await index.embed([texts[id_] for id_ in stored])
    assert np.allclose([*stored.values()], again, atol=1e-3)
    assert await index.vectors([]) == {}


async def test_hits_come_best_first_and_are_probabilities(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    hits = await index.search("How do I sleep better?", limit=10)
    similarities = [similarity for _, similarity in hits]
    assert {id_ for id_, _ in hits} == {"p1", "p2", "p3", "p4"}
    assert similarities == sorted(similarities, reverse=True)
    assert all(0.0 <= similarity <= 1.0 for similarity in similarities)


async def test_an_empty_index_finds_nothing(index: ChunkIndex) -> None:
    assert await index.search("anything", limit=5) == []
    assert await index.ids() == set()
    assert (await index.status()).count == 0


async def test_nothing_asked_finds_nothing(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    for text, limit in (("", 5), (" \n", 5), ("water", 0)):
        assert await index.search(text, limit=limit) == []


async def test_what_is_stored_is_not_embedded_again(index: ChunkIndex) -> None:
    assert await index.upsert(PASSAGES[:3]) == 3
    assert await index.upsert(PASSAGES) == 1
    assert await index.upsert([]) == 0
    assert (await index.status()).count == 4


async def test_an_id_given_twice_is_stored_once(index: ChunkIndex) -> None:
    assert await index.upsert([PASSAGES[0], PASSAGES[0]]) == 1
    assert await index.ids() == {"p1"}


async def test_many_passages_are_all_stored(index: ChunkIndex) -> None:
    items = [(f"id{number}", f"Passage number {number}") for number in range(300)]
    assert await index.upsert(items) == 300
    assert await index.ids() == {id_ for id_, _ in items}
    assert len(await index.search("passage", limit=50)) == 50


async def test_deleted_passages_are_gone_and_unknown_ids_ignored(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    await index.delete(["p2", "never stored"])
    assert await index.ids() == {"p1", "p3", "p4"}
    hits = await index.search("Which database does billing use?", limit=10)
    assert "p2" not in {id_ for id_, _ in hits}
    await index.delete([])
    assert (await index.status()).count == 3
    assert await index.upsert(PASSAGES) == 1


async def test_what_is_stored_is_found_by_its_own_vector(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    assert await index.lost(["p1", "absent", "p4"]) == ["absent"]
    assert await index.lost([]) == []


async def test_passages_that_read_alike_are_all_found(index: ChunkIndex) -> None:
    ids = [f"alike {number}" for number in range(30)]
    await index.upsert([(id_, "One and the same line.") for id_ in ids])
    assert await index.lost(ids) == []


async def test_reset_forgets_everything_and_goes_on(index: ChunkIndex) -> None:
    await index.upsert(PASSAGES)
    await index.reset()
    status = await index.status()
    assert (status.count, status.reembedding_reason) == (0, None)
    assert await index.upsert(PASSAGES[:1]) == 1


# Where the vectors are kept has no part in it.
@pytest.mark.parametrize("index", ["directory", _SERVER], indirect=True)
async def test_embed_gives_the_encoders_vectors_in_order(index: ChunkIndex) -> None:
    texts = ["a longer text about the garden and its water", "short", "", "short", "a \ud800 b"]
    vectors = await index.embed(texts)
    expected = built_in().encode(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (5, 384)
    assert np.abs(vectors - expected).max() < 1e-4
    assert (await index.embed([])).shape == (0, 384)


@pytest.mark.parametrize("index", ["directory", _SERVER], indirect=True)
async def test_claims_are_embedded_nearly_as_exactly(index: ChunkIndex) -> None:
    texts = ["Basil needs water every day.", "", "Basil dies of water.", "a \ud800 b"]
    vectors = await index.embed_claims(texts)
    assert vectors.shape == (4, 384)
    assert ((vectors * built_in().encode(texts)).sum(1) > 0.98).all()
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-4


@pytest.mark.parametrize("index", ["directory", _SERVER], indirect=True)
async def test_embed_takes_more_than_one_request_of_texts(index: ChunkIndex) -> None:
    texts = [f"text {number % 60} {'x' * (number % 7)}" for number in range(1100)]
    vectors = await index.embed(texts)
    assert vectors.shape == (1100, 384)
    assert np.abs(vectors[:420] - vectors[420:840]).max() < 1e-6


async def test_status_names_the_encoder(index: ChunkIndex) -> None:
    status = await index.status()
    assert (status.encoder, status.dimensions) == ("all-MiniLM-L6-v2", 384)


async def test_questions_and_writes_may_overlap(index: ChunkIndex) -> None:
    items = [(f"id{number}", f"Passage number {number}") for number in range(64)]
    added, answers, vectors = await asyncio.gather(
        asyncio.gather(index.upsert(items[:40]), index.upsert(items[40:])),
        asyncio.gather(*(index.search(f"question {number}", limit=3) for number in range(8))),
        index.embed(["one", "two"]),
    )
    assert sum(added) == 64
    assert len(answers) == 8
    assert vectors.shape == (2, 384)
    assert (await index.status()).count == 64


# --- what only the owner of the store shows --------------------------------------------------


class _Stub:
    """An encoder of short, chosen vectors; it counts texts and can be held in the middle."""

    def __init__(self, name: str = "stub", dimensions: int = 4) -> None:
        self.name = name
        self.dimensions = dimensions
        self.encoded: list[str] = []
        self.started = threading.Event()
        self.go_on = threading.Event()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded.extend(texts)
        if any(text.startswith("held") for text in texts):
            self.started.set()
            assert self.go_on.wait(30)
        vectors = np.full((len(texts), self.dimensions), 0.1, np.float32)
        vectors[:, 0] = [len(text) for text in texts]
        lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        vectors /= lengths
        return vectors

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts)

    def encode_claims(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts)


async def test_another_encoder_empties_the_index_and_says_so(opens: Opens) -> None:
    await opens(_Stub("first")).upsert(PASSAGES)
    assert (await opens(_Stub("first")).status()).count == 4
    second = opens(_Stub("second", 8))
    status = await second.status()
    assert (status.count, status.encoder, status.dimensions) == (0, "second", 8)
    assert status.reembedding_reason == "embedding model changed from first to second"
    # Still true for the next process, until there are vectors again.
    reopened = opens(_Stub("second", 8))
    assert (await reopened.status()).reembedding_reason == status.reembedding_reason
    await reopened.upsert(PASSAGES)
    assert (await reopened.status()).reembedding_reason is None


async def test_another_width_of_the_same_model_empties_the_index(opens: Opens) -> None:
    await opens(_Stub(dimensions=4)).upsert(PASSAGES)
    status = await opens(_Stub(dimensions=6)).status()
    assert status.count == 0
    assert "from 4 to 6 dimensions" in (status.reembedding_reason or "")


async def test_a_newer_format_is_left_alone(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        newer.setattr(chroma, "SCHEMA_VERSION", chroma.SCHEMA_VERSION + 1)
        await opens(_Stub()).upsert(PASSAGES)
    with pytest.raises(StoreVersionError, match="newer version"):
        opens(_Stub())
    with monkeypatch.context() as newer:
        newer.setattr(chroma, "SCHEMA_VERSION", chroma.SCHEMA_VERSION + 1)
        assert (await opens(_Stub()).status()).count == 4


async def test_a_question_does_not_wait_for_an_upsert(opens: Opens) -> None:
    encoder = _Stub()
    index = opens(encoder)
    await index.upsert([("short", "short")])
    writing = asyncio.create_task(index.upsert([("held", "held until the question is answered")]))
    assert await asyncio.to_thread(encoder.started.wait, 30)
    assert [id_ for id_, _ in await index.search("question", limit=5)] == ["short"]
    assert not writing.done()
    encoder.go_on.set()
    assert await writing == 1


async def test_a_repeated_question_is_encoded_once(opens: Opens) -> None:
    encoder = _Stub()
    index = opens(encoder)
    await index.upsert(PASSAGES)
    first = await index.search("the same question", limit=3)
    assert await index.search("the same question", limit=3) == first
    await index.embed(["a statement", "another", "another"])
    assert encoder.encoded.count("the same question") == 1
    assert encoder.encoded.count("another") == 1


async def test_a_failing_encoder_leaves_the_index_usable(opens: Opens) -> None:
    class Failing(_Stub):
        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if "bad" in texts:
                raise ModelUnavailableError("no vectors today")
            return super().encode(texts)

    index = opens(Failing())
    with pytest.raises(ModelUnavailableError):
        await index.upsert([("bad", "bad")])
    assert await index.upsert([("good", "good")]) == 1
    assert await index.ids() == {"good"}


async def test_vectors_that_were_forgotten_leave_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "chroma"
    for _ in range(3):
        for opens in _opens_directory(folder):
            index = opens(built_in())
            await index.reset()
            await index.upsert(PASSAGES)
    for opens in _opens_directory(folder):
        assert len([entry for entry in folder.iterdir() if entry.is_dir()]) == 1
        found = await opens(built_in()).search("How often are tomatoes watered?", limit=1)
        assert [id_ for id_, _ in found] == ["p1"]
