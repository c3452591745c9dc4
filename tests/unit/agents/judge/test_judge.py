"""Which claims of several contradict each other, and who says so: words, reader or model."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel

from agents.judge.candidate_pairs import MOST_PAIRS, candidate_pairs
from agents.judge.judge import Judgement, judge
from agents.llm.structured import OnPartial
from tools.base.domain import Claim, Mode
from tools.base.errors import (
    BrainError,
    ModelUnavailableError,
    ServiceUnavailableError,
    StorageError,
    StoreVersionError,
)

POSITIVE = "Atomic notes improve long-term recall."
NEGATIVE = "Atomic notes do not improve long-term recall compared with ordinary notes."
OPEN = ("Atomic notes improve recall.", "Atomic notes do not improve recall of faces.")


def claim(text: str, path: str, *, day: int | None = None, line: int = 1) -> Claim:
    when = datetime(2024, 5, day, tzinfo=UTC) if day else None
    return Claim(
        note_path=path, note_title=path.removesuffix(".md"), text=text, line=line, timestamp=when
    )


class FakeModel:
    """Answers with a prepared reply, or not at all, and remembers the prompts."""

    def __init__(self, *verdicts: dict[str, object], error: str = "") -> None:
        self.reply = {"verdicts": list(verdicts)}
        self.error = error
        self.prompts: list[str] = []

    async def __call__[T: BaseModel](
        self, prompt: str, schema: type[T], *, on_partial: OnPartial | None = None
    ) -> T:
        self.prompts.append(prompt)
        if self.error:
            raise ModelUnavailableError(self.error)
        return schema.model_validate(self.reply)


async def judged(
    *texts: str, mode: Mode = "local", model: FakeModel | None = None, limit: int = 10
) -> Judgement:
    claims = [claim(text, f"{at}.md") for at, text in enumerate(texts)]
    return await judge(claims, relate=None, model=model, mode=mode, limit=limit)


# --- which pairs ---


def test_only_claims_of_different_notes_that_say_other_things_are_paired() -> None:
    found = candidate_pairs(
        [
            claim(POSITIVE, "a.md"),
            claim(NEGATIVE, "a.md"),
            claim(NEGATIVE, "b.md"),
            claim("The fence is new.", "c.md"),
        ]
    )
    assert found == [(0, 2), (0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize(("other", "paired"), [("LEE", 0), ("Kim", 1)])
def test_a_note_is_compared_with_itself_where_it_cites_two_sources(other: str, paired: int) -> None:
    claims = [
        claim("According to Lee (2019), the tank holds 40 litres.", "a.md"),
        claim(f"According to {other} (2019), the tank holds 60 litres.", "a.md"),
    ]
    assert len(candidate_pairs(claims)) == paired


def test_the_pairs_of_the_foremost_claims_come_first() -> None:
    claims = [claim(f"Basil grows well in tray {at}.", f"{at}.md") for at in range(40)]
    found = candidate_pairs(claims)
    assert len(found) == MOST_PAIRS
    assert found[:4] == [(0, 1), (0, 2), (0, 3), (1, 2)]


# --- all claims ---


async def test_two_contradictions_in_other_words_are_both_told() -> None:
    said = {
        "a.md": ("Ines eats meat every day.", "Ines drives to work."),
        "b.md": ("Ines turned vegan long ago.", "Ines never sat behind a wheel."),
    }
    clashing = set(zip(*said.values(), strict=True))

    async def relate(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        said = [tuple(text.partition(": ")[2] for text in pair) for pair in pairs]
        sure = [0.99 if pair in clashing else 0.01 for pair in said]
        return np.array([[one, 0, 0, 1 - one] for one in sure], np.float32)

    claims = [claim(text, path) for path, own in said.items() for text in own]
    found = await judge(claims, relate=relate, model=None, mode="local")
    assert {(one.note_a.claim, one.note_b.claim) for one in found.contradictions} == clashing


async def test_both_sides_are_named_dated_and_the_newer_one_is_known() -> None:
    claims = [claim(POSITIVE, "old.md", day=3, line=7), claim(NEGATIVE, "new.md", day=9, line=12)]
    (found,) = (await judge(claims, relate=None, model=None, mode="local")).contradictions
    assert (found.note_a.path, found.note_a.line, found.note_a.claim) == ("old.md", 7, POSITIVE)
    assert (found.note_b.title, found.note_b.line, found.note_b.claim) == ("new", 12, NEGATIVE)
    assert found.note_b.timestamp == claims[1].timestamp
    assert found.newer == "b"
    assert found.decided_by == "local"


async def test_without_dates_none_is_newer() -> None:
    (found,) = (await judged(POSITIVE, NEGATIVE)).contradictions
    assert found.newer == "unknown"


async def test_one_contradiction_per_pair_of_notes_and_topic() -> None:
    claims = [
        claim(POSITIVE, "a.md"),
        claim("Atomic notes improve recall a lot.", "a.md"),
        claim("Our tank holds 60 litres.", "a.md"),
        claim(NEGATIVE, "b.md"),
        claim("Our tank holds 90 litres.", "b.md"),
    ]
    found = (await judge(claims, relate=None, model=None, mode="local")).contradictions
    assert sorted(one.type for one in found) == ["conflicting_values", "negation"]


async def test_the_limit_keeps_the_surest() -> None:
    texts = [POSITIVE, NEGATIVE, "Our tank holds 60 litres.", "Our tank holds 90 litres."]
    every = (await judged(*texts)).contradictions
    assert [one.confidence for one in every] == sorted(
        (one.confidence for one in every), reverse=True
    )
    assert (await judged(*texts, limit=1)).contradictions == every[:1]


async def test_no_claims_no_contradictions() -> None:
    assert await judge([], relate=None, model=None, mode="auto") == Judgement(
        contradictions=(), decided_by="local"
    )


# --- with the reader of pairs ---


class FakeReader:
    """Tells of every pair the same, and remembers what it was shown."""

    def __init__(self, *shares: float) -> None:
        self.shares = shares
        self.shown: list[tuple[str, str]] = []

    async def __call__(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.shown += pairs
        return np.array([self.shares] * len(pairs), np.float32)


SURE_THAT_NOT, SURE = (0.001, 0.0, 0.998, 0.001), (0.999, 0.0, 0.0005, 0.0005)
OTHER_WORDS = "Olive trees thrive on daily watering.", "Olive trees rot under daily watering."


async def read(*texts: str, reader: FakeReader) -> Judgement:
    claims = [claim(text, f"{at}.md") for at, text in enumerate(texts)]
    return await judge(claims, relate=reader, model=None, mode="local")


async def test_what_the_reader_is_sure_of_is_told_with_the_words_that_differ() -> None:
    assert (await judged(*OTHER_WORDS)).contradictions == ()
    (found,) = (await read(*OTHER_WORDS, reader=FakeReader(*SURE))).contradictions
    assert found.explanation.index("“thrive on”") < found.explanation.index("“rot under”")
    assert found.confidence > 0.7


async def test_a_clash_of_words_that_means_none_to_the_reader_is_not_told() -> None:
    assert (await judged(POSITIVE, NEGATIVE)).contradictions
    assert (await read(POSITIVE, NEGATIVE, reader=FakeReader(*SURE_THAT_NOT))).contradictions == ()


@pytest.mark.parametrize(("clash", "told"), [(0.2, 0), (0.35, 1)])
async def test_what_the_words_are_sure_of_is_told_where_the_reader_finds_it_likely(
    clash: float, told: int
) -> None:
    reader = FakeReader(clash, 0.0, 0.6 - clash, 0.4)
    assert len((await read(POSITIVE, NEGATIVE, reader=reader)).contradictions) == told


async def test_the_reader_is_shown_so_many_pairs_those_of_the_foremost_claims_first() -> None:
    beside = ("thyme", "mint", "dill", "sage", "leek", "chard", "beet", "bean")
    texts = [f"Basil grows well beside {herb}." for herb in beside]
    reader = FakeReader(*SURE_THAT_NOT)
    await read(POSITIVE, NEGATIVE, *texts, reader=reader)
    assert len(reader.shown) == MOST_PAIRS
    assert reader.shown[0] == ("0: " + POSITIVE, "1: " + NEGATIVE)


async def test_the_reader_is_told_what_a_claim_is_about_that_does_not_say_so() -> None:
    reader = FakeReader(*SURE_THAT_NOT)
    years = ("The warranty is two years.", "The warranty is three years.")
    claims = [claim(years[0], "Boiler.md"), claim(years[1], "Boiler manual.md")]
    await judge(claims, relate=reader, model=None, mode="local")
    ((a, b),) = reader.shown
    assert {a, b} == {f"Boiler: {years[0]}", f"Boiler manual: {years[1]}"}


@pytest.mark.parametrize(
    "error",
    [
        ServiceUnavailableError("The semantic server does not answer."),
        StorageError("disk full"),
        StoreVersionError("newer"),
    ],
)
async def test_without_the_reader_the_words_decide_and_a_warning_says_so(error: BrainError) -> None:
    async def broken(_pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        raise error

    claims = [claim(POSITIVE, "a.md"), claim(NEGATIVE, "b.md")]
    found = await judge(claims, relate=broken, model=None, mode="local")
    assert len(found.contradictions) == 1
    (warning,) = found.warnings
    assert (warning.source, warning.error) == ("semantic", str(error))


# --- with a model ---


def says(pair: int, *, yes: bool = True, explanation: str = "") -> dict[str, object]:
    return {
        "pair": pair,
        "contradiction": yes,
        "confidence": 0.9,
        "type": "negation" if yes else None,
        "explanation": explanation,
    }


async def test_auto_asks_the_model_only_where_words_leave_it_open() -> None:
    sure = FakeModel(says(1, yes=False))
    assert len((await judged(POSITIVE, NEGATIVE, mode="auto", model=sure)).contradictions) == 1
    assert sure.prompts == []

    unsure = FakeModel(says(1))
    assert (await judged(*OPEN)).contradictions == ()
    found = await judged(*OPEN, mode="auto", model=unsure)
    assert [one.decided_by for one in found.contradictions] == ["llm"]
    assert found.decided_by == "llm"
    (prompt,) = unsure.prompts
    assert all(text in prompt for text in OPEN)


async def test_llm_mode_lets_the_model_overrule_the_words() -> None:
    found = await judged(POSITIVE, NEGATIVE, mode="llm", model=FakeModel(says(1, yes=False)))
    assert found == Judgement(contradictions=(), decided_by="llm")


async def test_local_mode_never_asks() -> None:
    model = FakeModel(says(1))
    assert (await judged(*OPEN, mode="local", model=model)).decided_by == "local"
    assert model.prompts == []


@pytest.mark.parametrize(
    "answer",
    [says(2), says(0), says(1, explanation="One says “tea”, the other “coffee”.")],
)
async def test_verdicts_on_unknown_pairs_or_with_invented_quotes_are_dropped(
    answer: dict[str, object],
) -> None:
    found = await judged(*OPEN, mode="llm", model=FakeModel(answer))
    assert found.contradictions == ()


async def test_true_quotes_are_kept() -> None:
    answer = says(1, explanation='The second says "do not improve recall".')
    (found,) = (await judged(*OPEN, mode="llm", model=FakeModel(answer))).contradictions
    assert found.explanation == 'The second says "do not improve recall".'


@pytest.mark.parametrize("model", [None, FakeModel(error="Ollama is not running.")])
async def test_without_an_answer_the_words_decide_and_a_warning_says_so(
    model: FakeModel | None,
) -> None:
    found = await judged(POSITIVE, NEGATIVE, mode="llm", model=model)
    assert [one.decided_by for one in found.contradictions] == ["local"]
    assert found.decided_by == "fallback"
    assert [warning.source for warning in found.warnings] == ["model"]


async def test_where_changes_are_asked_for_outright_less_sure_ones_are_told() -> None:
    claims = [claim(text, f"{at}.md") for at, text in enumerate(OTHER_WORDS)]
    told: list[int] = []
    for outright in (False, True):
        found = await judge(
            claims,
            relate=FakeReader(0.5, 0.1, 0.1, 0.3),
            model=None,
            mode="local",
            outright=outright,
        )
        told.append(len(found.contradictions))
    assert told == [0, 1]
