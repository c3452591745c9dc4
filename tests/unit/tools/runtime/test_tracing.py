"""Parts of a step are timed, and traced where that is switched on."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tools.base.errors import InputError
from tools.runtime import tracing
from tools.runtime.tracing import part, parts, span


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracing.trace_with(SimpleSpanProcessor(exporter))
    yield exporter
    tracing.end_tracing()


async def test_parts_of_all_tasks_count_for_their_step() -> None:
    async def work() -> None:
        with part("model"):
            await asyncio.sleep(0)

    with parts() as outer:
        with parts() as found:
            await asyncio.gather(work(), work())
        with part("lock"):
            pass
    assert set(found) == {"model"}
    assert found["model"] > 0
    assert set(outer) == {"lock"}


def test_a_part_of_no_step_is_nobodys() -> None:
    with part("model"):
        pass
    with parts() as found:
        pass
    assert found == {}


async def test_spans_stand_below_what_they_are_part_of(spans: InMemorySpanExporter) -> None:
    async def work() -> None:
        with part("model"):
            await asyncio.sleep(0)

    with span("ask") as asked:
        await asyncio.gather(work(), work())
        asked.set({"intent": "causal", "route": ["text"]})
    one, other, root = spans.get_finished_spans()
    assert root.name == "brain.ask"
    assert dict(root.attributes or {}) == {"brain.intent": "causal", "brain.route": ("text",)}
    for child in (one, other):
        assert child.name == "brain.model"
        assert child.parent == root.get_span_context()


def test_a_failure_is_told_by_its_kind_alone(spans: InMemorySpanExporter) -> None:
    with pytest.raises(InputError), span("ask"):
        raise InputError("Quillfeather")
    with pytest.raises(KeyError), span("clarify", passing=(KeyError,)):
        raise KeyError
    failed, passed = spans.get_finished_spans()
    assert (failed.status.is_ok, failed.status.description) == (False, "InputError")
    assert failed.events == ()
    assert "Quillfeather" not in failed.to_json()
    assert passed.status.description is None


def test_switched_off_nothing_of_it_is_imported() -> None:
    program = (
        "import sys; from tools.runtime.tracing import begin_tracing, span; begin_tracing('off')\n"
        "with span('ask') as one: one.set({'intent': 'causal'})\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_what_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)
    with pytest.raises(InputError, match="`otel`"):
        tracing.begin_tracing("otlp")
