"""What a run tells of itself: its phases, slow questions, logs without a text, spans."""

import asyncio
import json
import os
import signal
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext

from graphs.core.state import QueryContext
from graphs.core.timings import in_order, spent
from graphs.query.retrieval.retrievers import SOURCES
from tests.support.processes.command_line import environment, run, run_here
from tests.support.vaults.indexed import Indexed
from tools.runtime import tracing
from tools.runtime.process_name import name_process
from tools.runtime.services import semantic_service
from tools.settings.loading import load_settings

pytestmark = pytest.mark.integration

EVERYTHING = "Give me an overview of everything about Greenhouse"
SECRETS = ("Quillfeather", "Brackenthorpe", "Wimblecroft", "Zanzibarian", "Oddlefinch")


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.trace_with(SimpleSpanProcessor(exporter))
    yield exporter
    tracing.end_tracing()


def slow_lines(indexed: Indexed) -> list[dict[str, object]]:
    file = indexed.data_dir / "slow-questions.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


# --- timings -------------------------------------------------------------------------------


async def test_the_phases_of_a_question_account_for_its_time(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        await brain.ask(EVERYTHING)
        answer = await brain.ask(EVERYTHING)
    timings = answer.timings_ms
    phases = {"guard", "guard.wake", "guard.catch_up", "interpret", "merge", "read", "judge"}
    assert phases | {"answer"} <= timings.keys()
    assert spent(timings, beside=SOURCES) == pytest.approx(timings["total"], abs=1)
    assert timings["other"] < timings["total"] / 2
    assert max(timings["guard.wake"], timings["guard.catch_up"]) <= timings["guard"]


async def test_the_time_of_a_person_who_is_asked_back_does_not_count(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        back = await brain.ask(EVERYTHING, context=QueryContext(yolo=False))
        assert back.status == "needs_confirmation"
        answer = await brain.resume(back.thread_id, "1")
    assert {"guard", "interpret"} <= back.timings_ms.keys()
    assert spent(back.timings_ms, beside=SOURCES) == pytest.approx(back.timings_ms["total"], abs=1)
    assert answer.timings_ms["guard"] == back.timings_ms["guard"]
    assert spent(answer.timings_ms, beside=SOURCES) == pytest.approx(
        answer.timings_ms["total"], abs=1
    )


async def test_a_search_that_was_given_up_tells_how_long_it_took(indexed: Indexed) -> None:
    async with indexed.open(source_timeout=0.0001) as brain:
        answer = await brain.ask(EVERYTHING)
    assert set(answer.sources_failed) == set(SOURCES)
    assert all(answer.timings_ms[source] > 0 for source in answer.sources_failed)


async def test_the_phases_of_an_indexing_run_account_for_its_time(indexed: Indexed) -> None:
    async with indexed.open() as brain:
        report = await brain.index()
    phases = in_order(report.timings_ms, beside=())
    assert {"lock", "wake", "scan", "text", "graph", "vectors"} <= phases.keys()
    assert sum(phases.values()) == pytest.approx(report.timings_ms["total"], abs=1)
    assert phases["other"] < report.timings_ms["total"] / 2
    assert report.timings_ms["scan.wake"] >= phases["wake"]


# --- slow questions and status -------------------------------------------------------------


async def test_a_slow_question_is_kept_with_its_bottleneck_and_status_tells(
    indexed: Indexed,
) -> None:
    async with indexed.open(slow_ms=0.001) as brain:
        answer = await brain.ask(EVERYTHING)
    line = slow_lines(indexed)[-1]
    assert (line["total_ms"], line["intent"]) == (answer.timings_ms["total"], "exploratory")
    assert line["route"] == [*SOURCES]
    assert line["bottleneck"]
    assert "Greenhouse" not in json.dumps(line)
    before = len(slow_lines(indexed))
    async with indexed.open(slow_ms=600_000) as brain:
        await brain.ask(EVERYTHING)
    assert len(slow_lines(indexed)) == before


async def test_status_starts_no_server_and_a_question_that_waits_for_one_says_so(
    indexed: Indexed,
) -> None:
    async with indexed.open(slow_ms=0.001, source_timeout=1.0) as brain:
        await asyncio.to_thread(indexed.stop_servers)
        for _ in range(2):
            found = await asyncio.to_thread(
                run_here, "status", "--json", environment=indexed.environment
            )
            servers = json.loads(found.stdout)["servers"]
            assert servers == {"semantic": False, "graph": False, "serve": False}
        answer = await brain.ask(EVERYTHING)
    assert answer.timings_ms["guard.start_semantic"] > 0
    assert str(slow_lines(indexed)[-1]["bottleneck"]).startswith("guard.")


def test_status_tells_counts_the_last_run_and_the_processes(indexed: Indexed) -> None:
    brain = {**indexed.environment, "BRAIN_OLLAMA_URL": "http://127.0.0.1:9"}
    assert run_here("ask", EVERYTHING, environment=brain).returncode == 0  # with both servers
    shown = run_here("status", environment=brain)
    assert shown.returncode == 0
    assert len(shown.stdout.splitlines()) <= 25
    found = json.loads(run_here("status", "--json", environment=brain).stdout)
    assert found["vectors"] > 0
    assert found["relations"] > 0
    assert found["versions"] >= found["notes_indexed"]
    assert (found["changed"], found["changed_since"], found["under_way"]) == (0, None, False)
    assert found["last_run"]["complete"]["seconds"] > 0
    assert sum(found["problem_kinds"].values()) == found["problems"]
    services = {service["name"]: service for service in found["services"]}
    assert services.keys() == {"semantic", "graph", "serve"}
    for name in ("semantic", "graph"):
        assert services[name]["memory_bytes"] > 10_000_000
        os.kill(services[name]["pid"], 0)
        assert services[name]["started_at"]
    assert not services["serve"]["running"]
    assert "No Ollama server answers" in found["model_problem"]
    assert found["program"]["program"]


# --- logs ----------------------------------------------------------------------------------


def written(data_dir: Path) -> dict[str, str]:
    """Everything that is written about runs, by file."""
    files = [*(data_dir / "logs").iterdir(), *data_dir.glob("slow-*"), data_dir / "index-run.json"]
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    return {file.name: file.read_text("utf-8", "replace") for file in files}


def observed_run(vault: Path, data_dir: Path) -> dict[str, str]:
    """Index, ask, fail in several ways; what was written meanwhile."""
    notes = {
        "Quillfeather diary.md": "# Brackenthorpe\n\nThe key of Wimblecroft is in the shed.\n",
        "Shed.md": "See [[Quillfeather diary]]: Wimblecroft causes [[Brackenthorpe]].\n",
        "Broken Oddlefinch.md": "---\nsecret: [Zanzibarian\n---\nNo end of Zanzibarian.\n",
    }
    vault.mkdir()
    for name, text in notes.items():
        (vault / name).write_text(text, "utf-8")
    (vault / "Latin Oddlefinch.md").write_bytes(b"Zanzibarian caf\xe9\n")
    variables = {**environment(vault, data_dir), "BRAIN_SLOW_MS": "0.001", "BRAIN_LOG": "debug"}
    name_process("here")  # so that what libraries warn of is logged
    brain = partial(run_here, environment=variables)
    assert brain("index").returncode == 0
    run("ask", "Where is the key of Wimblecroft?", "--no-input", environment=variables, check=True)
    brain("ask", "Why Oddlefinch?", "--no-input")
    server = semantic_service(load_settings(vault=vault, data_dir=data_dir))
    os.kill(int(server.pid.read_text("ascii")), signal.SIGKILL)
    brain("ask", "Compare Wimblecroft and Brackenthorpe", "--no-input")
    failing = {**variables, "BRAIN_SOURCE_TIMEOUT": "0.0001"}
    run_here("ask", "What is Zanzibarian?", "--no-input", environment=failing)
    brain("facts", "Quillfeather diary")
    brain("doctor")
    assert brain("stop").returncode == 0
    return written(data_dir)


def test_no_word_of_a_note_or_a_question_is_logged(tmp_path: Path) -> None:
    files = observed_run(tmp_path / "vault", tmp_path / "data")
    for secret in SECRETS:
        assert [name for name, text in files.items() if secret.lower() in text.lower()] == []
    events = [json.loads(line) for line in files["brain.log"].splitlines()]
    told = {event["event"] for event in events}
    assert {"question", "phase", "index run", "source failed", "server started", "request"} <= told
    assert {event["process"] for event in events} >= {"cli", "here", "semantic", "graph"}
    assert all({"time", "level", "pid"} <= event.keys() for event in events)


def test_with_texts_asked_for_the_question_is_there(indexed: Indexed) -> None:
    texts = {"BRAIN_SLOW_MS": "0.001", "BRAIN_LOG": "debug", "BRAIN_LOG_TEXT": "1"}
    asked = "Where is the key of Wimblecroft?"
    done = run_here("ask", asked, "--no-input", environment=indexed.environment | texts)
    assert done.returncode == 0
    files = written(indexed.data_dir)
    assert asked in files["brain.log"]
    assert asked in files["slow-questions.jsonl"]


# --- spans ---------------------------------------------------------------------------------


def by_parent(spans: InMemorySpanExporter) -> dict[str, set[str]]:
    """The names of the spans below each."""
    done: tuple[ReadableSpan, ...] = spans.get_finished_spans()
    names = {_id(span.get_span_context()): span.name for span in done}
    found: dict[str, set[str]] = {}
    for span in done:
        parent = names[_id(span.parent)] if span.parent else ""
        found.setdefault(parent, set()).add(span.name)
    return found


def _id(context: SpanContext | None) -> int:
    assert context is not None
    return context.span_id


async def test_a_question_is_one_trace_of_its_phases(
    indexed: Indexed, spans: InMemorySpanExporter
) -> None:
    async with indexed.open() as brain:
        await brain.ask(EVERYTHING)
    tree = by_parent(spans)
    assert tree[""] == {"brain.ask"}
    phases = ("guard", "interpret", *SOURCES, "merge", "read", "judge", "answer")
    assert tree["brain.ask"] >= {f"brain.{name}" for name in phases}
    assert tree["brain.guard"] >= {"brain.wake", "brain.catch_up"}
    root = next(span for span in spans.get_finished_spans() if span.name == "brain.ask")
    told = dict(root.attributes or {})
    assert (told["brain.intent"], told["brain.status"]) == ("exploratory", "answered")
    assert told["brain.route"] == SOURCES
    assert all("Greenhouse" not in span.to_json() for span in spans.get_finished_spans())


async def test_a_search_that_fails_is_a_failed_span(
    indexed: Indexed, spans: InMemorySpanExporter
) -> None:
    async with indexed.open(source_timeout=0.0001) as brain:
        await brain.ask(EVERYTHING)
    failed = {span.name for span in spans.get_finished_spans() if not span.status.is_unset}
    assert {"brain.semantic", "brain.graph"} <= failed <= {f"brain.{one}" for one in SOURCES}


async def test_an_indexing_run_is_one_trace(indexed: Indexed, spans: InMemorySpanExporter) -> None:
    async with indexed.open() as brain:
        await brain.index()
    tree = by_parent(spans)
    assert tree[""] == {"brain.index"}
    assert tree["brain.index"] >= {
        f"brain.{name}" for name in ("wake", "scan", "text", "graph", "vectors")
    }


def test_spans_on_the_console_leave_the_answer_alone(indexed: Indexed) -> None:
    brain = {**indexed.environment, "BRAIN_OTEL": "console"}
    done = run("ask", EVERYTHING, "--json", environment=brain, check=True)
    assert json.loads(done.stdout)["status"] == "answered"
    assert '"name": "brain.ask"' in done.stderr
    assert "Greenhouse" not in done.stderr
