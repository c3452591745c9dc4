"""What is fuzzed holds for a few texts, and for those that fuzzing once found at fault."""

from itertools import product

import pytest

from tests.fuzz.targets import TARGETS, within_time
from tests.fuzz.texts import PIECES, text_of


def often(piece: str) -> bytes:
    """What stands for a piece 90,000 times, or as often as fits."""
    beyond, at = divmod(PIECES.index(piece), 127)
    return bytes([0x80 + at, 0xD0 + beyond]) * 9


INPUTS = {
    "nothing": b"",
    "every piece": b"".join(often(piece)[:1] + b"\0" for piece in PIECES[:127]),
    "open links by a date": b"2024 " + often("[["),
    "open quotation marks by a date": b"2024 " + often("“"),
    "nothing but line separators": often("\u2028"),
    "open braces by a date": b"2024 " + often("{"),
}


def marks(name: str, target: str) -> list[pytest.MarkDecorator]:
    """What was at fault by a date are dates; for a note most brackets stand among hostile ones."""
    return [pytest.mark.torture] if target == "note" and "by a date" in name else []


@pytest.mark.parametrize(
    ("name", "target"),
    [pytest.param(*one, marks=marks(*one)) for one in product(INPUTS, TARGETS)],
)
def test_what_is_fuzzed_holds(name: str, target: str) -> None:
    within_time(target, INPUTS[name])


def test_bytes_stand_for_pieces_that_repeat() -> None:
    assert text_of(b"ab") == "ab"
    assert text_of(b"\x80\0x") == f"{PIECES[0]}x"
    assert text_of(often("[[")) == "[[" * 50_000
