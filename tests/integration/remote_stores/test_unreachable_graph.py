"""What the commands say where the graph's address connects and is silent: search goes on."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from graphs.cli.output.exit_codes import OK
from tests.support.processes.command_line import environment, run_here
from tests.support.servers.silent_server import silent_server

pytestmark = pytest.mark.integration

LINE = ("search still works", "BRAIN_GRAPH_URI")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where a vault and its data are; what a graph lacks is no part of them."""
    folder = tmp_path_factory.mktemp("unreachable")
    (folder / "vault").mkdir()
    (folder / "vault" / "Tea.md").write_text("causes:: [[Sleep]]", "utf-8")
    (folder / "vault" / "Sleep.md").write_text("Tea ends it.", "utf-8")
    yield folder
    run_here("stop", environment=environment(folder / "vault", folder / "data"))


@pytest.fixture(params=["falkor", "neo4j"])
def given(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Mapping[str, str]]:
    monkeypatch.setattr("graphs.core.graph_backends.CONTACT_SECONDS", 0.2)
    with silent_server() as server:
        uri = f"{request.param}://127.0.0.1:{server.port}"
        patience = {"BRAIN_SOURCE_TIMEOUT": "1"}
        where = environment(folder / "vault", folder / "data")
        yield {**where, **patience, "BRAIN_GRAPH_URI": uri}


def test_a_silent_graph_costs_its_own_part_alone(given: Mapping[str, str]) -> None:
    indexed = run_here("index", "--json", environment=given)
    report = json.loads(indexed.stdout)
    assert indexed.returncode == OK
    assert (report["notes"], report["graph_written"]) == (2, 0)
    lost = {warning["source"]: warning["error"] for warning in report["warnings"]}
    assert all(part in lost["graph"] for part in LINE)

    shown = run_here("status", "--json", environment=given)
    status = json.loads(shown.stdout)
    assert status["servers"]["graph"] is False
    assert all(part in status["graph_problem"] for part in LINE)
    words = run_here("status", environment=given).stdout
    assert all(part in " ".join(words.split()) for part in LINE)

    asked = run_here(
        "ask", "Give me an overview of everything about Tea", "--json", environment=given
    )
    answer = json.loads(asked.stdout)
    assert answer["status"] == "answered"
    assert [one["source"] for one in answer["warnings"]].count("graph") == 1
    error = next(one["error"] for one in answer["warnings"] if one["source"] == "graph")
    assert all(part in error for part in LINE)

    facts = run_here("facts", "Tea", environment=given)
    assert facts.returncode != OK
    assert all(part in facts.stderr for part in LINE)
