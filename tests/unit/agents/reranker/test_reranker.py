"""A model's order of results: whatever it replies, the same results come back, sorted by score."""

import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.llm.structured import OnPartial
from agents.reranker.reranker import RERANKED, Reranker, make_reranker, reordered
from tests.support.values.results import a_result
from tools.base.domain import Result


def results(count: int) -> list[Result]:
    return [
        a_result(f"{n}.md", composite_relevance=1.0 - n / (2 * count)) for n in range(1, count + 1)
    ]


def paths(found: Sequence[Result]) -> list[str]:
    return [result.note_path for result in found]


def replying(order: Sequence[int], prompts: list[str]) -> Reranker:
    async def model[T: BaseModel](
        prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        prompts.append(prompt)
        return schema.model_validate({"order": order})

    return make_reranker(model)


def test_the_model_decides_the_order() -> None:
    assert paths(reordered(results(3), [3, 1, 2])) == ["3.md", "1.md", "2.md"]


def test_scores_and_tiers_stay_at_their_places() -> None:
    before = results(3)
    after = reordered(before, [3, 2, 1])
    assert [r.composite_relevance for r in after] == [r.composite_relevance for r in before]
    assert after[0].tier == "highly_relevant"


@given(st.integers(0, 25), st.lists(st.integers(-5, 30), max_size=40))
def test_nothing_is_lost_or_invented(count: int, order: list[int]) -> None:
    before = results(count)
    after = reordered(before, order)
    assert sorted(paths(after)) == sorted(paths(before))
    scores = [result.composite_relevance for result in after]
    assert scores == sorted(scores, reverse=True)


def test_what_lies_behind_stays_and_is_not_shown() -> None:
    before, prompts = results(RERANKED + 2), list[str]()
    after = asyncio.run(replying([2], prompts)("Why?", before))
    assert paths(after)[:2] == ["2.md", "1.md"]
    assert paths(after)[RERANKED:] == paths(before)[RERANKED:]
    assert f'"number": {RERANKED + 1}' not in prompts[0]


def test_one_result_needs_no_model() -> None:
    prompts: list[str] = []
    asyncio.run(replying([1], prompts)("Why?", results(1)))
    assert prompts == []
