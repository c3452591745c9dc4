"""A chat model of LangChain asked for JSON of a given schema; what goes wrong, in a line each.

Everything that can go wrong between here and a model leaves these files as ModelUnavailableError.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Protocol, cast

from langchain_core.exceptions import OutputParserException
from pydantic import BaseModel, ValidationError

from tools.base.errors import ModelUnavailableError

type OnPartial = Callable[[Mapping[str, object]], None]
"""Hears a reply while it is written: as much of the object asked for as can be read by now."""


class StructuredModel(Protocol):
    """A prompt and a schema in, a value of that schema out; or ModelUnavailableError."""

    async def __call__[T: BaseModel](
        self, prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T: ...


class _Reply(Protocol):
    async def ainvoke(self, prompt: str, /) -> object: ...

    def astream(self, prompt: str, /) -> AsyncIterator[object]: ...


class Chat(Protocol):
    """The part of LangChain's BaseChatModel used here, which its annotations leave half open."""

    def with_structured_output(self, schema: Mapping[str, object], *, method: str) -> _Reply: ...


async def structured[T: BaseModel](
    chat: Chat,
    prompt: str,
    schema: type[T],
    *,
    name: str,
    unreadable: str,
    on_partial: OnPartial | None,
) -> T:
    """One attempt, and one more that shows the model what was wrong with the first.

    ``name`` is the model's; ``unreadable`` says of a reply that its client cannot read why that is.
    Errors of the client pass; raises ModelUnavailableError.
    """
    reply = chat.with_structured_output(schema.model_json_schema(), method="json_schema")
    problem = ""
    for _ in range(2):
        try:
            given = await _read(reply, prompt + problem, on_partial)
        except OutputParserException:
            wrong = "it was no valid JSON"
        except (ValueError, AttributeError):  # the client reads an empty or a foreign reply
            raise unavailable(unreadable) from None
        else:
            try:
                return schema.model_validate(given)
            except ValidationError as error:
                wrong = _first_line(error)
        problem = (
            f"\n\nA first reply could not be read as the JSON object asked for ({wrong}). "
            "Reply with that object and nothing else."
        )
    raise unavailable(
        f"The model {name} twice gave an answer of the wrong form: try a larger model"
    )


async def _read(reply: _Reply, prompt: str, on_partial: OnPartial | None) -> object:
    if on_partial is None:
        return await reply.ainvoke(prompt)
    read: object = None
    async for read in reply.astream(prompt):
        if isinstance(read, dict):
            on_partial(cast("Mapping[str, object]", read))
    return cast("object", read)


def unavailable(what: str) -> ModelUnavailableError:
    """The error for a sentence without its full stop."""
    told = f"{what}; the program decides by itself meanwhile."
    return ModelUnavailableError(told, reason=f"{what}.")


def too_slow(name: str, timeout: float) -> str:
    return (
        f"The model {name} gave no answer within {timeout:g} s: "
        "use a smaller model or raise BRAIN_MODEL_TIMEOUT"
    )


def _first_line(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'reply'}: {first['msg']}"
