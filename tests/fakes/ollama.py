"""A real HTTP server that speaks the part of Ollama's API this program uses.

Replies are scripted: a list served in order (its last one repeats), or a function of the prompt.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Literal, cast

from tests.fakes.serving import LoopbackServer, Server

type Reply = str | Mapping[str, object]
type Script = Sequence[Reply] | Callable[[str], Reply]
type Mode = Literal["normal", "slow", "wrong-json", "error", "hang"]

_STAMP = "2025-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One recorded call: method, path and the decoded body ({} for GET)."""

    method: str
    path: str
    body: Mapping[str, object]

    @property
    def prompt(self) -> str:
        """The last message's text, or an empty string."""
        messages = cast("list[dict[str, str]]", self.body.get("messages") or [{}])
        return messages[-1].get("content", "")


class FakeOllama(LoopbackServer):
    """``with FakeOllama(replies=[{"intent": "factual"}]) as server: server.url``.

    ``mode`` changes /api/chat only: "slow" sends a word each ``pause`` seconds, "wrong-json"
    sends text, "error" answers 500, "hang" sends nothing until the server is left.
    ``models`` are what is pulled; asking for another answers 404.
    """

    def __init__(
        self,
        *,
        replies: Script = ("{}",),
        mode: Mode = "normal",
        models: Sequence[str] = ("llama3.2:latest",),
        pause: float = 0.05,
        dimensions: int = 8,
    ) -> None:
        self.mode: Mode = mode
        self.models = tuple(models)
        self.pause = pause
        self.dimensions = dimensions
        self.requests: list[Request] = []
        self.leaving = threading.Event()
        self._replies = replies
        self._served = 0
        self._lock = threading.Lock()
        super().__init__(_Handler)

    @property
    def prompts(self) -> list[str]:
        """What the chat endpoint was asked, in order."""
        return [request.prompt for request in self.requests if request.path == "/api/chat"]

    def __exit__(self, *error: object) -> None:
        self.leaving.set()
        super().__exit__(*error)

    def record(self, request: Request) -> None:
        with self._lock:
            self.requests.append(request)

    def chat(self, body: Mapping[str, object]) -> str:
        """The text that a model would write to what the chat endpoint was sent."""
        return self.reply_to(Request(method="POST", path="/api/chat", body=body).prompt)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors made from the letters, so that equal texts have equal vectors."""
        return [_vector(text, self.dimensions) for text in texts]

    def reply_to(self, prompt: str) -> str:
        """The next scripted reply as the text a model would write."""
        with self._lock:
            if callable(self._replies):
                reply = self._replies(prompt)
            else:
                reply = self._replies[min(self._served, len(self._replies) - 1)]
            self._served += 1
        return reply if isinstance(reply, str) else json.dumps(reply)

    def has(self, name: object) -> bool:
        return name in self.models or f"{name}:latest" in self.models


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        fake = self._accept({})
        match self.path:
            case "/api/version":
                self._send(200, {"version": "0.0.0-fake"})
            case "/api/tags":
                self._send(200, {"models": [_listed(name) for name in fake.models]})
            case _:
                self._send(404, {"error": "not found"})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        sent = self.rfile.read(length)
        if len(sent) < length:  # whoever asked was killed within its question
            self.close_connection = True
            return
        body = cast("dict[str, object]", json.loads(sent or b"{}"))
        fake = self._accept(body)
        name = body.get("model")
        if self.path not in {"/api/chat", "/api/embed", "/api/show"}:
            self._send(404, {"error": "not found"})
        elif not fake.has(name):
            self._send(404, {"error": f"model '{name}' not found"})
        elif self.path == "/api/show":
            self._send(200, {"details": {"family": "fake"}, "model_info": {}, "capabilities": []})
        elif self.path == "/api/embed":
            self._send(200, {"model": name, "embeddings": fake.embed(_inputs(body))})
        else:
            self._chat(fake, body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the test's output clean."""

    def _accept(self, body: Mapping[str, object]) -> FakeOllama:
        fake = cast("FakeOllama", cast("Server", self.server).fake)
        # Closing after each answer lets the server's threads end with it.
        self.close_connection = True
        fake.record(Request(method=self.command, path=self.path, body=body))
        return fake

    def _chat(self, fake: FakeOllama, body: Mapping[str, object]) -> None:
        if fake.mode == "hang":
            fake.leaving.wait(30)
            return
        if fake.mode == "error":
            self._send(500, {"error": "the runner has stopped"})
            return
        wrong = fake.mode == "wrong-json"
        text = "Sure! It is probably factual." if wrong else fake.chat(body)
        if body.get("stream") is False:
            self._send(200, _message(body, text, done=True))
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Connection", "close")
        self.end_headers()
        middle = len(text) // 2
        for part in (text[:middle], text[middle:]):
            if fake.mode == "slow":
                fake.leaving.wait(fake.pause)
            if not self._line(_message(body, part, done=False)):
                return
        self._line(_message(body, "", done=True))

    def _line(self, value: Mapping[str, object]) -> bool:
        """Send one line; False when the client has gone."""
        try:
            self.wfile.write(json.dumps(value).encode() + b"\n")
            self.wfile.flush()
        except OSError:
            return False
        return True

    def _send(self, status: int, value: Mapping[str, object]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)


def _listed(name: str) -> dict[str, object]:
    return {"name": name, "model": name, "modified_at": _STAMP, "size": 1, "digest": "0" * 64}


def _message(body: Mapping[str, object], text: str, *, done: bool) -> dict[str, object]:
    message = {"role": "assistant", "content": text}
    ending: dict[str, object] = {"done_reason": "stop", "eval_count": 1} if done else {}
    return {
        "model": body.get("model"),
        "created_at": _STAMP,
        "message": message,
        "done": done,
        **ending,
    }


def _inputs(body: Mapping[str, object]) -> list[str]:
    given = cast("str | list[str]", body.get("input") or [])
    return [given] if isinstance(given, str) else given


def _vector(text: str, dimensions: int) -> list[float]:
    counts = [0.001] * dimensions
    for char in text:
        counts[ord(char) % dimensions] += 1.0
    length = sum(count * count for count in counts) ** 0.5
    return [count / length for count in counts]
