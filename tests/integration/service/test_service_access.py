"""Who may ask the service process: its owner's programs, and nobody else on the machine or web."""

import http.server
import json
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from tests.support.processes.another_user import (
    SYSTEM_PYTHON,
    as_root,
    run_as_nobody,
    with_system_python,
)
from tests.support.processes.browser import browser
from tests.support.processes.command_line import environment, run_here
from tests.support.processes.service_process import (
    NO_TLS,
    ServiceProcess,
    call,
    headers,
    over_socket,
    running_service,
)
from tests.support.waiting import until

pytestmark = pytest.mark.integration

FLOWERPOT = "The spare key lies under the blue flowerpot."


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A folder that every user can enter, so that only our own modes keep them out."""
    folder = Path(tempfile.mkdtemp(prefix="brain-test-"))
    folder.chmod(0o755)
    (folder / "vault").mkdir()
    (folder / "vault" / "Spare key.md").write_text(f"# Spare key\n\n{FLOWERPOT}\n", "utf-8")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def serving(home: Path) -> Iterator[ServiceProcess]:
    variables = environment(home / "vault", home / "data")
    assert run_here("index", environment=variables).returncode == 0
    with running_service(variables, "--port", "0") as running:
        yield running
    run_here("stop", environment=variables)


@pytest.fixture(scope="module")
def by_port(serving: ServiceProcess) -> Iterator[httpx.Client]:
    """A client of the port, with a connection of its own for every request."""
    alone = httpx.Limits(max_keepalive_connections=0)
    with httpx.Client(base_url=serving.url(""), verify=NO_TLS, limits=alone, timeout=60) as client:
        yield client


def test_with_the_token_it_answers_on_both_ways_in(
    serving: ServiceProcess, by_port: httpx.Client
) -> None:
    body = call("Where is the spare key?", mode="local")
    with over_socket(serving.socket) as client:
        by_socket = client.post("/mcp", json=body, headers=headers(serving.token))
    on_port = by_port.post("/mcp", json=body, headers=headers(serving.token))
    for reply in (by_socket, on_port):
        assert reply.status_code == 200
        assert FLOWERPOT in reply.json()["result"]["structuredContent"]["answer"]


@pytest.mark.parametrize("path", ["/mcp", "/health", "/", "/anything"])
@pytest.mark.parametrize("token", [None, "wrong", "x" * 43])
def test_without_the_token_nothing_is_said(
    serving: ServiceProcess, by_port: httpx.Client, path: str, token: str | None
) -> None:
    body = call("Where is the spare key?")
    with over_socket(serving.socket) as client:
        replies = [
            client.post(path, json=body, headers=headers(token)),
            client.get(path, headers=headers(token)),
            by_port.post(path, json=body, headers=headers(token)),
            by_port.options(path, headers=headers(token)),
        ]
    assert {(reply.status_code, reply.text) for reply in replies} == {(401, "Unauthorized")}


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "", "http://localhost", "http://127.0.0.1", "app://x"],
)
def test_a_page_is_refused_whatever_it_knows(
    serving: ServiceProcess, by_port: httpx.Client, origin: str
) -> None:
    body = call("Where is the spare key?")
    sent = headers(serving.token, Origin=origin)
    with over_socket(serving.socket) as client:
        replies = [
            client.post("/mcp", json=body, headers=sent),
            by_port.post("/mcp", json=body, headers=sent),
            by_port.get("/health", headers=sent),
        ]
    for reply in replies:
        assert (reply.status_code, reply.text) == (403, "Forbidden")
        assert not [name for name in reply.headers if name.startswith("access-control")]


def test_a_preflight_grants_nothing(serving: ServiceProcess, by_port: httpx.Client) -> None:
    asked = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
        "Access-Control-Request-Private-Network": "true",
    }
    reply = by_port.options("/mcp", headers=asked)
    assert reply.status_code == 403
    assert not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example", ""])
@pytest.mark.parametrize("path", ["/mcp", "/health"])
def test_a_name_that_was_rebound_to_this_machine_is_refused(
    serving: ServiceProcess, by_port: httpx.Client, host: str, path: str
) -> None:
    body = call("Where is the spare key?")
    reply = by_port.post(path, json=body, headers=headers(serving.token, Host=host))
    assert 400 <= reply.status_code < 500
    assert FLOWERPOT not in reply.text


def test_a_page_in_a_browser_reads_nothing(serving: ServiceProcess, tmp_path: Path) -> None:
    tries = """(async (address, token, body) => {
      const said = [];
      const read = reply => reply.text();
      const json = {"content-type": "application/json", authorization: `Bearer ${token}`};
      const plain = {"content-type": "text/plain"};
      for (const [path, more] of [
        ["/health", {}], ["/mcp", {}],
        ["/health", {headers: json}], ["/mcp", {method: "POST", headers: json, body}],
        ["/mcp", {method: "POST", headers: plain, body}],
        ["/mcp", {method: "POST", mode: "no-cors", headers: plain, body}],
        ["/health", {mode: "no-cors"}],
      ]) said.push(await fetch(address + path, more).then(read).catch(() => ""));
      said.push(await new Promise(done => {
        const events = new EventSource(address + "/mcp");
        events.onmessage = event => done(event.data);
        events.onerror = () => { events.close(); done(""); };
      }));
      said.push(await new Promise(done => {
        const line = new WebSocket(address.replace("http", "ws") + "/mcp");
        line.onopen = () => done("open");
        line.onerror = () => done("");
      }));
      said.push(await new Promise(done => {
        const script = document.createElement("script");
        script.onload = () => done("ran");
        script.onerror = () => done("");
        script.src = address + "/mcp";
        document.head.append(script);
      }));
      return said;
    })"""
    given = (serving.url("")), serving.token, json.dumps(call("Where is the spare key?"))
    expression = f"{tries}({', '.join(map(json.dumps, given))})"
    (tmp_path / "page.html").write_text("<!doctype html><title>x</title>", "utf-8")
    with _web(tmp_path) as address, browser() as page:
        for url in ((tmp_path / "page.html").as_uri(), f"{address}/page.html"):
            page.visit(url)
            assert page.run(expression) == [""] * 10
    with over_socket(serving.socket) as client:
        assert client.get("/health", headers=headers(serving.token)).status_code == 200


@contextmanager
def _web(folder: Path) -> Generator[str]:
    """A web server of a page's own, elsewhere than the service's port."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *given: object) -> None:
            super().__init__(*given, directory=str(folder))  # pyright: ignore[reportArgumentType]

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@as_root
@with_system_python
def test_another_user_of_the_machine_is_kept_out(serving: ServiceProcess, home: Path) -> None:
    script = """
import http.client, json, socket, sys
sock, token, port = sys.argv[1:]
said = []
try:
    socket.socket(socket.AF_UNIX).connect(sock)
    said.append("connected")
except OSError as error:
    said.append(type(error).__name__)
try:
    said.append(open(token).read())
except OSError as error:
    said.append(type(error).__name__)
for given in ({}, {"Authorization": "Bearer guess"}):
    line = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
    line.request("POST", "/mcp", "{}", {"Content-Type": "application/json", **given})
    said.append(line.getresponse().status)
print(json.dumps(said))
"""
    told = (str(serving.socket), str(serving.data_dir / "serve.token"), str(serving.port))
    done = run_as_nobody(SYSTEM_PYTHON, "-I", "-c", script, *told)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["PermissionError", "PermissionError", 401, 401]
    seen = run_as_nobody("ls", home / "data")
    assert (seen.returncode != 0, seen.stdout) == (True, "")


