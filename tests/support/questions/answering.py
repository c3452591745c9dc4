"""Evidence to answer from, and a model with a script that is asked to write."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import BaseModel

from agents.answerer.answerer import Material
from agents.llm.structured import OnPartial
from tests.support.values.results import a_plan, a_result
from tools.base.domain import AnswerFormat, Excerpt, GraphRelation, Mode, Result
from tools.base.errors import ModelAbsentError

COFFEE = "Late coffee blocks the adenosine receptors at night."
HALF_LIFE = "The half-life of caffeine is about 15 hours."
RULE = "Last coffee before 13:00."


def result(path: str, *texts: str, chain: tuple[GraphRelation, ...] = ()) -> Result:
    """A dated note that says the texts on its lines from 3 on."""
    excerpts = (
        Excerpt(text=text, line_start=3 + at, line_end=3 + at, heading="Why")
        for at, text in enumerate(texts)
    )
    return a_result(
        path, created=datetime(2024, 1, 28, tzinfo=UTC), excerpts=tuple(excerpts), chain=chain
    )


def material(
    *results: Result,
    shown: AnswerFormat = "list",
    mode: Mode = "auto",
    query: str = "Why does late coffee hurt?",
) -> Material:
    """What an answer to a question about coffee may rest on."""
    plan = a_plan(query=query, concepts=("coffee",), format=shown)
    return Material(plan=plan, format=shown, results=results, mode=mode)


@dataclass
class Model:
    """Replies with one scripted object and keeps what it was asked."""

    reply: Mapping[str, object]
    prompts: list[str] = field(default_factory=list[str])
    schemas: list[object] = field(default_factory=list[object])

    async def __call__[T: BaseModel](
        self, prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        self.prompts.append(prompt)
        self.schemas.append(schema.model_json_schema())
        return schema.model_validate(self.reply)


async def unavailable[T: BaseModel](
    prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
) -> T:
    """The model where no server answers."""
    raise ModelAbsentError("No Ollama server answers: start it with `ollama serve`.")


def says(*sentences: tuple[str, list[int]], answered: bool = True) -> Model:
    """A model that says each text, citing the evidence of these numbers."""
    listed = [{"text": text, "evidence": numbers} for text, numbers in sentences]
    return Model({"answered": answered, "sentences": listed})


CAFFEINE = result("notes/Late caffeine.md", COFFEE, HALF_LIFE)
HABITS = result("notes/Habits.md", RULE)
