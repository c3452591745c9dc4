"""Calls begun before their answers are asked for, and calls waited for together."""

import asyncio
import threading

import pytest

from graphs.core.prefetch import Prefetch, SingleFlight


class _Calls:
    """A function that tells how often it was called, and fails when told to."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.cancelled: list[str] = []
        self.failing = False

    async def __call__(self, text: str) -> str:
        self.made.append(text)
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.cancelled.append(text)
            raise
        if self.failing:
            raise ValueError(text)
        return f"{text} {len(self.made)}"


async def test_what_was_begun_is_given_once() -> None:
    calls = _Calls()
    begun = Prefetch(calls)
    begun.begin("a")
    assert await begun("a") == "a 1"
    assert calls.made == ["a"]
    assert await begun("a") == "a 2"


async def test_what_was_not_begun_is_called() -> None:
    calls = _Calls()
    begun = Prefetch(calls)
    begun.begin("a")
    assert await begun("b") == "b 2"
    assert sorted(calls.made) == ["a", "b"]


async def test_a_later_beginning_takes_the_place_of_one_nobody_asked_for() -> None:
    calls = _Calls()
    begun = Prefetch(calls)
    begun.begin("a")
    begun.begin("a")
    assert await begun("a") == "a 2"


async def test_an_error_is_raised_where_the_answer_is_asked_for() -> None:
    calls = _Calls()
    calls.failing = True
    begun = Prefetch(calls)
    begun.begin("a")
    with pytest.raises(ValueError, match="a"):
        await begun("a")


async def test_calls_nobody_asks_for_are_given_up_and_make_no_noise() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    calls = _Calls()
    calls.failing = True
    begun = Prefetch(calls)
    begun.begin("first")
    await asyncio.sleep(0)  # it is under way
    for number in range(16):
        begun.begin(str(number))
    with pytest.raises(ValueError, match="15"):
        await begun("15")
    assert calls.cancelled == ["first"]
    assert not told


class _Work:
    """Work in a thread that goes on until it is let go."""

    def __init__(self) -> None:
        self.done = 0
        self.let_go = threading.Event()

    def __call__(self) -> int:
        assert self.let_go.wait(10)
        self.done += 1
        return self.done


async def test_work_under_way_is_done_once_for_all_who_ask() -> None:
    work, shared = _Work(), SingleFlight[int]()
    asked = [asyncio.create_task(shared("a", work)) for _ in range(3)]
    await asyncio.sleep(0)
    work.let_go.set()
    assert await asyncio.gather(*asked) == [1, 1, 1]
    assert await shared("a", work) == 2


async def test_work_for_something_else_is_its_own() -> None:
    work, shared = _Work(), SingleFlight[int]()
    work.let_go.set()
    assert sorted(await asyncio.gather(shared("a", work), shared("b", work))) == [1, 2]


async def test_who_gives_up_does_not_end_the_work_of_others() -> None:
    work, shared = _Work(), SingleFlight[int]()
    one, other = (asyncio.create_task(shared("a", work)) for _ in range(2))
    await asyncio.sleep(0)
    one.cancel()
    await asyncio.gather(one, return_exceptions=True)
    work.let_go.set()
    assert await other == 1


async def test_an_error_is_raised_to_all_who_wait() -> None:
    def fail() -> int:
        raise ValueError("no")

    shared = SingleFlight[int]()
    found = await asyncio.gather(shared("a", fail), shared("a", fail), return_exceptions=True)
    assert [type(one) for one in found] == [ValueError, ValueError]
