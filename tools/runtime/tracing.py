"""Where time goes: the parts of a step, and OpenTelemetry spans where a setting asks for them.

Nothing of OpenTelemetry is imported unless it is switched on. Spans go to a provider of our own:
libraries that trace themselves find none, so what they would tell of texts goes nowhere.
"""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from tools.base.errors import InputError
from tools.base.extras import to_install
from tools.settings.kinds import Tracing

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span as OtelSpan
    from opentelemetry.trace import Tracer

type Attribute = str | int | float | bool | Sequence[str]

_SEND_SECONDS = 2
"""How long the end of a command waits for a collector that does not answer."""

_parts: ContextVar[dict[str, float] | None] = ContextVar("parts", default=None)
_tracer: "Tracer | None" = None


class Span:
    """A stretch of work under way; without OpenTelemetry it keeps nothing."""

    def __init__(self, told: "OtelSpan | None" = None) -> None:
        self._told = told

    def set(self, attributes: Mapping[str, Attribute]) -> None:
        """Add attributes; their names get the prefix ``brain.``."""
        if self._told is not None:
            for name, value in attributes.items():
                self._told.set_attribute(f"brain.{name}", value)

    def fail(self, error: BaseException) -> None:
        """Mark it as failed, by the kind of the error: its words may quote a note."""
        if self._told is not None:
            from opentelemetry.trace import StatusCode

            self._told.set_status(StatusCode.ERROR, type(error).__name__)


_NOTHING = Span()


@contextmanager
def span(name: str, *, passing: tuple[type[BaseException], ...] = ()) -> Generator[Span]:
    """Trace a block as ``brain.<name>``; exceptions other than ``passing`` are failures of it."""
    if _tracer is None:
        yield _NOTHING
        return
    with _tracer.start_as_current_span(
        f"brain.{name}", record_exception=False, set_status_on_exception=False
    ) as told:
        current = Span(told)
        try:
            yield current
        except passing:
            raise
        except BaseException as error:
            current.fail(error)
            raise


@contextmanager
def parts() -> Generator[dict[str, float]]:
    """Collect the milliseconds of every ``part`` within the block, whatever task it runs in."""
    found: dict[str, float] = {}
    before = _parts.set(found)
    try:
        yield found
    finally:
        _parts.reset(before)


@contextmanager
def part(name: str) -> Generator[None]:
    """Trace a block, and add its milliseconds to the step that it is part of."""
    started = time.perf_counter()
    try:
        with span(name):
            yield
    finally:
        found = _parts.get()
        if found is not None:
            found[name] = found.get(name, 0.0) + (time.perf_counter() - started) * 1000


def begin_tracing(kind: Tracing) -> None:
    """Send spans to where the setting says; once in a process, and never back off.

    ``otlp`` reads the standard variables ``OTEL_EXPORTER_OTLP_*``. Raises InputError where what it
    takes is not installed.
    """
    if kind == "off" or _tracer is not None:
        return
    try:
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        made = _console() if kind == "console" else _otlp()
    except ImportError:
        raise InputError(
            "BRAIN_OTEL needs OpenTelemetry's SDK and exporter, which are not installed: "
            f"{to_install('otel')}, or unset it."
        ) from None
    trace_with(SimpleSpanProcessor(made) if kind == "console" else BatchSpanProcessor(made))


def trace_with(processor: "SpanProcessor") -> "TracerProvider":
    """Give every span from now on to the processor; what it holds back is sent at exit."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    global _tracer  # noqa: PLW0603 - a process has one, as it has one standard output
    provider = TracerProvider(resource=Resource.create({"service.name": "second-brain"}))
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("second-brain")
    return provider


def end_tracing() -> None:
    """Trace no more."""
    global _tracer  # noqa: PLW0603 - see trace_with
    _tracer = None


def _console() -> "SpanExporter":
    import sys

    from opentelemetry.sdk.trace.export import ConsoleSpanExporter

    return ConsoleSpanExporter(out=sys.stderr)  # standard output is the answer's


def _otlp() -> "SpanExporter":
    import os

    if os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    given = "OTEL_EXPORTER_OTLP_TIMEOUT" in os.environ
    return OTLPSpanExporter(timeout=None if given else _SEND_SECONDS)