def test_nothing_of_it_is_open_to_others(serving: ServiceProcess) -> None:
    files = (
        serving.data_dir,
        serving.socket.parent,
        serving.socket,
        serving.socket.with_suffix(".pid"),
        serving.data_dir / "serve.token",
    )
    assert [file.name for file in files if file.stat().st_mode & 0o077] == []


# --- what no client sends ----------------------------------------------------------------------


def answers_still(serving: ServiceProcess) -> bool:
    with over_socket(serving.socket) as client:
        asked = call("Where is the spare key?", mode="local")
        reply = client.post("/mcp", json=asked, headers=headers(serving.token))
        return FLOWERPOT in reply.text


@pytest.fixture(scope="module", autouse=True)
def half_asked(serving: ServiceProcess) -> Iterator[tuple[list[socket.socket], bool]]:
    """Connections that ask nothing or half a request, and whether they held another one up.

    They are there from the first test on, because it takes long until they are hung up on.
    """
    assert serving.port is not None
    with ExitStack() as connections:
        idle = [
            connections.enter_context(socket.create_connection(("127.0.0.1", serving.port)))
            for _ in range(50)
        ]
        for one in idle[::2]:
            one.sendall(b"POST /mcp HTTP/1.1\r\nHost: local")
        yield idle, not answers_still(serving)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"{}",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
    ],
)
def test_garbage_is_refused(serving: ServiceProcess, by_port: httpx.Client, content: bytes) -> None:
    sent = headers(serving.token)
    reply = by_port.post("/mcp", content=content, headers=sent)
    assert 400 <= reply.status_code < 500
    assert "Traceback" not in reply.text
    assert answers_still(serving)


