"""How a language model reads a question: one call, a verdict of a fixed form, weighed and kept.

The model can say which of the five intents it sees and how sure it is, nothing else. Its verdict is
pooled with what the wording says (``agents/llm/calibration.py``); where none comes, the local
reading stands and says why.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import prompts
from agents.llm.calibration import Probabilities, calibrated, canonical, parameters
from agents.llm.structured import StructuredModel
from tools.base import guards
from tools.base.domain import DecidedBy, Intent
from tools.base.errors import ModelUnavailableError
from tools.runtime.llm_cache import ReplyCache

_PROMPT = "interpreter"
_ENDING = " \t\n.,;:!?…"


class Verdict(BaseModel):
    """The model's reply. The schema is all it can say.

    A model writes the fields in this order, so it gives its reason before it decides. One that
    leaves out ``second`` is understood, but the schema asks for it.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"required": ["reason", "intent", "confidence", "second"]},
    )

    reason: str = Field(max_length=300)
    intent: Intent
    confidence: float = Field(ge=0, le=1)
    second: Intent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalReading:
    """What is read without a model: the evidence a model's verdict is weighed against."""

    intent: Intent
    probabilities: Probabilities
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What came of asking a model; ``reason`` says in one line who decided and why."""

    intent: Intent
    probabilities: Probabilities
    decided_by: DecidedBy
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One verdict before it is weighed, with the evidence it is weighed against.

    ``brain eval intents --observations`` writes it beside the question's true intent, and
    ``evals/fitting/model_calibration.py`` fits on that.
    """

    query: str
    model: str
    model_intent: Intent
    model_confidence: float
    model_second: Intent | None
    local_probabilities: Probabilities


type Observer = Callable[[Observation], None]


class ModelReader(Protocol):
    """A question to a reading, whatever the model does. Never raises for the model's sake."""

    async def __call__(self, question: str, local: LocalReading) -> Reading: ...


def make_reader(
    model: StructuredModel | None, *, name: str, kept: ReplyCache, observe: Observer | None = None
) -> ModelReader:
    """The reader that asks ``model``, called ``name``, what is not among ``kept`` already.

    ``observe`` is given each verdict, also one kept from before.
    """

    async def verdict(question: str) -> tuple[Verdict, bool]:
        """The verdict and whether it is an earlier one. Raises ModelUnavailableError."""
        if model is None:
            raise ModelUnavailableError("No language model is set up.")
        key = await asyncio.to_thread(_key, question, name)
        earlier = _parsed(await asyncio.to_thread(kept.get, key))
        if earlier is not None:
            return earlier, True
        new = await model(_prompt(question), Verdict)
        await asyncio.to_thread(kept.put, key, new.model_dump_json())
        return new, False

    async def read(question: str, local: LocalReading) -> Reading:
        try:
            said, earlier = await verdict(question)
        except ModelUnavailableError as error:
            return Reading(
                intent=local.intent,
                probabilities=local.probabilities,
                decided_by="fallback",
                reason=f"{local.reason}; {error}",
            )
        if observe is not None:
            observe(
                Observation(
                    query=question,
                    model=canonical(name),
                    model_intent=said.intent,
                    model_confidence=said.confidence,
                    model_second=said.second,
                    local_probabilities=local.probabilities,
                )
            )
        return _weighed(said, local, name=name, earlier=earlier)

    return read


def _weighed(said: Verdict, local: LocalReading, *, name: str, earlier: bool) -> Reading:
    """The pool of both; it is the wording that decided where its intent outweighs the model's."""
    probabilities = calibrated(
        said.intent,
        confidence=said.confidence,
        second=said.second,
        local=local.probabilities,
        weights=parameters(name),
    )
    intent = max(probabilities, key=probabilities.__getitem__)
    overruled = intent == local.intent != said.intent
    why = " ".join(guards.terminal_text(said.reason).split())
    stated = (
        f"{canonical(name)}{' earlier' if earlier else ''}: {said.intent} {said.confidence:.2f}"
    )
    if said.second is not None and said.second != said.intent:
        stated += f" or {said.second}"
    if overruled:
        reason = f"{local.reason}; it outweighs the model ({stated}, {why})"
    else:
        wording = f"{local.intent} {local.probabilities[local.intent]:.2f}"
        reason = f"{why} ({stated}; wording: {wording})"
    return Reading(
        intent=intent,
        probabilities=probabilities,
        decided_by="local" if overruled else "llm",
        reason=reason,
    )


def _prompt(question: str) -> str:
    """The question goes in as a JSON string: nothing in it can end the quotation or the turn."""
    return prompts.render(_PROMPT, question=prompts.quoted(question))


# --- verdicts kept -------------------------------------------------------------------------


def _key(question: str, name: str) -> str:
    """A hash, so that no question stands in the cache; of all that a verdict depends on."""
    parts = (_version(), canonical(name), _normalised(question))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _normalised(question: str) -> str:
    """Equal for questions that differ in case, white space or the marks at their end only."""
    return " ".join(question.casefold().split()).rstrip(_ENDING)


def _version() -> str:
    """Changes with the prompt's text and with the form of the reply."""
    return json.dumps([prompts.render(_PROMPT, question=""), Verdict.model_json_schema()])


def _parsed(reply: str | None) -> Verdict | None:
    """A kept reply is checked like a new one: the file is open to whoever owns it."""
    try:
        return None if reply is None else Verdict.model_validate_json(reply)
    except ValidationError:
        return None
