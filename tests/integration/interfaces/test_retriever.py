"""Other programs that use this one: as LangChain's retriever, in notebooks; left as they were."""

import asyncio
import copy
import gc
import subprocess
import sys
import threading

import pytest

from graphs.retriever import BrainRetriever
from tests.support.vaults.indexed import Indexed
from tools.base.errors import InputError

pytestmark = pytest.mark.integration

_GUEST = """
import asyncio, gc, os, sys

def state():
    return dict(os.environ), gc.get_threshold(), gc.get_freeze_count(), gc.isenabled()

before = state()
from graphs.app import open_brain
from graphs.retriever import BrainRetriever

async def ask():
    async with open_brain(sys.argv[1], data_dir=sys.argv[2]) as brain:
        await brain.ask("What is a Zettelkasten?")

asyncio.run(ask())
assert state() == before
kept = BrainRetriever(vault=sys.argv[1], data_dir=sys.argv[2], k=1)
print(kept.invoke("late caffeine")[0].metadata["source"])
assert state() == before
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a search may take longer than a person would wait for it."""
    monkeypatch.setenv("BRAIN_SOURCE_TIMEOUT", "20")


def retriever_of(indexed: Indexed, *, k: int = 10) -> BrainRetriever:
    return BrainRetriever(vault=str(indexed.vault), data_dir=str(indexed.data_dir), k=k)


async def test_a_retriever_finds_passages_with_their_places(indexed: Indexed) -> None:
    with retriever_of(indexed) as retriever:
        first, *_ = await retriever.ainvoke("late caffeine")
    assert first.metadata["source"] == first.metadata["note_path"] == "notes/Late caffeine.md"
    assert first.metadata["line_start"] > 1
    assert first.page_content


@pytest.mark.parametrize("wanted", [1, 3])
def test_a_retriever_gives_as_many_passages_as_are_wanted(indexed: Indexed, wanted: int) -> None:
    with retriever_of(indexed, k=wanted) as retriever:
        assert len(retriever.invoke("sleep")) == wanted
        assert len(retriever.invoke("sleep", k=2)) == 2


async def test_a_retriever_works_inside_a_running_loop_and_in_many_threads(
    indexed: Indexed,
) -> None:
    with retriever_of(indexed, k=1) as retriever:
        here = retriever.invoke("late caffeine")
        asked = [asyncio.to_thread(retriever.invoke, "late caffeine") for _ in range(4)]
        there = await asyncio.gather(*asked, retriever.ainvoke("late caffeine"))
    assert all(found == here for found in there)


def test_a_retriever_that_was_closed_opens_again(indexed: Indexed) -> None:
    retriever = retriever_of(indexed, k=1)
    first = retriever.invoke("late caffeine")
    retriever.close()
    retriever.close()
    assert retriever.invoke("late caffeine") == first
    retriever.close()


def test_a_copy_opens_the_vault_for_itself(indexed: Indexed) -> None:
    retriever = retriever_of(indexed, k=1)
    of = ["mine"]
    retriever.metadata = {"of": of}
    first = retriever.invoke("late caffeine")
    copies = [retriever.model_copy(), copy.deepcopy(retriever)]
    retriever.close()
    for one in copies:
        assert one.invoke("late caffeine") == first
        one.close()
    of.append("more")
    assert [one.metadata for one in copies] == [{"of": of}, {"of": ["mine"]}]


def test_a_retriever_that_nobody_holds_lets_go_of_its_thread(indexed: Indexed) -> None:
    retriever = retriever_of(indexed, k=1)
    retriever.invoke("late caffeine")
    opened = [one for one in threading.enumerate() if one.name == "brain-retriever"]
    del retriever
    gc.collect()
    for thread in opened:
        thread.join(20)
    assert [thread.is_alive() for thread in opened] == [False]


def test_what_cannot_be_opened_is_told_each_time() -> None:
    retriever = BrainRetriever(vault="no such folder")
    for _ in range(2):
        with pytest.raises(InputError):
            retriever.invoke("late caffeine")


def test_a_program_that_asks_is_left_as_it_was_and_ends_though_it_never_closes(
    indexed: Indexed,
) -> None:
    command = [sys.executable, "-c", _GUEST, str(indexed.vault), str(indexed.data_dir)]
    done = subprocess.run(
        command, env=indexed.environment, check=True, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("notes/Late caffeine.md\n", "")
