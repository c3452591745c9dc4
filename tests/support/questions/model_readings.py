"""A scripted language model, and questions read with it."""

from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import BaseModel

from agents.interpreter.interpreter import QuestionContext, make_interpreter
from agents.llm.structured import OnPartial, StructuredModel
from tests.support.questions.reading import read_question, tag_question
from tools.base.domain import Mode, QueryPlan
from tools.base.errors import ModelUnavailableError
from tools.runtime.llm_cache import ReplyCache

NOW = datetime(2025, 6, 18, 12, tzinfo=UTC)
CLEAR, OPEN = "What is Zettelkasten?", "Tell me about Zettelkasten"
type Reply = Mapping[str, object]


def reply(intent: str, confidence: float, *, second: str | None = None) -> Reply:
    reason = "asks for \x1b[31m an overview"
    return {"reason": reason, "intent": intent, "confidence": confidence, "second": second}


OVERVIEW = reply("exploratory", 0.95)


class Scripted:
    """A model that gives one verdict, or fails, and remembers what it was asked."""

    def __init__(self, answer: Reply | ModelUnavailableError) -> None:
        self.answer = answer
        self.prompts: list[str] = []

    async def __call__[T: BaseModel](
        self, prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        self.prompts.append(prompt)
        if isinstance(self.answer, ModelUnavailableError):
            raise self.answer
        return schema.model_validate(self.answer)


async def ask(
    model: StructuredModel | None,
    question: str,
    mode: Mode,
    *,
    name: str = "llama3.2",
    kept: ReplyCache | None = None,
) -> QueryPlan:
    context = QuestionContext(now=NOW, limit=10, mode=mode)
    return await make_interpreter(
        model, read_question=read_question, tag_question=tag_question, name=name, kept=kept
    )(question, context)
