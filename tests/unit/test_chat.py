"""What a line means in a conversation."""

from typing import cast

import pytest

from graphs import chat
from graphs.brain import Brain
from tools.domain import Answer, Clarification, ClarificationOption

OPTIONS = (
    ClarificationOption(number=1, label="A fact", intent="factual"),
    ClarificationOption(number=2, label="Everything", intent="exploratory"),
)


class AskingBrain:
    """Asks back whatever it is asked, and remembers what reached it."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []

    async def ask(self, question: str, **_: object) -> Answer:
        self.heard.append(("ask", question))
        return self._asking_back(question)

    async def resume(self, thread_id: str, reply: str, **_: object) -> Answer:
        self.heard.append(("resume", reply))
        return self._asking_back(thread_id)

    def _asking_back(self, query: str) -> Answer:
        return Answer(
            status="needs_clarification",
            query=query,
            thread_id="t",
            clarification=Clarification(question="Which?", options=OPTIONS),
        )


async def test_after_help_a_number_is_an_example_until_a_question_asks_back() -> None:
    brain, session = AskingBrain(), chat.Session(thread="t")
    for line in ("*help", "sleep", "1"):
        session = await chat.step(cast("Brain", brain), session, line)
    assert brain.heard == [("ask", "sleep"), ("resume", "1")]
    for line in ("*help", "1"):
        session = await chat.step(cast("Brain", brain), session, line)
    assert brain.heard[-1] == ("ask", "what is spaced repetition?")


async def test_the_end_of_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    with pytest.raises(EOFError):
        await chat.read_line()
