"""A language model's order of the notes that were found; asked only where a setting names one.

The first notes are given to it at once (listwise reranking; Sun et al. 2023, arXiv:2304.09542).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from pydantic import BaseModel, ConfigDict

import prompts
from agents.llm.structured import StructuredModel
from tools.base.domain import Result
from tools.ranking.fusion import tier

RERANKED = 20
"""Notes that a model is shown."""
_PASSAGE = 600
"""Characters of each note's best passage."""


class Ordering(BaseModel):
    """The numbers of the notes shown, best first."""

    model_config = ConfigDict(extra="forbid")

    order: list[int]


class Reranker(Protocol):
    """Put results in another order. Raises ModelUnavailableError."""

    async def __call__(self, question: str, results: Sequence[Result]) -> tuple[Result, ...]: ...


def make_reranker(model: StructuredModel) -> Reranker:
    """Have ``model`` order the first ``RERANKED`` results; those behind them stay."""

    async def rerank(question: str, results: Sequence[Result]) -> tuple[Result, ...]:
        shown = results[:RERANKED]
        if len(shown) < 2:
            return tuple(results)
        prompt = await asyncio.to_thread(
            prompts.render, "reranker", question=prompts.quoted(question), notes=_listed(shown)
        )
        reply = await model(prompt, Ordering)
        return (*reordered(shown, reply.order), *results[RERANKED:])

    return rerank


def reordered(results: Sequence[Result], order: Sequence[int]) -> tuple[Result, ...]:
    """The results by their numbers (from 1); unknown numbers count for nothing, left out come last.

    The scores stay at their places, so that the list is still sorted by them.
    """
    wanted = [number - 1 for number in order if 1 <= number <= len(results)]
    places = dict.fromkeys([*wanted, *range(len(results))])
    scores = sorted((result.composite_relevance for result in results), reverse=True)
    return tuple(
        replace(results[place], composite_relevance=score, tier=tier(score))
        for place, score in zip(places, scores, strict=True)
    )


def _listed(results: Sequence[Result]) -> str:
    listed = [
        {
            "number": number,
            "title": result.note_title,
            "passage": result.excerpts[0].text[:_PASSAGE] if result.excerpts else "",
        }
        for number, result in enumerate(results, start=1)
    ]
    return prompts.quoted(listed)
