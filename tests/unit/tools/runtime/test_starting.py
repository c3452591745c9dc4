"""A server that several sources want at once is started once by a process."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.runtime import services
from tools.runtime.services import Service, starting


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The servers that were started: programs that wait."""
    made: list[subprocess.Popen[bytes]] = []

    def launch(_: Service) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
        made.append(subprocess.Popen(command, stdin=subprocess.PIPE))
        return made[-1]

    monkeypatch.setattr(services, "launch", launch)
    yield made
    for one in made:
        one.communicate()


def service(folder: Path, name: str) -> Service:
    return Service(
        name=name,
        module="none",
        socket=folder / f"{name}.sock",
        arguments=("--data-dir", str(folder)),
    )


def test_it_is_started_once_however_many_ask(
    tmp_path: Path, launched: list[subprocess.Popen[bytes]]
) -> None:
    wanted = service(tmp_path, "semantic")
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(starting, [wanted] * 8))
    assert found == launched * 8
    assert starting(service(tmp_path, "graph")) is launched[1]


def test_one_that_has_ended_is_started_anew(
    tmp_path: Path, launched: list[subprocess.Popen[bytes]]
) -> None:
    wanted = service(tmp_path, "semantic")
    starting(wanted).communicate()
    assert starting(wanted) is launched[1]
