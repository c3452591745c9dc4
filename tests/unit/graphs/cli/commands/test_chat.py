"""What a line means in a conversation."""

from typing import cast

import pytest

from graphs.brain import Brain
from graphs.cli.commands import chat
from graphs.cli.output.lines import read_line
from tools.base.domain import Answer, Clarification, ClarificationOption

OPTIONS = (
    ClarificationOption(number=1, label="A fact", intent="factual"),
    ClarificationOption(number=2, label="Everything", intent="exploratory"),
)


class AskingBrain:
    """Asks back whatever it is asked, and remembers what reached it."""

    def __init__(self, options: tuple[ClarificationOption, ...] = OPTIONS) -> None:
        self.heard: list[tuple[str, str]] = []
        self._options = options

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
            clarification=Clarification(question="Which?", options=self._options),
        )


async def test_after_help_a_number_is_an_example_until_a_question_asks_back() -> None:
    brain, session = AskingBrain(), chat.Session(thread="t")
    for line in ("*help", "sleep", "1"):
        session = await chat.step(cast("Brain", brain), session, line)
    assert brain.heard == [("ask", "sleep"), ("resume", "1")]
    for line in ("*help", "1"):
        session = await chat.step(cast("Brain", brain), session, line)
    assert brain.heard[-1] == ("ask", "what is spaced repetition?")


@pytest.mark.parametrize(
    ("line", "heard"),
    [
        ("PARA", ("resume", "PARA")),
        ("2", ("resume", "2")),
        ("Why We Sleep", ("resume", "Why We Sleep")),
        ("what is sleep?", ("ask", "what is sleep?")),
        ("tell me about sleep", ("ask", "tell me about sleep")),
        ("*QUERY what is sleep", ("ask", "what is sleep")),
        ("/Compare sleep and tea", ("ask", "sleep and tea")),
    ],
)
async def test_a_new_question_is_not_taken_for_the_name_that_was_asked_for(
    line: str, heard: tuple[str, str]
) -> None:
    brain, session = AskingBrain(options=()), chat.Session(thread="t")
    for said in ("*compare Zettelkasten", line):
        session = await chat.step(cast("Brain", brain), session, said)
    assert brain.heard[-1] == heard


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("*query", "needs something"),
        ("*QUERY ?", "needs something"),
        ("*foo bar", "do not know *foo"),
        ("?", "plain words"),
        ("\u200b", "plain words"),
    ],
)
async def test_a_line_that_asks_nothing_is_not_searched(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    brain = AskingBrain()
    await chat.step(cast("Brain", brain), chat.Session(thread="t"), line)
    assert (brain.heard, said in capsys.readouterr().out) == ([], True)


async def test_stressed_words_are_a_question() -> None:
    brain = AskingBrain()
    line = "*important* notes on sleep"
    await chat.step(cast("Brain", brain), chat.Session(thread="t"), line)
    assert brain.heard == [("ask", line)]


async def test_the_end_of_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    with pytest.raises(EOFError):
        await read_line("> ")
