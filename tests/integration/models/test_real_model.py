"""Every role of a language model filled by a real one, SmolLM2-135M: what a weak model can do.

It understands little, and that is the point: what it says must be valid, in time, and never be told
unless the lines it cites say it. ``make test-model`` installs it and runs these.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from time import perf_counter

import pytest
from pydantic import BaseModel

from agents.llm.ollama import ollama_model
from graphs.core.state import QueryContext
from graphs.jobs.extraction import extract_folders
from tests.contract.answer_schema import as_json, schema_errors
from tests.support.questions.model_answers import (
    CLEAR,
    DISPUTED,
    UNCLEAR,
    asked,
    evidence_of,
    role,
    roles_asked,
)
from tests.support.vaults.extraction import Place, note, served
from tests.support.vaults.indexed import Indexed
from tests.support.waiting import until_async
from tools.semantic.encoder import load_encoder

pytest.importorskip("llama_cpp", reason="`make test-model` installs a real model")

from tests.fakes.local_model import NAME, LocalModel

pytestmark = [
    pytest.mark.integration,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("model_client_imported"),
]
PATIENT = 300.0
"""Seconds for one reply: as long as two busy cores take."""


class _Counted(BaseModel):
    count: int


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    with LocalModel() as server:
        yield server


@pytest.fixture(autouse=True)
def _nothing_asked_before(model: LocalModel) -> None:
    model.requests.clear()


async def test_how_it_reads_a_question_is_taken_or_the_person_asked(
    indexed: Indexed, model: LocalModel
) -> None:
    answer = await asked(
        indexed, UNCLEAR, url=model.url, name=NAME, mode="llm", model_timeout=PATIENT
    )
    assert roles_asked(model)[0] == "interpreter"
    assert answer.status in {"answered", "needs_clarification"}
    assert not schema_errors(json.loads(as_json(answer)))


async def test_what_it_makes_of_a_contradiction_quotes_lines_of_notes(
    indexed: Indexed, model: LocalModel
) -> None:
    given = {"mode": "llm", "ollama_url": model.url, "chat_model": NAME, "model_timeout": PATIENT}
    async with indexed.open(**given) as brain:
        answer = await brain.ask(DISPUTED, intent="factual", context=QueryContext(mode="llm"))
    assert "judge" in roles_asked(model)
    assert answer.status == "answered"
    for found in answer.contradictions:
        for side in (found.note_a, found.note_b):
            line = (indexed.vault / side.path).read_text("utf-8").split("\n")[side.line - 1]
            assert side.claim.rstrip(".")[:20] in line


async def test_what_it_writes_is_dropped_where_the_lines_do_not_say_it(
    indexed: Indexed, model: LocalModel
) -> None:
    answer = await asked(
        indexed, CLEAR, url=model.url, name=NAME, mode="auto", model_timeout=PATIENT
    )
    assert answer.status == "answered"
    prompts = [prompt for prompt in model.prompts if role(prompt) == "answerer"]
    assert prompts
    known = " ".join(str(one["text"]) for prompt in prompts for one in evidence_of(prompt))
    written = answer.answer.split("## Highly relevant")[0]
    for told in re.findall(r"^- (.*?) — \[\[", written, re.MULTILINE):
        assert set(re.findall(r"\d+", told)) <= set(re.findall(r"\d+", known))


async def test_the_order_of_the_results_keeps_every_note(
    indexed: Indexed, model: LocalModel
) -> None:
    async with indexed.open() as brain:
        plain = await brain.ask(CLEAR)
    async with indexed.open(
        mode="auto", ollama_url=model.url, rerank_model=NAME, model_timeout=PATIENT
    ) as brain:
        ordered = await brain.ask(CLEAR)
    paths = [{result.note_path for result in answer.results} for answer in (plain, ordered)]
    assert paths[0] == paths[1]


async def test_what_it_reads_out_of_a_note_names_the_version_it_was_read_from(
    place: Place, model: LocalModel
) -> None:
    place.write({"real/Ada.md": note("2024-03-01", "", "Ada Lovelace works at Acme Mill.")})
    await place.index()
    settings = place.settings(model, chat_model=NAME, model_timeout=PATIENT)
    job = await extract_folders(settings, ("real",))
    assert job.notes_done + job.notes_failed == 1
    assert all(fact.note_path == "real/Ada.md" for fact in served(settings, "real"))


async def test_a_limit_of_time_holds(indexed: Indexed, model: LocalModel) -> None:
    began = perf_counter()
    answer = await asked(indexed, CLEAR, url=model.url, name=NAME, mode="llm", model_timeout=0.5)
    assert answer.status == "answered"
    assert perf_counter() - began < 30
    assert "gave no answer within 0.5 s" in answer.answer


async def test_who_goes_away_is_not_waited_for(model: LocalModel) -> None:
    ask = ollama_model(url=model.url, name=NAME, timeout=PATIENT)
    task = asyncio.create_task(ask("Count to a thousand. " * 200, _Counted))
    await until_async(lambda: bool(model.prompts))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_it_gives_values_of_a_schema(model: LocalModel) -> None:
    ask = ollama_model(url=model.url, name=NAME, timeout=PATIENT)
    found = await ask("How many legs has a cat? Reply in JSON.", _Counted)
    assert isinstance(found.count, int)


def test_its_vectors_of_equal_texts_are_equal(model: LocalModel) -> None:
    encoder = load_encoder(NAME, ollama_url=model.url)
    one, other, apart = encoder.encode(["Basil needs sun.", "Basil needs sun.", "Trains run late."])
    assert one @ other == pytest.approx(1.0, abs=1e-3)
    assert one @ apart < one @ other
