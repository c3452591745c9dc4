"""Questions over a vault with the lines of its notes that are their evidence."""

from typing import ClassVar, Self

from pydantic import Field
from pydantic import model_validator as validator

from evals.datasets.records import Record, Text


class Place(Record):
    """Lines of a note, 1-based and inclusive."""

    path: Text
    lines: tuple[int, int]


class AnswerCase(Record):
    """A question and where a vault answers it; several places are each an answer.

    ``after`` is a question that it leans on: asked before it in one thread, and not measured.
    """

    example: ClassVar[str] = (
        '{"q": "What is PARA?", "gold": [{"path": "PARA.md", "lines": [3, 3]}]}'
    )

    q: Text
    kind: str = "all"
    gold: tuple[Place, ...] = Field(default=())
    answerable: bool = True
    after: str = ""

    @validator(mode="after")
    def _evidence_is_given(self) -> Self:
        if self.answerable != bool(self.gold):
            raise ValueError("a question is answerable just where it has `gold` places")
        return self
