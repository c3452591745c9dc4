"""A step that is done to its end whoever cancels it, and however."""

import asyncio

import anyio
import pytest

from graphs.core.whole_step import whole
from tools.base.errors import InputError


async def step(done: list[str], *, fail: bool = False) -> str:
    await asyncio.sleep(0.05)
    if fail:
        raise InputError("No.")
    done.append("done")
    return "result"


async def test_a_cancelled_scope_waits_for_the_step() -> None:
    done: list[str] = []
    with anyio.CancelScope() as scope:
        asyncio.get_running_loop().call_later(0.01, scope.cancel)
        assert await whole(step(done)) == "result"
        await asyncio.sleep(10)
        done.append("went on")
    assert scope.cancelled_caught
    assert done == ["done"]


@pytest.mark.parametrize("fail", [True, False])
async def test_a_cancelled_task_waits_for_the_step(*, fail: bool) -> None:
    done: list[str] = []
    task = asyncio.ensure_future(whole(step(done, fail=fail)))
    for _ in range(3):
        await asyncio.sleep(0.005)
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ([] if fail else ["done"])
    with pytest.raises(InputError, match="No"):
        await whole(step(done, fail=True))
