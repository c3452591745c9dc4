"""Two processes that watch each other: who is gone, who is silent, and who was only stopped."""

import socket
from collections.abc import Iterator

import pytest

from graphs.service.worker_pair import Peer


class Clock:
    """Seconds as a test has them pass."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pair(clock: Clock) -> Iterator[tuple[Peer, Peer]]:
    first, second = socket.socketpair()
    with first, second:
        yield Peer(line=first, clock=clock), Peer(line=second, clock=clock)


def test_two_that_tell_each_other_are_there(pair: tuple[Peer, Peer], clock: Clock) -> None:
    for _ in range(100):
        clock.now += 0.5
        assert all(one.is_alive() for one in pair)


def test_one_that_is_gone_is_missed_at_once(pair: tuple[Peer, Peer]) -> None:
    first, second = pair
    second.line.shutdown(socket.SHUT_RDWR)  # closing it would not do if a fork of ours had it too
    assert not first.is_alive()


def test_one_that_is_silent_is_missed_after_a_while(pair: tuple[Peer, Peer], clock: Clock) -> None:
    first, _ = pair
    heard = 0
    while first.is_alive():
        clock.now += 0.5
        heard += 1
    assert 15 < heard < 30


def test_one_that_was_stopped_itself_blames_nobody(pair: tuple[Peer, Peer], clock: Clock) -> None:
    clock.now += 3600
    assert all(one.is_alive() for one in pair)


def test_a_line_that_nobody_reads_does_not_hold_anybody_up(
    pair: tuple[Peer, Peer], clock: Clock
) -> None:
    first, second = pair
    first.line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    for _ in range(2_000):
        second.line.send(b".")
        assert first.is_alive()
    clock.now += 1
    assert second.is_alive()
