"""The language model behind a role: Ollama's, a provider's that LangChain knows, or one given."""

import asyncio
import importlib
import importlib.util
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel

from agents.llm.ollama import PROBE_MAX_AGE, Availability, ollama_model, probe_ollama
from agents.llm.structured import (
    Chat,
    OnPartial,
    StructuredModel,
    structured,
    too_slow,
    unavailable,
)
from tools.base.errors import BrainError, ModelAbsentError
from tools.runtime.tracing import part

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

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
    chat: Chat | None = None

    async def ask[T: BaseModel](
        prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        nonlocal chat
        if chat is None:
            chat = await asyncio.to_thread(_hosted_chat, name, timeout)
        return await _asked(chat, prompt, schema, name=name, timeout=timeout, on_partial=on_partial)

    return ask


def given_model(chat: "BaseChatModel", *, timeout: float) -> StructuredModel:
    """A chat model of LangChain that somebody made; one call takes at most ``timeout`` seconds."""
    given, name = cast("Chat", chat), name_of(chat)

    async def ask[T: BaseModel](
        prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        return await _asked(
            given, prompt, schema, name=name, timeout=timeout, on_partial=on_partial
        )

    return ask


def name_of(chat: "BaseChatModel") -> str:
    """What a model is called: by its own field, as those of most providers have one, or its class.

    Each integration has its own field for it.
    """
    for field in ("model", "model_name", "model_id"):
        if isinstance(name := getattr(chat, field, None), str) and name:
            return name
    return type(chat).__name__


async def _asked[T: BaseModel](
    chat: Chat,
    prompt: str,
    schema: type[T],
    *,
    name: str,
    timeout: float,  # noqa: ASYNC109 - the caller's, of whom the error tells
    on_partial: OnPartial | None,
) -> T:
    try:
        with part("model"):
            async with asyncio.timeout(timeout):
                return await structured(
                    chat,
                    prompt,
                    schema,
                    name=name,
                    unreadable=_malformed(name),
                    on_partial=on_partial,
                )
    except TimeoutError:
        raise unavailable(too_slow(name, timeout)) from None
    except BrainError:
        raise
    # Each provider's client has errors of its own.
    except Exception as error:  # noqa: BLE001
        raise unavailable(_unasked(name, error)) from None


def _hosted_chat(name: str, timeout: float) -> Chat:
    try:
        langchain = importlib.import_module("langchain.chat_models")
        chat = langchain.init_chat_model(name, temperature=0, timeout=timeout, max_retries=0)
    except ImportError:
        known = importlib.util.find_spec("langchain") is not None
        needed = f"LangChain's for {provider_of(name)}" if known else "langchain"
        error = unavailable(_needs(name, needed))
        raise ModelAbsentError(str(error), reason=error.reason) from None
    # What its package makes of the name, of a key that is missing, of the environment.
    except Exception as error:  # noqa: BLE001
        raise unavailable(_unasked(name, error)) from None
    return cast("Chat", chat)


async def probe(
    url: str,
    name: str,
    *,
    timeout: float = 1.0,  # noqa: ASYNC109 - it also bounds connecting, inside the client
    max_age: float = PROBE_MAX_AGE,
) -> Availability:
    """Whether the model ``name`` can be asked, found out within ``timeout`` s; never raises.

    An answer of Ollama's at ``url`` up to ``max_age`` seconds old is given again without asking.
    """
    if provider := provider_of(name):
        return _at_provider(name, provider)
    return await probe_ollama(url, name, timeout=timeout, max_age=max_age)


def _at_provider(name: str, provider: str) -> Availability:
    """A provider is not asked before it is needed: that may cost money."""
    if importlib.util.find_spec("langchain") is None:
        error = unavailable(_needs(name, "langchain"))
        return Availability(running=False, has_model=False, message=str(error), reason=error.reason)
    ready = f"{name} is asked over the network: excerpts of notes go to {provider}."
    return Availability(running=True, has_model=True, message=ready, reason=ready)


def _needs(name: str, package: str) -> str:
    return f"{name} needs a package that is not installed: {package}"


def _unasked(name: str, error: Exception) -> str:
    problem = type(error).__name__
    return f"{name} cannot be asked ({problem}): check its name, its key and the network"


def _malformed(name: str) -> str:
    return f"{name} gave an answer of the wrong form: try another model"
