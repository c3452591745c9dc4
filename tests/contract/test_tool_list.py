import json

from graphs.mcp.listing import FILE
from tests.contract.tool_list import generated


def test_clients_are_told_of_the_tools_there_are() -> None:
    assert json.loads(FILE.read_text("utf-8")) == generated()
