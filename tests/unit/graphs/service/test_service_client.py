"""What a client makes of whatever answers, or does not, on the service process's socket."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from graphs.service.client import OtherSettingsError, ask_service, socket_file, token_file
from graphs.toolkit.request import QueryRequest
from tools.base.errors import InputError, ServiceUnavailableError
from tools.settings.sources import Place

ASKED = QueryRequest(question="What is tea?")
GOOD = {"status": "answered", "query": "What is tea?"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    data = tmp_path / "data"
    (data / "run").mkdir(parents=True, mode=0o700)
    (data / "run").chmod(0o700)
    found = Place(vault=tmp_path / "vault", data_dir=data, run_dir=data / "run", mark="mark")
    (data / "vault").write_bytes(os.fsencode(found.vault) + b"\n")
    token_file(data).write_text("token", "ascii")
    return found


@contextmanager
def serving(place: Place, *replies: bytes) -> Generator[list[bytes]]:
    """A server that gives one reply a connection, whatever is asked; hands out what was."""
    asked: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(socket_file(place.run_dir)))
        listening.listen()

        def serve() -> None:
            for reply in replies:
                connection, _ = listening.accept()
                with connection:
                    asked.append(connection.recv(1 << 16))
                    connection.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        yield asked
        thread.join(10)


def reply(content: object, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-type: x\r\n\r\n{json.dumps(content)}".encode()


def result(told: dict[str, Any], *, failed: bool = False) -> bytes:
    return reply({"result": {"structuredContent": told, "isError": failed}})


ALIVE = reply({"mark": "mark"})


def test_an_answer_is_what_the_process_says(place: Place) -> None:
    with serving(place, ALIVE, result(GOOD)) as asked:
        assert ask_service(place, ASKED) == GOOD
    assert all(b"\r\nAuthorization: Bearer token\r\n" in request for request in asked)
    assert not any(b"Origin" in request for request in asked)
    body = json.loads(asked[1].partition(b"\r\n\r\n")[2])
    assert body["params"]["arguments"]["question"] == "What is tea?"


def test_another_mark_is_another_process(place: Place) -> None:
    with serving(place, reply({"mark": "other"})), pytest.raises(OtherSettingsError):
        ask_service(place, ASKED)


@pytest.mark.parametrize(
    ("told", "kind"),
    [("InputError", InputError), ("ServiceUnavailableError", ServiceUnavailableError)],
)
def test_an_error_is_the_error(place: Place, told: str, kind: type[Exception]) -> None:
    said = result({"error": told, "message": "No."}, failed=True)
    with serving(place, ALIVE, said), pytest.raises(kind, match=r"^No\.$"):
        ask_service(place, ASKED)


@pytest.mark.parametrize(
    "replies",
    [
        (b"",),
        (b"garbage",),
        (reply({"mark": "mark"}, "401 Unauthorized"),),
        (reply({}),),
        (reply([]),),
        (reply("mark"),),
        (ALIVE, b""),
        (ALIVE, result(GOOD)[:-9]),
        (ALIVE, reply({"error": {"code": -32000}})),
        (ALIVE, reply({"result": None})),
        (ALIVE, reply({"result": {"structuredContent": GOOD}}, "500 Internal Server Error")),
        (ALIVE, result({"error": "BrainError", "message": "a defect"}, failed=True)),
        (ALIVE, result({"error": "Unheard", "message": "of"}, failed=True)),
        (ALIVE, result({"error": "annotations", "message": "of"}, failed=True)),
        (ALIVE, result({"error": None}, failed=True)),
    ],
)
def test_whatever_is_no_answer_is_none(place: Place, replies: tuple[bytes, ...]) -> None:
    with serving(place, *replies):
        assert ask_service(place, ASKED) is None


def _say(listening: socket.socket, reply: bytes) -> None:
    connection, _ = listening.accept()
    with connection:
        connection.recv(1 << 16)
        connection.sendall(reply)


@pytest.mark.parametrize(("there", "found"), [(ALIVE, GOOD), (b"", None)])
def test_a_long_answer_is_waited_for_while_somebody_makes_it(
    place: Place, monkeypatch: pytest.MonkeyPatch, there: bytes, found: object
) -> None:
    monkeypatch.setattr("graphs.service.client._LOOK_SECONDS", 0.5)

    def serve(listening: socket.socket) -> None:
        _say(listening, ALIVE)
        answering, _ = listening.accept()
        with answering:
            answering.recv(1 << 16)
            _say(listening, there)  # nothing else is said until the client has looked
            with suppress(OSError):
                answering.sendall(result(GOOD))

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(socket_file(place.run_dir)))
        listening.listen()
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        assert ask_service(place, ASKED) == found
        thread.join(10)


def _no_socket(place: Place) -> None:
    socket_file(place.run_dir).unlink()


def _a_file_instead(place: Place) -> None:
    socket_file(place.run_dir).unlink()
    socket_file(place.run_dir).write_text("x")


def _no_token(place: Place) -> None:
    token_file(place.data_dir).unlink()


def _broken_token(place: Place) -> None:
    token_file(place.data_dir).write_bytes(b"\xff")


def _of_another_vault(place: Place) -> None:
    (place.data_dir / "vault").write_bytes(b"/elsewhere\n")


def _run_dir_of_all(place: Place) -> None:
    place.data_dir.chmod(0o777)


@pytest.mark.parametrize(
    "happens",
    [
        *(_no_socket, _a_file_instead, _no_token, _broken_token, _of_another_vault),
        _run_dir_of_all,
    ],
)
def test_where_it_cannot_be_trusted_nothing_is_sent(
    place: Place, happens: Callable[[Place], None]
) -> None:
    with serving(place) as asked:
        happens(place)
        assert ask_service(place, ASKED) is None
    assert asked == []


@pytest.mark.parametrize(
    ("command", "shown"), [(("ask", "What is tea?"), "Tea.\n"), (("mcp", "--tier", "reader"), "")]
)
def test_a_command_beside_the_process_loads_nothing_heavy(
    place: Place, tmp_path: Path, command: tuple[str, ...], shown: str
) -> None:
    place.vault.mkdir()
    script = (
        "import sys\n"
        "import tools.settings.sources as sources\n"
        "found = sources.find_place\n"
        "from dataclasses import replace\n"
        "sources.find_place = lambda given: replace(found(given), mark='mark')\n"
        "from graphs.cli.main import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "heavy = {'pydantic', 'rich', 'asyncio', 'http.client', 'email', 'httpx', 'langgraph'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    arguments = [*command, "--vault", str(place.vault)]
    with serving(place, ALIVE, result({**GOOD, "answer": "Tea.\n", "clarification": None})):
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments, "--data-dir", str(place.data_dir)],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.stdout, done.stderr) == (shown, "[]\n")
