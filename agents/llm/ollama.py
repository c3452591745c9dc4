"""The language model behind a role, asked for JSON of a given schema, in bounded time.

It is Ollama's, on this machine as a rule, or one of another provider that LangChain knows.

Everything that can go wrong between here and the model leaves this file as ModelUnavailableError.
"""

import asyncio
import importlib
import importlib.util
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from tools.base.errors import BrainError, ModelAbsentError, ModelUnavailableError
from tools.runtime.tracing import part

PROBE_MAX_AGE = 5.0
"""Seconds for which a probe's answer is believed."""

_LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


class StructuredModel(Protocol):
    """A prompt and a schema in, a value of that schema out; or ModelUnavailableError."""

    async def __call__[T: BaseModel](self, prompt: str, schema: type[T]) -> T: ...


class _Reply(Protocol):
    async def ainvoke(self, prompt: str, /) -> object: ...


class _Chat(Protocol):
    """The part of ChatOllama used here, which its own annotations leave half open."""

    model: str

    def with_structured_output(
        self, schema: type[BaseModel], *, method: str, include_raw: bool
    ) -> _Reply: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Whether a server answers and has the model; ``message`` tells the user in one line.

    ``reason`` is the same without what works meanwhile.
    """

    running: bool
    has_model: bool
    message: str
    reason: str


PROVIDERS = frozenset(
    (
        *("anthropic", "azure_ai", "azure_openai", "bedrock", "bedrock_converse", "cohere"),
        *("deepseek", "fireworks", "google_genai", "google_vertexai", "groq", "huggingface"),
        *("ibm", "mistralai", "nvidia", "openai", "openrouter", "perplexity", "together"),
        *("upstage", "xai"),
    )
)
"""What may stand before a colon in a model's name, as LangChain calls those who serve it."""


def provider_of(name: str) -> str | None:
    """Who serves a model named ``provider:model``; None for one of Ollama's."""
    provider, colon, _ = name.partition(":")
    return provider if colon and provider in PROVIDERS else None


def language_model(
    *, url: str, name: str, timeout: float, context_tokens: int | None = None
) -> StructuredModel:
    """The model ``name``: that of its provider, or Ollama's at ``url`` (``ollama_model``)."""
    if provider_of(name):
        return hosted_model(name, timeout=timeout)
    return ollama_model(url=url, name=name, timeout=timeout, context_tokens=context_tokens)


def hosted_model(name: str, *, timeout: float) -> StructuredModel:
    """The model ``provider:model`` as LangChain reaches it; what it is asked leaves this machine.

    Keys and addresses come from the environment variables of the provider's own package.
    """

    async def ask[T: BaseModel](prompt: str, schema: type[T]) -> T:
        with part("model"):
            try:
                async with asyncio.timeout(timeout):
                    chat = await asyncio.to_thread(_hosted_chat, name, timeout)
                    return await _structured(chat, prompt, schema, unreadable=_malformed(name))
            except TimeoutError:
                raise _unavailable(_too_slow(name, timeout)) from None
            except BrainError:
                raise
            # Each provider's client has errors of its own.
            except Exception as error:  # noqa: BLE001
                problem = type(error).__name__
                told = (
                    f"{name} cannot be asked ({problem}): check its name, its key and the network"
                )
                raise _unavailable(told) from None

    return ask


def _hosted_chat(name: str, timeout: float) -> _Chat:
    try:
        langchain = importlib.import_module("langchain.chat_models")
        chat = langchain.init_chat_model(name, temperature=0, timeout=timeout, max_retries=0)
    except ImportError:
        known = importlib.util.find_spec("langchain") is not None
        needed = f"LangChain's for {provider_of(name)}" if known else "langchain"
        error = _unavailable(_needs(name, needed))
        raise ModelAbsentError(str(error), reason=error.reason) from None
    return cast("_Chat", chat)


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
    too_slow = _too_slow(name, timeout)

    async def ask[T: BaseModel](prompt: str, schema: type[T]) -> T:
        with part("model"):
            return await answered(prompt, schema)

    async def answered[T: BaseModel](prompt: str, schema: type[T]) -> T:
        nonlocal silent_since
        started = time.monotonic()
        if started - silent_since < timeout:
            raise _unavailable(too_slow)
        availability = await probe(url, name)
        if not availability.has_model:
            raise ModelAbsentError(availability.message, reason=availability.reason)
        try:
            # The import takes over a second and would stop every other task of the loop.
            chat = await asyncio.to_thread(_chat, url, name, timeout, context_tokens)
            async with asyncio.timeout(timeout - (time.monotonic() - started)):
                return await _structured(chat, prompt, schema, unreadable=_unreadable(name))
        except (TimeoutError, httpx.TimeoutException):
            silent_since = time.monotonic()
            raise _unavailable(too_slow) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            raise _unavailable(_not_running(url)) from None

    return ask


