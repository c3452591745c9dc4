"""Questions over a vault in threads: some lean on what was asked before them."""

from pydantic import Field

from evals.datasets.evidence import AnswerCase
from evals.datasets.records import Record, Text


class Turn(AnswerCase):
    """A question of a dialogue; ``leans``: it needs what was asked before."""

    leans: bool = False


class Dialogue(Record):
    """Questions over a vault, one after another in one thread."""

    vault: Text
    turns: tuple[Turn, ...] = Field(min_length=1)


def part(turn: Turn, at: int) -> str:
    """What part the turn at a place has in its dialogue."""
    return "opening" if at == 0 else "leaning" if turn.leans else "new"
