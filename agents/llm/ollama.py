"""A model of Ollama's, asked in bounded time, and whether it is there."""

import asyncio
import math
import ssl
import time
from dataclasses import dataclass
from functools import cache
from typing import TypedDict, cast
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from agents.llm.structured import (
    Chat,
    OnPartial,
    StructuredModel,
    structured,
    too_slow,
    unavailable,
)
from tools.base.errors import ModelAbsentError
from tools.runtime.tracing import part

PROBE_MAX_AGE = 5.0
"""Seconds for which a probe's answer is believed."""

_LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


class _Way(TypedDict):
    """How a client reaches a server."""

    trust_env: bool
    verify: ssl.SSLContext


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Whether a server answers and has the model; ``message`` tells the user in one line.

    ``reason`` is the same without what works meanwhile.
    """

    running: bool
    has_model: bool
    message: str
    reason: str


def ollama_model(
    *, url: str, name: str, timeout: float, context_tokens: int | None = None
) -> StructuredModel:
    """Ollama's model ``name``; one call, its one repair included, takes at most ``timeout`` s.

    ``context_tokens`` is how long a prompt and its reply may be together; by itself Ollama drops
    the beginning of what is longer than a few thousand. Nothing is imported or connected before
    the first call, and a server that is not there costs a call no more than the probe. A model
    that was silent is not waited for again for as long.
    """
    silent_since = -math.inf

    async def ask[T: BaseModel](
        prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        with part("model"):
            return await answered(prompt, schema, on_partial)

    async def answered[T: BaseModel](
        prompt: str, schema: type[T], on_partial: OnPartial | None
    ) -> T:
        import ollama

        nonlocal silent_since
        started = time.monotonic()
        if started - silent_since < timeout:
            raise unavailable(too_slow(name, timeout))
        availability = await probe_ollama(url, name)
        if not availability.has_model:
            raise ModelAbsentError(availability.message, reason=availability.reason)
        try:
            # The import takes over a second and would stop every other task of the loop.
            chat = await asyncio.to_thread(_chat, url, name, timeout, context_tokens)
            async with asyncio.timeout(timeout - (time.monotonic() - started)):
                return await structured(
                    chat,
                    prompt,
                    schema,
                    name=name,
                    unreadable=_unreadable(name),
                    on_partial=on_partial,
                )
        except ollama.ResponseError as error:
            raise unavailable(_refused(name, error.status_code)) from None
        except (TimeoutError, httpx.TimeoutException):
            silent_since = time.monotonic()
            raise unavailable(too_slow(name, timeout)) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            raise unavailable(_not_running(url)) from None

    return ask


def _chat(url: str, name: str, timeout: float, context_tokens: int | None) -> Chat:
    from langchain_ollama import ChatOllama

    client: dict[str, object] = {
        "timeout": timeout,
        **_way_to(url),
        # Each call closes its connection: the model outlives any one event loop.
        "limits": httpx.Limits(max_keepalive_connections=0),
    }
    chat = ChatOllama(
        model=name, base_url=url, temperature=0, num_ctx=context_tokens, client_kwargs=client
    )
    return cast("Chat", chat)


def _way_to(url: str) -> _Way:
    # A proxy from the environment must not see what goes to this machine's own server.
    trusted = not _is_loopback(url)
    return {"trust_env": trusted, "verify": _certificates(trusted)}


@cache
def _certificates(trust_env: bool) -> ssl.SSLContext:
    """Read once: it takes 40 ms, and every call has a client of its own."""
    return httpx.create_ssl_context(trust_env=trust_env)


# --- is it there ---------------------------------------------------------------------------


class _Tag(BaseModel):
    name: str


class _Tags(BaseModel):
    models: list[_Tag] = []


_TAGS = TypeAdapter(_Tags)
_probed: dict[tuple[str, str], tuple[float, Availability]] = {}


async def probe_ollama(
    url: str,
    name: str,
    *,
    timeout: float = 1.0,  # noqa: ASYNC109 - it also bounds connecting, inside the client
    max_age: float = PROBE_MAX_AGE,
) -> Availability:
    """Whether Ollama at ``url`` runs and has ``name``, within ``timeout`` s; never raises.

    An answer up to ``max_age`` seconds old is given again without asking.
    """
    known = _probed.get((url, name))
    if known is not None and time.monotonic() - known[0] < max_age:
        return known[1]
    availability = await _ask_tags(url, name, timeout)
    _probed[url, name] = time.monotonic(), availability
    return availability


async def _ask_tags(url: str, name: str, seconds: float) -> Availability:
    try:
        # Making the client may take longer than the answer, on a busy machine.
        async with (
            httpx.AsyncClient(timeout=seconds, **_way_to(url)) as client,
            asyncio.timeout(seconds),
        ):
            reply = await client.get(f"{url.rstrip('/')}/api/tags")
            reply.raise_for_status()
        tags = _TAGS.validate_json(reply.content)
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError, ValidationError):
        return _missing(_not_running(url), running=False)
    if _same_model(name, tags):
        ready = f"The model {name} is ready."
        return Availability(running=True, has_model=True, message=ready, reason=ready)
    return _missing(_not_pulled(name), running=True)


def _missing(what: str, *, running: bool) -> Availability:
    error = unavailable(what)
    return Availability(running=running, has_model=False, message=str(error), reason=error.reason)


def _same_model(name: str, tags: _Tags) -> bool:
    """Ollama lists ``llama3.2`` as ``llama3.2:latest``."""
    wanted = name if ":" in name else f"{name}:latest"
    return any(tag.name in {name, wanted} for tag in tags.models)


# --- what the user reads -------------------------------------------------------------------


def _not_running(url: str) -> str:
    return f"No Ollama server answers at {_place(url)}: start it with `ollama serve`"


def _not_pulled(name: str) -> str:
    return f"Ollama has no model {name}: run `ollama pull {name}`"


def _refused(name: str, status: int) -> str:
    if status == 404:
        return _not_pulled(name)
    return (
        f"Ollama failed to run the model {name} (status {status}): "
        "see its log or try a smaller model"
    )


def _unreadable(name: str) -> str:
    return f"What came back for the model {name} was no reply of Ollama's: check BRAIN_OLLAMA_URL"


def _place(url: str) -> str:
    """Host and port, without a user name or password that the address may hold."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "the address in BRAIN_OLLAMA_URL"
    if not host:
        return "the address in BRAIN_OLLAMA_URL"
    return f"{host}:{port}" if port else host


def _is_loopback(url: str) -> bool:
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False
