"""``brain serve`` as two processes: either may end or hang, and nobody waits for it."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from graphs.service.client import ask_service
from graphs.service.request import QueryRequest
from tests.support.processes.command_line import run
from tests.support.processes.service_process import Resident, place_of, resident, tea_vault, until
from tools.settings.sources import Place

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has one process"),
]
QUESTION = QueryRequest(question="How long is tea steeped?", interactive=False)


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with tea_vault(tmp_path_factory.mktemp("pair")) as made:
        yield made


@pytest.fixture
def serving(variables: dict[str, str]) -> Iterator[Resident]:
    with resident(variables) as found:
        yield found


@pytest.fixture
def place(variables: dict[str, str]) -> Place:
    return place_of(variables)


def test_both_answer(serving: Resident, place: Place) -> None:
    pair = [psutil.Process(serving.process.pid), serving.second()]
    before = [process.cpu_times().user for process in pair]

    def both_worked() -> bool:
        with ThreadPoolExecutor(8) as clients:
            answers = list(clients.map(ask_service, [place] * 16, [QUESTION] * 16))
        assert all(answer and "three minutes" in answer["answer"] for answer in answers)
        spent = (process.cpu_times().user for process in pair)
        return all(now - then > 0.1 for now, then in zip(spent, before, strict=True))

    until(both_worked)


def test_without_the_second_the_first_goes_on(serving: Resident, place: Place) -> None:
    second = serving.second()
    second.kill()
    until(lambda: not second.is_running())
    assert ask_service(place, QUESTION) is not None


def test_with_the_first_the_second_ends_and_another_may_start(
    serving: Resident, variables: dict[str, str]
) -> None:
    second = serving.second()
    serving.process.kill()
    serving.process.wait(60)
    with resident(variables) as again:
        assert again.process.poll() is None
        second.wait(60)


def test_ending_it_ends_both(serving: Resident) -> None:
    second = serving.second()
    serving.process.terminate()
    assert serving.process.wait(60) == 0
    assert not second.is_running()


@pytest.mark.parametrize("first", [True, False])
def test_one_that_hangs_costs_a_while_and_no_answer(
    serving: Resident, variables: dict[str, str], *, first: bool
) -> None:
    second = serving.second()
    hanging = serving.process.pid if first else second.pid
    os.kill(hanging, signal.SIGSTOP)
    try:
        # Whichever of the two a connection reaches, the client has its answer.
        for _ in range(2):
            done = run("ask", "How long is tea steeped?", environment=variables)
            assert (done.returncode, done.stderr) == (0, "")
            assert "three minutes" in done.stdout
        # The first one cannot take note of its end while it is stopped itself.
        until(lambda: not second.is_running() or second.status() == psutil.STATUS_ZOMBIE)
    finally:
        if first:
            os.kill(hanging, signal.SIGCONT)
