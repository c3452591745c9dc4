"""The Ollama adapter, against a real HTTP server through the real client."""

import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from agents.llm.language_model import probe
from agents.llm.ollama import ollama_model
from tests.fakes.ollama import FakeOllama
from tools.base.errors import ModelUnavailableError


class Verdict(BaseModel):
    word: Literal["yes", "no"]
    confidence: float = Field(ge=0, le=1)


GOOD = {"word": "yes", "confidence": 0.9}


@pytest.fixture
def closed_url() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


async def test_a_reply_becomes_a_value_of_the_schema() -> None:
    with FakeOllama(replies=[GOOD]) as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=5)
        assert await model("Is it so?", Verdict) == Verdict(word="yes", confidence=0.9)
        chat = next(request for request in server.requests if request.path == "/api/chat")
    assert chat.prompt == "Is it so?"
    assert chat.body["format"] == Verdict.model_json_schema()
    options = chat.body["options"]
    assert isinstance(options, dict)
    assert options["temperature"] == 0


async def test_one_bad_reply_is_shown_to_the_model_and_repaired() -> None:
    with FakeOllama(replies=[{"word": "perhaps", "confidence": 2}, GOOD]) as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=5)
        assert await model("Is it so?", Verdict) == Verdict(word="yes", confidence=0.9)
        first, second = server.prompts
    assert second.startswith(first)
    assert "could not be read" in second


async def test_two_bad_replies_are_the_end_of_it() -> None:
    with FakeOllama(mode="wrong-json") as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=5)
        with pytest.raises(ModelUnavailableError, match="wrong form"):
            await model("Is it so?", Verdict)
        assert len(server.prompts) == 2


async def test_a_server_error_is_one_line_without_the_servers_words() -> None:
    with FakeOllama(mode="error") as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=5)
        with pytest.raises(ModelUnavailableError) as caught:
            await model("Is it so?", Verdict)
    assert "500" in str(caught.value)
    assert "runner" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mode", ["hang", "slow"])
async def test_a_model_that_is_too_slow_is_left(mode: Literal["hang", "slow"]) -> None:
    import_module("langchain_ollama")  # its import alone would use up the time
    with FakeOllama(replies=[GOOD], mode=mode, pause=4) as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=1.5)
        with pytest.raises(ModelUnavailableError, match=r"within 1\.5 s"):
            await model("Is it so?", Verdict)
        assert server.prompts == ["Is it so?"]


async def test_a_slow_model_within_the_limit_still_answers() -> None:
    with FakeOllama(replies=[GOOD], mode="slow", pause=0.02) as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=5)
        assert (await model("Is it so?", Verdict)).word == "yes"


async def test_a_missing_model_names_the_command_that_gets_it() -> None:
    with FakeOllama(models=["phi4:latest"]) as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=5)
        with pytest.raises(ModelUnavailableError, match=r"ollama pull llama3\.2"):
            await model("Is it so?", Verdict)
        assert server.prompts == []


async def test_a_model_removed_after_the_probe_names_the_command_too() -> None:
    with FakeOllama() as server:
        await probe(server.url, "llama3.2", timeout=2)
        server.models = ()
        model = ollama_model(url=server.url, name="llama3.2", timeout=5)
        with pytest.raises(ModelUnavailableError, match=r"ollama pull llama3\.2"):
            await model("Is it so?", Verdict)


async def test_no_server_says_so_and_hides_credentials(closed_url: str) -> None:
    url = closed_url.replace("//", "//ada:secret@")
    model = ollama_model(url=url, name="llama3.2", timeout=5)
    with pytest.raises(ModelUnavailableError, match="ollama serve") as caught:
        await model("Is it so?", Verdict)
    assert "secret" not in str(caught.value)


