"""A real HTTP server that speaks the part of OpenAI's API that a chat model of LangChain's uses."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import cast

from tests.fakes.serving import LoopbackServer, Server


class FakeOpenAI(LoopbackServer):
    """``with FakeOpenAI(reply={"intent": "factual"}) as server: server.url``.

    Every chat is answered by ``reply``, or by ``status`` where that is an error. ``prompts`` are
    the last messages of the chats, in order.
    """

    def __init__(self, *, reply: Mapping[str, object], status: int = 200) -> None:
        self.prompts: list[str] = []
        self.reply, self.status = reply, status
        super().__init__(_Handler)

    @property
    def url(self) -> str:
        return f"{super().url}/v1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        fake = cast("FakeOpenAI", cast("Server", self.server).fake)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fake.prompts.append(str(body["messages"][-1]["content"]))
        message = {"role": "assistant", "content": json.dumps(fake.reply)}
        reply = {
            "id": "chat-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }
        content = json.dumps(reply).encode()
        self.send_response(fake.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Nothing is printed."""
