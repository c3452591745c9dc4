"""What a language model says of pairs of claims: asked in batches, each verdict checked by itself.

A verdict that cannot be used costs its own pair only, of which the words then decide.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

import prompts
from agents.entailment.support import gives_orders
from tools.base.domain import Claim, ContradictionType
from tools.base.errors import ModelUnavailableError

if TYPE_CHECKING:
    from agents.llm.structured import StructuredModel

BATCH = 10
"""Pairs in one prompt."""
_LONGEST_EXPLANATION = 300
"""Characters; one sentence was asked for."""

type Pair = tuple[Claim, Claim]


class ModelVerdict(BaseModel):
    """What a model says about the pair with this number."""

    pair: int
    contradiction: bool
    confidence: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    type: ContradictionType | None = None
    explanation: str = ""


def _usable(listed: object) -> object:
    """The entries that are verdicts: one of a wrong form must not cost the others."""
    if not isinstance(listed, list):
        return listed
    kept: list[ModelVerdict] = []
    for one in cast("list[object]", listed):
        try:
            kept.append(ModelVerdict.model_validate(one))
        except ValidationError:
            continue
    return kept


class ModelVerdicts(BaseModel):
    verdicts: Annotated[list[ModelVerdict], BeforeValidator(_usable)]


@dataclass(slots=True, kw_only=True)
class ModelVerdictsFound:
    """Verdicts by the place of their pair.

    ``error`` says why the model gave no more; ``dropped`` counts, in words, what it did give.
    """

    verdicts: dict[int, ModelVerdict] = field(default_factory=dict[int, ModelVerdict])
    dropped: Counter[str] = field(default_factory=Counter[str])
    error: str = ""


async def ask(model: "StructuredModel", pairs: Sequence[Pair]) -> ModelVerdictsFound:
    """Have the model judge the pairs. Never raises for the model's sake.

    A pair in which a note speaks to whoever judges is not shown to the model at all.
    """
    found = ModelVerdictsFound()
    shown = [
        at for at, pair in enumerate(pairs) if not any(gives_orders(claim.text) for claim in pair)
    ]
    if len(shown) < len(pairs):
        found.dropped["withheld: a note in it gives orders"] = len(pairs) - len(shown)
    for start in range(0, len(shown), BATCH):
        places = shown[start : start + BATCH]
        batch = [pairs[at] for at in places]
        prompt = await asyncio.to_thread(_prompt, batch)
        try:
            reply = await model(prompt, ModelVerdicts)
        except ModelUnavailableError as error:
            found.error = str(error)
            return found
        for number, verdict in _checked(reply.verdicts, batch, found.dropped).items():
            found.verdicts[places[number]] = verdict
    return found


def _prompt(batch: Sequence[Pair]) -> str:
    listed = [{"pair": number, "a": a.text, "b": b.text} for number, (a, b) in enumerate(batch, 1)]
    return prompts.render("judge", pairs=prompts.quoted(listed))


def _checked(
    verdicts: Sequence[ModelVerdict], batch: Sequence[Pair], dropped: Counter[str]
) -> Mapping[int, ModelVerdict]:
    """The verdicts that can be used, by the place of their pair in the batch."""
    given: dict[int, list[ModelVerdict]] = {}
    for verdict in verdicts:
        if 1 <= verdict.pair <= len(batch):
            given.setdefault(verdict.pair - 1, []).append(verdict)
        else:
            dropped["on a pair that was not asked about"] += 1
    kept: dict[int, ModelVerdict] = {}
    for place, pair in enumerate(batch):
        said = given.get(place, [])
        if not said:
            dropped["missing or of a wrong form"] += 1
        elif len({one.contradiction for one in said}) > 1:
            dropped["both yes and no"] += 1
        elif not _quotes_stand(said[0].explanation, pair):
            dropped["quoting words that are not there"] += 1
        else:
            short = " ".join(said[0].explanation.split())[:_LONGEST_EXPLANATION]
            kept[place] = said[0].model_copy(update={"explanation": short})
    return kept


_QUOTED = re.compile(r"[“\"«]([^”\"»]+)[”\"»]")


def _quotes_stand(explanation: str, pair: Pair) -> bool:
    """Whether everything the explanation puts in quotation marks is said in the claims."""
    said = " ".join(f"{pair[0].text} {pair[1].text}".casefold().split())
    quoted = (" ".join(quote.casefold().split()) for quote in _QUOTED.findall(explanation))
    return all(quote.strip(" .,;") in said for quote in quoted)
