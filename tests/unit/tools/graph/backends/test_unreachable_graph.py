"""A graph at an address where nobody, or another program, answers: told in one line."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.support.servers.silent_server import SilentServer, silent_server
from tools.base.errors import ServiceUnavailableError, SourceError
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.connection import CONTACT_SECONDS
from tools.graph.cypher.port import GraphBackend, Writer

SECONDS = 0.1


@pytest.fixture
def silent() -> Iterator[SilentServer]:
    with silent_server() as server:
        yield server


def opened(
    scheme: str, port: int, *, password: str | None = None, seconds: float = SECONDS
) -> GraphBackend:
    uri = f"{scheme}://127.0.0.1:{port}"
    if scheme == "falkor":
        return FalkorBackend(uri, graph="v", password=password, contact_seconds=seconds)
    return Neo4jBackend(uri, vault="v", password=password, contact_seconds=seconds)


@pytest.mark.parametrize("password", [None, "hush"])
@pytest.mark.parametrize("scheme", ["falkor", "bolt", "neo4j"])
async def test_a_silent_server_is_told_and_waited_for_once(
    silent: SilentServer, scheme: str, password: str | None
) -> None:
    backend = opened(scheme, silent.port, password=password)

    async def work(_: object, writer: Writer) -> None: ...

    for attempt in (
        backend.reach,
        lambda: backend.query("RETURN 1"),
        lambda: backend.flat("RETURN 1"),
        lambda: backend.change(work),
        backend.prepare,
        backend.clear,
    ):
        with pytest.raises(ServiceUnavailableError) as caught:
            await attempt()
        line = str(caught.value)
        assert "BRAIN_GRAPH_URI" in line
        assert "\n" not in line
    await backend.close()
    assert silent.connections() == 1


@pytest.mark.parametrize("scheme", ["falkor", "bolt", "neo4j"])
async def test_nobody_at_the_address_is_told_by_its_setting(scheme: str) -> None:
    with silent_server() as server:
        port = server.port
    backend = opened(scheme, port)
    with pytest.raises(ServiceUnavailableError, match="BRAIN_GRAPH_URI"):
        await backend.reach()
    await backend.close()


@pytest.mark.parametrize("said", ["WRONGPASS invalid", "NOAUTH Authentication required."])
async def test_a_refused_login_names_its_settings(said: str) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readline():
            writer.write(f"-{said}\r\n".encode())
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        hidden = "hush"
        backend = opened("falkor", server.sockets[0].getsockname()[1], password=hidden)
        with pytest.raises(SourceError, match="BRAIN_GRAPH_PASSWORD") as caught:
            await backend.reach()
        await backend.close()
    assert not isinstance(caught.value, ServiceUnavailableError)
    assert hidden not in str(caught.value)


@pytest.mark.parametrize(
    ("scheme", "replies"),
    [
        ("falkor", [b"HTTP/1.1 400 Bad Request\r\n\r\n"]),
        ("falkor", [b"+\xff\xff\r\n"]),
        ("falkor", [b"+OK\r\n"]),
        ("falkor", [b"-ERR unknown command 'GRAPH.QUERY', with args beginning with: 'v'\r\n"]),
        # A handshake as of Neo4j, then a list that is longer than its message.
        ("bolt", [b"\0\0\4\5", b"\0\7\xb1\x70\xd6\x7f\xff\xff\xff\0\0"]),
    ],
)
async def test_another_program_at_the_address_is_told_by_its_setting(
    scheme: str, replies: list[bytes]
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for reply in [*replies, *replies[-1:] * 10]:
            if not await reader.read(1 << 16):
                break
            writer.write(reply)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        backend = opened(scheme, port, password="hush", seconds=CONTACT_SECONDS)  # noqa: S106
        with pytest.raises(SourceError, match="BRAIN_GRAPH_URI"):
            await backend.reach()
        await backend.close()