def test_a_huge_body_is_refused_unread(serving: ServiceProcess, by_port: httpx.Client) -> None:
    body = json.dumps(call("x" * 5_000_000))
    reply = by_port.post("/mcp", content=body, headers=headers(serving.token))
    assert reply.status_code == 413
    with suppress(httpx.HTTPError):  # it may hang up before all is sent
        reply = by_port.post("/mcp", content=body, headers=headers(None))
        assert reply.status_code == 401
    assert answers_still(serving)


def test_getting_the_tool_s_address_hangs_nobody(
    serving: ServiceProcess, by_port: httpx.Client
) -> None:
    for revision in ("2026-07-28", "2025-06-18"):
        sent = headers(serving.token) | {"MCP-Protocol-Version": revision}
        assert by_port.get("/mcp", headers=sent).status_code == 405


def test_another_tool_and_wrong_arguments_are_told(
    serving: ServiceProcess, by_port: httpx.Client
) -> None:
    def said(body: dict[str, object], name: str = "ask") -> str:
        sent = headers(serving.token) | {"Mcp-Name": name}
        reply = by_port.post("/mcp", json=body, headers=sent).json()
        assert "Traceback" not in str(reply)
        return str(reply.get("error") or reply["result"]["structuredContent"])

    assert "no tool 'rm'" in said(call("x", tool="rm"), "rm")
    assert "limit" in said(call("What is a key?", limit="many"))
    assert "InputError" in said(call("What is a key?", nonsense=1))
    assert "Nothing was asked" in said(call(""))


def test_a_stranger_s_many_connections_keep_nobody_from_the_socket(serving: ServiceProcess) -> None:
    assert serving.port is not None
    asked = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as connections:
        strangers = [
            connections.enter_context(socket.create_connection(("127.0.0.1", serving.port)))
            for _ in range(300)
        ]
        for one in strangers:
            with suppress(ConnectionError):  # it was one too many
                one.sendall(b"" if one.fileno() % 2 else asked)
        assert answers_still(serving)
        lines = psutil.Process(serving.process.pid).net_connections("tcp4")
        assert sum(line.status == psutil.CONN_ESTABLISHED for line in lines) <= 64


def test_who_is_refused_is_hung_up_on(serving: ServiceProcess) -> None:
    assert serving.port is not None
    with socket.create_connection(("127.0.0.1", serving.port), timeout=20) as stranger:
        stranger.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        begun = time.monotonic()
        said = b"".join(iter(lambda: stranger.recv(1000), b""))
    assert b" 401 " in said
    assert time.monotonic() - begun < 5, "it waited for the rest, or for another question"


def test_a_client_that_leaves_midway_costs_only_its_answer(serving: ServiceProcess) -> None:
    body = json.dumps(call("Why is the spare key there?")).encode()
    lines = {**headers(serving.token), "Host": "localhost", "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    for sent in (body, body[:20]):
        with socket.socket(socket.AF_UNIX) as leaving:
            leaving.connect(str(serving.socket))
            leaving.sendall(f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + sent)
    assert answers_still(serving)


def test_a_new_token_counts_at_once(serving: ServiceProcess) -> None:
    before = serving.token
    (serving.data_dir / "serve.token").unlink()
    with over_socket(serving.socket) as client:
        for token in (before, "None"):
            assert client.get("/health", headers=headers(token)).status_code == 401
        variables = environment(serving.data_dir.parent / "vault", serving.data_dir)
        printed = run_here("serve", "--token", environment=variables).stdout.strip()
        assert printed == serving.token != before
        assert client.get("/health", headers=headers(before)).status_code == 401
        assert client.get("/health", headers=headers(printed)).status_code == 200
    until(lambda: answers_still(serving))


def test_who_asks_half_a_request_holds_nobody_up_and_is_hung_up_on(
    half_asked: tuple[list[socket.socket], bool],
) -> None:
    idle, held_up = half_asked
    assert not held_up
    for one in idle:
        one.settimeout(30)
        assert one.recv(100) == b""
