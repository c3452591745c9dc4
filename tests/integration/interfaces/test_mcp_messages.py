"""What MCP clients write that is no message gets a reply, and the connection goes on."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.support.processes.mcp_client import line_client, message, tool_call
from tests.support.processes.service_process import running_service
from tests.support.vaults.indexed import Indexed

pytestmark = pytest.mark.integration

NO_JSON, NO_REQUEST = -32700, -32600


def call(number: object, query: object) -> bytes:
    return tool_call(number, "semantic_search", query=query)


BROKEN: list[tuple[bytes, object, int]] = [
    (b"garbage", None, NO_JSON),
    (b"\xff\xfe{}", None, NO_JSON),
    (b'{"jsonrpc": "2.0", "id": 10, "method": "ping\xff"}', None, NO_JSON),
    (b"[" * 100_000, None, NO_JSON),
    (b"[]", None, NO_REQUEST),
    (b"{}", None, NO_REQUEST),
    (b'"ping"', None, NO_REQUEST),
    (call(11, "\ud800"), 11, NO_JSON),
    (call(None, "tea"), None, NO_REQUEST),
    (call(1.5, "tea"), None, NO_REQUEST),
    (call(True, "tea"), None, NO_REQUEST),
    (call([], "tea"), None, NO_REQUEST),
    (b'{"id": 12, "method": "ping"}', 12, NO_REQUEST),
    (message(id=13, method=7), 13, NO_REQUEST),
    (message(id=14), 14, NO_REQUEST),
    (call(15, "x" * 5_000_000), 15, NO_REQUEST),
]


@pytest.fixture(scope="module", params=["alone", "beside a service process"])
def variables(indexed: Indexed, request: pytest.FixtureRequest) -> Iterator[Mapping[str, str]]:
    made = indexed.environment
    if request.param == "alone":
        yield made
        return
    with running_service(made):
        yield made


def replies_to(lines: list[bytes], variables: Mapping[str, str]) -> list[dict[str, Any]]:
    """What a client reads that writes these lines and goes on: one reply to each."""
    with line_client(variables) as client:
        client.write(*lines, message(id=99, method="ping"))
        replies = [client.read() for _ in range(len(lines) + 1)]
        assert client.hang_up() == b""
    return replies


def test_what_is_no_message_is_told_so(variables: Mapping[str, str]) -> None:
    lines = [line for line, _, _ in BROKEN]
    replies = replies_to(lines, variables)
    told = [
        (reply["id"], reply["error"]["code"], "\n" in reply["error"]["message"])
        for reply in replies
        if "error" in reply
    ]
    expected = [(request, code, False) for _, request, code in BROKEN]
    assert sorted(told, key=repr) == sorted(expected, key=repr)
    assert {reply["id"] for reply in replies if "result" in reply} == {99}


def test_what_is_nested_too_deep_is_told_so(variables: Mapping[str, str]) -> None:
    deep: object = "tea"
    for _ in range(900):
        deep = [deep]
    replies = {reply["id"]: reply for reply in replies_to([call(1, deep)], variables)}
    assert replies.keys() >= {99}
    refused = replies.get(1) or replies[None]
    assert "error" in refused or refused["result"]["isError"]
