"""Bytes put into a file at given places, and taken out again. Pure.

Whatever the program writes into a note is insertions, so what it did not write cannot change.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Insertion:
    """Bytes that go before the byte ``at`` of the file as it was."""

    at: int
    content: bytes


def inserted(raw: bytes, insertions: Sequence[Insertion]) -> bytes:
    """The file with these in it; of two at one place the first stands first."""
    parts: list[bytes] = []
    done = 0
    for one in sorted(insertions, key=lambda insertion: insertion.at):
        parts += (raw[done : one.at], one.content)
        done = one.at
    return b"".join((*parts, raw[done:]))


def taken_out(raw: bytes, insertions: Sequence[Insertion]) -> bytes | None:
    """The file as it was before ``inserted``; None where it does not have them at their places."""
    parts: list[bytes] = []
    done = shift = 0
    for one in sorted(insertions, key=lambda insertion: insertion.at):
        begin = one.at + shift
        end = begin + len(one.content)
        if begin < done or raw[begin:end] != one.content:
            return None
        parts.append(raw[done:begin])
        done, shift = end, shift + len(one.content)
    return b"".join((*parts, raw[done:]))
