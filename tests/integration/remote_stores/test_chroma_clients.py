"""Several clients of one Chroma server, each with what the others did."""

import asyncio
from uuid import uuid4

import pytest

from tests.support.servers.chroma_server import ChromaProcess, Stub, index_at
from tools.base.errors import StorageError
from tools.semantic.chroma_server import ServerHome
from tools.semantic.index import ChromaIndex

pytestmark = pytest.mark.integration


async def test_a_collection_made_anew_by_somebody_else_is_found(
    chroma_server: ChromaProcess,
) -> None:
    address = chroma_server.address(f"test.{uuid4()}")
    with index_at(address) as mine, index_at(address) as yours:
        await mine.upsert([("a", "a")])
        assert await yours.ids() == {"a"}
        await yours.reset()
        await yours.upsert([("b", "b")])
        assert await mine.ids() == {"b"}
        assert [id_ for id_, _ in await mine.search("b", limit=5)] == ["b"]


async def test_another_computers_model_is_not_fought_over(chroma_server: ChromaProcess) -> None:
    class Other(Stub):
        name = "other"

    address = chroma_server.address(f"test.{uuid4()}")
    with index_at(address) as mine:
        await mine.upsert([("a", "a")])
        other = ChromaIndex(ServerHome(address), Other())
        assert (await other.status()).reembedding_reason
        with pytest.raises(StorageError, match="another computer"):
            await mine.ids()
        await other.upsert([("b", "b")])
        assert await other.ids() == {"b"}
        other.close()


async def test_many_first_uses_at_once_make_one_collection(chroma_server: ChromaProcess) -> None:
    address = chroma_server.address(f"test.{uuid4()}")
    indexes = [ChromaIndex(ServerHome(address), Stub()) for _ in range(6)]
    await asyncio.gather(*(index.upsert([(str(n), "x")]) for n, index in enumerate(indexes)))
    assert [len(await index.ids()) for index in indexes] == [6] * 6
    for index in indexes:
        index.close()


async def test_a_server_on_loopback_is_not_asked_through_a_proxy(
    chroma_server: ChromaProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with index_at(chroma_server.address(f"test.{uuid4()}")) as index:
        assert await index.upsert([("a", "a")]) == 1
