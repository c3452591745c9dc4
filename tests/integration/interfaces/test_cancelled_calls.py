"""A call that its client cancels, or leaves, ends soon, and what was done is kept."""

import random
from collections.abc import Callable, Iterator, Mapping

import httpx
import pytest

from graphs.contradictions.progress import is_scanning
from graphs.toolkit.audit_log.log import AuditLog, calls_in
from tests.support.processes.mcp_client import LineClient, line_client, message, tool_call
from tests.support.processes.service_process import call, headers, over_socket, running_service
from tests.support.vaults.indexed import Indexed, of_notes
from tests.support.waiting import until
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

THINGS = ("tea", "bread", "soil", "lamp", "heron", "pump", "bridge", "wheel", "glass", "river")
VERBS = ("improves", "worsens", "needs", "costs", "heats", "cools", "breaks", "mends")


def long_note(seed: int) -> str:
    drawn = random.Random(seed)  # noqa: S311 - only a test
    lines = (
        f"- The {drawn.choice(THINGS)} {drawn.choice(VERBS)} the {drawn.choice(THINGS)} {number}."
        for number in range(400)
    )
    return "\n".join(lines)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    notes = {f"Log {number}.md": long_note(number) for number in range(5)}
    yield from of_notes(notes, tmp_path_factory)


@pytest.fixture(autouse=True)
def _nothing_compared(vault: Indexed) -> None:
    for file in vault.data_dir.glob("contradictions.db*"):
        file.unlink()


@pytest.fixture(params=["alone", "beside a service process"])
def variables(vault: Indexed, request: pytest.FixtureRequest) -> Iterator[Mapping[str, str]]:
    if request.param == "alone":
        yield vault.environment
        return
    with running_service(vault.environment):
        yield vault.environment


def scanning(vault: Indexed) -> bool:
    return is_scanning(load_settings(vault=vault.vault, data_dir=vault.data_dir))


def outcomes(vault: Indexed) -> list[str | None]:
    """The errors that the scans so far ended with."""
    log = AuditLog(vault.data_dir / "audit")
    return [one.error for one in calls_in(log.read()) if one.tool == "contradictions"]


def cancel(client: LineClient) -> None:
    client.write(message(method="notifications/cancelled", params={"requestId": 7}))


def hang_up(client: LineClient) -> None:
    assert client.process.stdin
    assert client.process.stdout
    client.process.stdin.close()
    client.process.stdout.close()


def die(client: LineClient) -> None:
    client.process.kill()


@pytest.mark.parametrize("leave", [cancel, hang_up, die])
def test_a_scan_ends_with_its_call(
    vault: Indexed, variables: Mapping[str, str], leave: Callable[[LineClient], None]
) -> None:
    before = len(outcomes(vault))
    with line_client(variables) as client:
        client.write(tool_call(7, "contradictions", compare=True))
        until(lambda: scanning(vault))
        leave(client)
        until(lambda: not scanning(vault), seconds=60)
        if leave is not die:  # which may have been the process that would tell
            until(lambda: len(outcomes(vault)) > before)
        assert set(outcomes(vault)[before:]) <= {"CancelledError"}
        if leave is cancel:
            client.write(message(id=8, method="ping"))
            assert client.read()["id"] == 8


def test_a_scan_ends_with_the_connection_of_its_client(vault: Indexed) -> None:
    body = call("", tool="contradictions")
    body["params"]["arguments"] = {"compare": True}
    before = len(outcomes(vault))
    with running_service(vault.environment) as serving:
        sent = headers(serving.token, **{"Mcp-Name": "contradictions"})
        with over_socket(serving.socket) as client, pytest.raises(httpx.ReadTimeout):
            client.post("/mcp", json=body, headers=sent, timeout=1.5)
        until(lambda: len(outcomes(vault)) > before)
        assert outcomes(vault)[before:] == ["CancelledError"]
        with over_socket(serving.socket) as client:
            assert client.get("/health", headers=sent).status_code == 200
