"""What Graphiti asks of a language model and an encoder, answered by ours.

Of a reply only that much is passed on as the note itself can bear out.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, cast

from pydantic import BaseModel

from tools.base.errors import ModelUnavailableError
from tools.graph.episodes import LONGEST_FACT, EpisodeText, grounded

if TYPE_CHECKING:
    from graphiti_core.cross_encoder.client import CrossEncoderClient
    from graphiti_core.embedder.client import EmbedderClient
    from graphiti_core.llm_client.client import LLMClient
    from graphiti_core.prompts.extract_edges import Edge, ExtractedEdges
    from graphiti_core.prompts.extract_nodes import ExtractedEntities
    from graphiti_core.prompts.models import Message

MOST_ENTITIES = 40
MOST_FACTS = 30
"""Of one part; a model that goes round in circles must not keep the job."""

type Embed = Callable[[Sequence[str]], Awaitable[Sequence[Sequence[float]]]]
"""Texts in, one vector of the same length for each out. Raises SourceError."""


class AskModel(Protocol):
    """A prompt and a schema in, a value of that schema out; or ModelUnavailableError."""

    async def __call__[T: BaseModel](self, prompt: str, schema: type[T], /) -> T: ...


class EpisodeUnderWay:
    """What is asked for the episode that is being read.

    After an answer that failed to come nothing more is asked: what Graphiti still has under way
    for this episode ends with the same error.
    """

    def __init__(self, ask: AskModel) -> None:
        self._ask = ask
        self._episode: EpisodeText | None = None
        self._failure: ModelUnavailableError | None = None
        self.calls = 0

    def begin(self, episode: EpisodeText) -> None:
        """Read ``episode`` from here on."""
        self._episode, self._failure, self.calls = episode, None, 0

    async def ask(self, prompt: str, schema: type[BaseModel]) -> BaseModel:
        """The model's answer, without what the episode's text does not bear out."""
        from graphiti_core.prompts.extract_edges import ExtractedEdges
        from graphiti_core.prompts.extract_nodes import ExtractedEntities, SummarizedEntities

        if schema is SummarizedEntities:  # an entity without a fact is not shown anywhere
            return SummarizedEntities(summaries=[])
        if self._failure is not None:
            raise self._failure
        self.calls += 1
        try:
            reply = await self._ask(prompt, schema)
        except ModelUnavailableError as error:
            self._failure = error
            raise
        episode = cast("EpisodeText", self._episode)
        match reply:
            case ExtractedEntities():
                return _believed_entities(reply, episode)
            case ExtractedEdges():
                return _believed_facts(reply, episode)
            case _:
                return reply


def _believed_entities(reply: "ExtractedEntities", episode: EpisodeText) -> "ExtractedEntities":
    said = f"{episode.title}\n{episode.text}"
    kept = [entity for entity in reply.extracted_entities if grounded(entity.name, said)]
    return reply.model_copy(update={"extracted_entities": kept[:MOST_ENTITIES]})


def _believed_facts(reply: "ExtractedEdges", episode: EpisodeText) -> "ExtractedEdges":
    said = f"{episode.title}\n{episode.text}"
    kept = [
        _dated(edge, episode.valid_at)
        for edge in reply.edges
        if grounded(edge.source_entity_name, said)
        and grounded(edge.target_entity_name, said)
        and edge.source_entity_name.strip() != edge.target_entity_name.strip()
        and 0 < len(edge.fact.strip()) <= LONGEST_FACT
    ]
    return reply.model_copy(update={"edges": kept[:MOST_FACTS]})


def _dated(edge: "Edge", reference: datetime) -> "Edge":
    """Fill in the note's own date where the model names none.

    Graphiti would ask once more for each such fact, which doubles the time a note takes; and a
    fact without a date neither retires another nor is retired.
    """
    start, end = _moment(edge.valid_at), _moment(edge.invalid_at)
    if start is not None and end is not None and end <= start:
        end = None
    if start is None and (end is None or end > reference):
        start = reference
    return edge.model_copy(
        update={
            "valid_at": start.isoformat() if start else None,
            "invalid_at": end.isoformat() if end else None,
        }
    )


def _moment(written: str | None) -> datetime | None:
    """A date in UTC; None where what is written is none."""
    try:
        found = datetime.fromisoformat((written or "").strip())
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


# --- Graphiti's side -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Clients:
    """The three services Graphiti is made with; without one it would call a company's."""

    llm: "LLMClient"
    embedder: "EmbedderClient"
    cross_encoder: "CrossEncoderClient"


def graphiti_clients(under_way: EpisodeUnderWay, embed: Embed) -> Clients:
    """Our model and our encoder in the form Graphiti knows; it must have been loaded before."""
    from graphiti_core.cross_encoder.client import CrossEncoderClient
    from graphiti_core.embedder.client import EmbedderClient
    from graphiti_core.llm_client.client import LLMClient
    from graphiti_core.llm_client.config import LLMConfig, ModelSize

    class Model(LLMClient):
        async def _generate_response(
            self,
            messages: "list[Message]",
            response_model: type[BaseModel] | None = None,
            max_tokens: int = 0,
            model_size: ModelSize = ModelSize.medium,
            *,
            model: str | None = None,
        ) -> dict[str, Any]:
            del max_tokens, model_size, model
            if response_model is None:
                raise ModelUnavailableError("Graphiti asked a question without a form of reply.")
            prompt = "\n\n".join(message.content for message in messages)
            return (await under_way.ask(prompt, response_model)).model_dump()

    class Encoder(EmbedderClient):
        async def create(self, input_data: object) -> list[float]:
            texts = cast("list[str]", [input_data] if isinstance(input_data, str) else input_data)
            return (await self.create_batch(texts[:1]))[0]

        async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
            return [list(map(float, vector)) for vector in await embed(input_data_list)]

    class NoRanking(CrossEncoderClient):
        async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
            del query
            return [(passage, 0.0) for passage in passages]

    # The name goes nowhere; without one a default of another vendor's would stand here.
    return Clients(
        llm=Model(LLMConfig(model="local", small_model="local", temperature=0), cache=False),
        embedder=Encoder(),
        cross_encoder=NoRanking(),
    )
