"""A `brain serve` of a test's own, as a process."""

import os
import re
import signal
import ssl
import subprocess
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

from graphs.service.client import MCP_PATH, socket_file, token_file
from tests.support.processes.command_line import BRAIN, environment, run_here
from tools.settings.sources import Place, find_place, run_dir_of

REVISION = "2026-07-28"
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Given to a client as ``verify``: each that has none reads all authorities, for 30 ms."""
TEA_NOTES = {
    "Tea.md": "# Tea\n\nTea is steeped for three minutes. #drink\n\nSee [[Water]].\n",
    "Water.md": "# Water\n\nTea water is heated to 80 degrees, because hotter is bitter.\n",
    "Coffee.md": "# Coffee\n\nCoffee is ground by hand. See [[Water]].\n",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceProcess:
    """A running service process. ``port`` is there where it was told to listen on one."""

    process: subprocess.Popen[str]
    data_dir: Path
    port: int | None

    @property
    def socket(self) -> Path:
        return socket_file(run_dir_of(self.data_dir))

    @property
    def token(self) -> str:
        return token_file(self.data_dir).read_text("ascii")

    def url(self, path: str = MCP_PATH) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def kill(self) -> None:
        """End the process at once, by force."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)

    def leftovers(self) -> list[str]:
        """Names of what only a running process may have in its folder."""
        found = (self.socket, self.socket.with_suffix(".pid"))
        return [file.name for file in found if file.exists()]


@contextmanager
def tea_vault(folder: Path, *, data: str = "data") -> Generator[dict[str, str]]:
    """The settings of an indexed vault of ``TEA_NOTES``; its servers end with the block.

    ``data`` names the data directory.
    """
    (folder / "vault").mkdir()
    for name, text in TEA_NOTES.items():
        (folder / "vault" / name).write_text(text, "utf-8")
    made = environment(folder / "vault", folder / data)
    assert run_here("index", environment=made).returncode == 0
    yield made
    run_here("stop", environment=made)


@contextmanager
def running_service(
    variables: Mapping[str, str], *arguments: str, command: tuple[str, ...] = (BRAIN,)
) -> Generator[ServiceProcess]:
    """Start it, and hand it out when it answers; it is gone when the block ends."""
    process = subprocess.Popen(
        [*command, "serve", *arguments],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        said = process.stdout.readline()
        assert said.startswith("Answering for"), process.stderr.read()
        port = re.search(r":(\d+)/", said)
        yield ServiceProcess(
            process=process,
            data_dir=Path(variables["BRAIN_DATA_DIR"]),
            port=int(port.group(1)) if port else None,
        )
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)
        process.stdout.close()
        process.stderr.close()


class SharedService:
    """A `brain serve` for many tests; after one that ends it, the next finds a new one."""

    def __init__(
        self, variables: Mapping[str, str], *arguments: str, command: tuple[str, ...] = (BRAIN,)
    ) -> None:
        self._variables, self._arguments, self._command = variables, arguments, command
        self._ending = ExitStack()
        self._running: ServiceProcess | None = None

    def running(self) -> ServiceProcess:
        """The one that runs, started where none does."""
        if self._running is None or self._running.process.poll() is not None:
            self.end()
            one = running_service(self._variables, *self._arguments, command=self._command)
            self._running = self._ending.enter_context(one)
        return self._running

    def end(self) -> None:
        """Make place for one with other settings."""
        self._ending.close()
        self._running = None


@contextmanager
def shared_service(
    variables: Mapping[str, str], *arguments: str, command: tuple[str, ...] = (BRAIN,)
) -> Generator[SharedService]:
    """What a fixture of a module does; a test takes ``running()`` of it."""
    shared = SharedService(variables, *arguments, command=command)
    yield shared
    shared.end()


@contextmanager
def locked_out(variables: Mapping[str, str]) -> Generator[None]:
    """No client can ask the service process for the time of the block."""
    token = token_file(Path(variables["BRAIN_DATA_DIR"]))
    aside = token.rename(token.with_suffix(".aside"))
    try:
        yield
    finally:
        aside.rename(token)


def place_of(variables: Mapping[str, str]) -> Place:
    """Where a process with these variables looks for the vault and its service process."""
    with patch.dict(os.environ, variables):
        found = find_place({})
    assert found is not None
    return found


def headers(token: str | None, **others: str) -> dict[str, str]:
    """What a client sends that calls the tool, with a token where one is given."""
    sent = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "ask",
    }
    if token is not None:
        sent["Authorization"] = f"Bearer {token}"
    return sent | others


def call(question: str, *, tool: str = "ask", **arguments: object) -> dict[str, Any]:
    """The body of a call."""
    prefix = "io.modelcontextprotocol/"
    capable: dict[str, object] = {}
    meta = {f"{prefix}protocolVersion": REVISION, f"{prefix}clientCapabilities": capable}
    given = {"question": question, **arguments}
    params: dict[str, object] = {"name": tool, "arguments": given, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def over_socket(socket: Path) -> httpx.Client:
    """A client of the Unix socket."""
    transport = httpx.HTTPTransport(uds=str(socket), verify=NO_TLS)
    return httpx.Client(transport=transport, base_url="http://localhost", timeout=30)