async def _structured[T: BaseModel](
    chat: _Chat, prompt: str, schema: type[T], *, unreadable: str
) -> T:
    """One attempt, and one more that shows the model what was wrong with the first."""
    import ollama

    reply = chat.with_structured_output(schema, method="json_schema", include_raw=True)
    problem = ""
    for _ in range(2):
        try:
            answer = cast("Mapping[str, object]", await reply.ainvoke(prompt + problem))
        except ollama.ResponseError as error:
            raise _unavailable(_refused(chat.model, error.status_code)) from None
        except (ValueError, AttributeError):  # the client reads an empty or a foreign reply
            raise _unavailable(unreadable) from None
        parsed = answer["parsed"]
        if isinstance(parsed, schema):
            return parsed
        problem = (
            "\n\nA first reply could not be read as the JSON object asked for "
            f"({_first_line(answer['parsing_error'])}). Reply with that object and nothing else."
        )
    raise _unavailable(
        f"The model {chat.model} twice gave an answer of the wrong form: try a larger model"
    )


def _chat(url: str, name: str, timeout: float, context_tokens: int | None) -> _Chat:
    from langchain_ollama import ChatOllama

    client: dict[str, object] = {
        "timeout": timeout,
        # A proxy from the environment must not see what goes to this machine's own server.
        "trust_env": not _is_loopback(url),
        # Each call closes its connection: the model outlives any one event loop.
        "limits": httpx.Limits(max_keepalive_connections=0),
    }
    chat = ChatOllama(
        model=name, base_url=url, temperature=0, num_ctx=context_tokens, client_kwargs=client
    )
    return cast("_Chat", chat)


# --- is it there ---------------------------------------------------------------------------


class _Tag(BaseModel):
    name: str


class _Tags(BaseModel):
    models: list[_Tag] = []


_TAGS = TypeAdapter(_Tags)
_probed: dict[tuple[str, str], tuple[float, Availability]] = {}


async def probe(
    url: str,
    name: str,
    *,
    timeout: float = 1.0,  # noqa: ASYNC109 - it also bounds connecting, inside the client
    max_age: float = PROBE_MAX_AGE,
) -> Availability:
    """Whether Ollama at ``url`` runs and has ``name``, within ``timeout`` s; never raises.

    An answer up to ``max_age`` seconds old is given again without asking.
    """
    if provider := provider_of(name):
        return _at_provider(name, provider)
    known = _probed.get((url, name))
    if known is not None and time.monotonic() - known[0] < max_age:
        return known[1]
    availability = await _ask_tags(url, name, timeout)
    _probed[url, name] = time.monotonic(), availability
    return availability


def _at_provider(name: str, provider: str) -> Availability:
    """A provider is not asked before it is needed: that may cost money."""
    if importlib.util.find_spec("langchain") is None:
        return _missing(_needs(name, "langchain"), running=False)
    ready = f"{name} is asked over the network: excerpts of notes go to {provider}."
    return Availability(running=True, has_model=True, message=ready, reason=ready)


async def _ask_tags(url: str, name: str, seconds: float) -> Availability:
    try:
        # Making the client may take longer than the answer, on a busy machine.
        async with (
            httpx.AsyncClient(timeout=seconds, trust_env=not _is_loopback(url)) as client,
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
    error = _unavailable(what)
    return Availability(running=running, has_model=False, message=str(error), reason=error.reason)


def _same_model(name: str, tags: _Tags) -> bool:
    """Ollama lists ``llama3.2`` as ``llama3.2:latest``."""
    wanted = name if ":" in name else f"{name}:latest"
    return any(tag.name in {name, wanted} for tag in tags.models)


# --- what the user reads -------------------------------------------------------------------


def _unavailable(what: str) -> ModelUnavailableError:
    """The error for a sentence without its full stop."""
    told = f"{what}; the program decides by itself meanwhile."
    return ModelUnavailableError(told, reason=f"{what}.")


def _too_slow(name: str, timeout: float) -> str:
    return (
        f"The model {name} gave no answer within {timeout:g} s: "
        "use a smaller model or raise BRAIN_MODEL_TIMEOUT"
    )


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


def _needs(name: str, package: str) -> str:
    return f"{name} needs a package that is not installed: {package}"


def _malformed(name: str) -> str:
    return f"{name} gave an answer of the wrong form: try another model"


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


def _first_line(error: object) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])) or 'reply'}: {first['msg']}"
    return "it was no valid JSON"