async def test_an_error_has_a_reason_for_whoever_has_nothing_to_go_on_with(closed_url: str) -> None:
    found = await probe(closed_url, "llama3.2", timeout=2)
    with pytest.raises(ModelUnavailableError) as caught:
        await ollama_model(url=closed_url, name="llama3.2", timeout=5)("Is it so?", Verdict)
    assert "meanwhile" in str(caught.value)
    assert str(caught.value) == found.message
    assert caught.value.reason == found.reason
    assert found.reason.endswith("start it with `ollama serve`.")
    assert ModelUnavailableError("No model.").reason == "No model."


@pytest.mark.parametrize("mode", ["wrong-json", "error", "hang"])
async def test_no_reason_promises_what_works_meanwhile(
    mode: Literal["wrong-json", "error", "hang"],
) -> None:
    import_module("langchain_ollama")  # its import alone would use up the time
    with FakeOllama(mode=mode) as server:
        model = ollama_model(url=server.url, name="llama3.2", timeout=0.4)
        with pytest.raises(ModelUnavailableError) as caught:
            await model("Is it so?", Verdict)
    assert "meanwhile" not in caught.value.reason
    assert str(caught.value).startswith(caught.value.reason.removesuffix("."))


async def test_a_server_that_goes_away_after_the_probe_says_so() -> None:
    with FakeOllama() as server:
        url = server.url
        assert (await probe(url, "llama3.2", timeout=2)).has_model
    model = ollama_model(url=url, name="llama3.2", timeout=5)
    with pytest.raises(ModelUnavailableError, match="ollama serve"):
        await model("Is it so?", Verdict)


@pytest.mark.parametrize(
    ("name", "present"),
    [("llama3.2", True), ("llama3.2:latest", True), ("llama3.2:1b", False), ("phi4:14b", True)],
)
async def test_probe_knows_a_model_with_and_without_its_tag(name: str, present: bool) -> None:
    with FakeOllama(models=["llama3.2:latest", "phi4:14b"]) as server:
        found = await probe(server.url, name, timeout=2)
    assert (found.running, found.has_model) == (True, present)
    assert ("ollama pull" in found.message) is not present


async def test_probe_is_remembered_for_a_short_time_only() -> None:
    with FakeOllama() as server:
        await probe(server.url, "llama3.2", timeout=2)
        await probe(server.url, "llama3.2", timeout=2)
        assert len(server.requests) == 1
        url = server.url
    assert (await probe(url, "llama3.2")).running
    assert not (await probe(url, "llama3.2", max_age=0)).running


@pytest.mark.parametrize("url", ["", "not a url", "http://[bad", "http://127.0.0.1:notaport"])
async def test_probe_survives_an_unusable_address(url: str) -> None:
    found = await probe(url, "llama3.2")
    assert not found.running
    assert (
        "BRAIN_OLLAMA_URL" in found.message or "127.0.0.1" in found.message or url in found.message
    )


def test_importing_the_module_imports_no_client() -> None:
    code = "import sys, agents.llm.ollama; print('langchain_ollama' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


async def test_the_fake_embeds_equal_texts_equally() -> None:
    import httpx

    with FakeOllama() as server:
        async with httpx.AsyncClient(trust_env=False) as client:
            body = {"model": "llama3.2", "input": ["one", "two", "one"]}
            reply = await client.post(f"{server.url}/api/embed", json=body)
            version = await client.get(f"{server.url}/api/version")
    first, second, third = reply.json()["embeddings"]
    assert first == third != second
    assert "version" in version.json()


@pytest.mark.parametrize("body", [b"", b"<html>\n", b"[]\n", b'{"message": 3}\n'])
async def test_a_server_that_is_no_ollama_costs_no_answer(body: bytes) -> None:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

        def do_GET(self) -> None:
            self._send(b'{"models": [{"name": "llama3.2:latest"}]}')

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self._send(body)

        def _send(self, content: bytes) -> None:
            self.send_response(200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(ModelUnavailableError, match="no reply of Ollama's"):
            await ollama_model(url=url, name="llama3.2", timeout=5)("Well?", Verdict)
        server.shutdown()
