"""``brain serve`` or its client ends in the middle of an answer."""

import signal
import subprocess
from collections.abc import Iterator

import pytest

from graphs.service.client import ask_service
from graphs.service.request import QueryRequest
from tests.support.processes.command_line import BRAIN
from tests.support.processes.service_process import place_of, resident, tea_vault, until
from tests.support.servers.silent_server import SilentServer, silent_server

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with tea_vault(tmp_path_factory.mktemp("small")) as made:
        yield made


@pytest.fixture
def slow(variables: dict[str, str]) -> Iterator[tuple[dict[str, str], SilentServer]]:
    """Settings by which every question waits for a model that never says a word."""
    with silent_server() as server:
        address = f"http://127.0.0.1:{server.port}"
        yield (
            {
                **variables,
                "BRAIN_MODE": "llm",
                "BRAIN_OLLAMA_URL": address,
                "BRAIN_MODEL_TIMEOUT": "6",
            },
            server,
        )


def asking(variables: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [BRAIN, "ask", "How long is tea steeped?"],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_one_that_is_killed_in_an_answer_costs_no_answer(
    slow: tuple[dict[str, str], SilentServer],
) -> None:
    variables, model = slow
    with resident(variables) as serving:
        model.connections()
        client = asking(variables)
        until(model.connections)
        serving.process.kill()
        said, wrong = client.communicate(timeout=120)
    assert (client.returncode, wrong) == (0, "")
    assert "three minutes" in said


def test_ctrl_c_ends_the_client_and_not_the_resident(
    slow: tuple[dict[str, str], SilentServer],
) -> None:
    variables, model = slow
    with resident(variables) as serving:
        model.connections()
        client = asking(variables)
        until(model.connections)
        client.send_signal(signal.SIGINT)
        _, wrong = client.communicate(timeout=30)
        assert (client.returncode, wrong) == (130, "brain: stopped; what is done is kept.\n")
        asked = QueryRequest(question="How long is tea steeped?", mode="local")
        assert ask_service(place_of(variables), asked) is not None
        assert serving.process.poll() is None
