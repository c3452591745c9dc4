"""A whole index + ask run, native code and servers included, talks to this machine alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphs.query.retrieval.retrievers import SOURCES
from tests.support.processes.command_line import environment, run
from tests.support.processes.connections import LOCAL, seen

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(sys.platform != "linux", reason="watches calls with LD_PRELOAD"),
]

NOTES = {
    "Greenhouse.md": "# Greenhouse\n\nSee https://example.com/glass and [[Tomatoes]].\n",
    "Tomatoes.md": "# Tomatoes\n\n![](https://example.com/red.png)\n\nThe greenhouse is warm.\n",
}


def test_the_watcher_sees_a_connection_to_elsewhere(watcher: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    probe = (
        "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
        "s.connect(('192.0.2.1', 9))"  # a documentation address: a datagram socket sends nothing
    )
    watched = {**os.environ, "LD_PRELOAD": str(watcher), "LD_CONNECTIONS_LOG": str(log)}
    subprocess.run([sys.executable, "-c", probe], env=watched, check=True)
    assert seen(log) - LOCAL == {"192.0.2.1"}


def test_indexing_and_asking_connect_to_this_machine_only(
    watcher: Path, write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    watched = {
        **environment(write_vault(NOTES), tmp_path / "data", mode="auto"),
        "LD_PRELOAD": str(watcher),
        "LD_CONNECTIONS_LOG": str(log),
    }

    def brain(*arguments: str) -> str:
        done = run(*arguments, environment=watched)
        assert done.returncode == 0, done.stderr
        return done.stdout

    brain("index")
    answer = json.loads(
        brain("ask", "Give me an overview of everything about Greenhouse", "--json")
    )
    assert answer["sources_available"] == [*SOURCES]
    brain("stop")
    addresses = seen(log)
    assert "unix" in addresses
    assert addresses - LOCAL == set()
