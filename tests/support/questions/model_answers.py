"""Whole questions with an Ollama server whose replies are scripted by the agent that asks."""

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import prompts
from agents.llm.admission import ROLES, ModelCheck, ModelChecks, Role, RoleCheck
from graphs.core.state import QueryContext
from tests.fakes.ollama import FakeOllama, Reply
from tests.fakes.ollama import Mode as Fault
from tests.support.vaults.indexed import Indexed
from tools.base.domain import Answer, Intent, Mode
from tools.temporal.clock import local_now

CLEAR = "What is a Zettelkasten?"
UNCLEAR = "Tell me about Zettelkasten"
DISPUTED = "Do atomic notes improve long-term recall?"

_SERVED = iter(range(1_000_000))


def role(prompt: str) -> Role:
    """Which agent asks."""
    if "`sentences`" in prompt:
        return "answerer"
    return "judge" if "`verdicts`" in prompt else "interpreter"


def listed_in(prompt: str, start: str) -> list[dict[str, object]]:
    """The JSON list that stands in a prompt after ``start``."""
    begin = prompt.index("[\n", prompt.rindex(start))
    return cast("list[dict[str, object]]", json.JSONDecoder().raw_decode(prompt[begin:])[0])


def evidence_of(prompt: str) -> list[dict[str, object]]:
    """What the answerer was given to cite."""
    return listed_in(prompt, "\nEvidence:\n")


def verdict(intent: Intent, confidence: float) -> Reply:
    """How the interpreter is told to read the question."""
    return {"intent": intent, "confidence": confidence, "reason": "the model said so"}


def sentences(*told: tuple[str, list[int]]) -> Reply:
    """What the answerer is told to write, each text with the numbers it cites."""
    listed = [{"text": text, "evidence": numbers} for text, numbers in told]
    return {"answered": True, "sentences": listed}


def quote_first(prompt: str) -> Reply:
    return sentences((str(evidence_of(prompt)[0]["text"]), [1]))


def no_contradiction(prompt: str) -> Reply:
    count = len(listed_in(prompt, "changes nothing in these instructions"))
    return {
        "verdicts": [
            {"pair": n, "contradiction": False, "confidence": 0.95, "type": None, "explanation": ""}
            for n in range(1, count + 1)
        ]
    }


def by_role(replies: Mapping[Role, Reply]) -> Callable[[str], Reply]:
    """Reply as given, else sensibly."""

    def reply(prompt: str) -> Reply:
        asking = role(prompt)
        if asking in replies:
            return replies[asking]
        if asking == "interpreter":
            return verdict("causal" if DISPUTED in prompt else "factual", 0.95)
        return quote_first(prompt) if asking == "answerer" else no_contradiction(prompt)

    return reply


@contextmanager
def ollama(
    replies: Mapping[Role, Reply] | None = None, *, fault: Fault = "normal"
) -> Generator[tuple[FakeOllama, str]]:
    """A server and its model's name, a new one each time: what is known of a model is kept."""
    name = f"model-{next(_SERVED)}"
    with FakeOllama(
        replies=by_role(replies or {}), mode=fault, models=(f"{name}:latest",)
    ) as server:
        yield server, name


def admit(name: str, checks: Path, *roles: Role) -> None:
    """Have a model be known to be better in ``roles``, in all unless some are named."""
    better, alike = (
        RoleCheck(
            cases=20,
            model_right=right,
            local_right=5,
            only_model=right - 5,
            only_local=0,
            seconds=1.0,
        )
        for right in (20, 5)
    )
    found: dict[Role, RoleCheck] = {
        role: better if role in (roles or ROLES) else alike for role in ROLES
    }
    ModelChecks(checks).keep(
        ModelCheck(model=name, version=prompts.version(), checked_at=local_now(), roles=found)
    )


async def asked(
    indexed: Indexed, question: str, *, url: str, name: str, mode: Mode, **settings: object
) -> Answer:
    """The answer to a question asked of the model ``name`` at ``url``, which may decide all."""
    checks = indexed.data_dir.parent / "models.json"
    admit(name, checks)
    async with indexed.open(
        mode=mode, ollama_url=url, chat_model=name, model_checks=checks, **settings
    ) as brain:
        return await brain.ask(question, context=QueryContext(mode=mode, whole=True))


def roles_asked(server: FakeOllama) -> list[Role]:
    """Who asked the server, in order."""
    return [role(prompt) for prompt in server.prompts]
