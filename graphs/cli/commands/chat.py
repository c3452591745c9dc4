"""``brain chat``: the persona Query, one question after another in one thread."""

import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.interpreter.commands import has_content, is_question, read_command
from agents.interpreter.plan import COMMANDS
from graphs.app import open_brain
from graphs.brain import Brain
from graphs.cli.commands.links import chat as chat_links
from graphs.cli.commands.links.chat import LinkTurn
from graphs.cli.output import console
from graphs.cli.output.lines import read_line
from graphs.cli.output.links import AGREE
from graphs.core.state import QueryContext
from graphs.query.replies import agreed
from tools.base.domain import Answer, Intent, Mode
from tools.base.errors import BrainError
from tools.rendering.plan import plan_in_words

GREETING = (
    "I am Query. I search your notes and show where every line stands. "
    "Ask in plain words, or *help."
)
FAREWELL = "Until the next question."
_HELP = """\
1. *query QUESTION            any question; I find out what kind it is
2. *temporal-query X [DATES]  how X developed (a timeline)
3. *compare A vs B            side by side (a table)
4. *surface-related X         everything near X
5. *plan                      how the last question was read
6. *yolo on|off               {yolo}
7. *link [NOTE]               what a note should link to, or the one cited last;
                              *link N [TYPE] [WHY] shows a link to the N-th, and asks
8. *undo                      take the last link out of its notes again
9. *exit                      leave
A number runs the command's example; / works like *."""
_EXAMPLES = {
    "1": "*query what is spaced repetition?",
    "2": "*temporal-query atomic notes since 2024",
    "3": "*compare Zettelkasten vs PARA",
    "4": "*surface-related sleep",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Where the conversation stands.

    ``waiting`` is a question back that has no reply yet, ``asked`` what was answered last,
    ``links`` where it stands with links.
    """

    thread: str
    verbose: bool = False
    whole: bool = False
    yolo: bool = True
    waiting: Answer | None = None
    asked: Answer | None = None
    links: LinkTurn = field(default_factory=LinkTurn)
    helped: bool = False
    ended: bool = False


async def chat(
    *,
    vault: Path | None,
    data_dir: Path | None,
    mode: Mode | None,
    verbose: bool = False,
    whole: bool = False,
) -> int:
    """Read lines until *exit or the end of input; ``verbose`` shows how each was answered.

    ``whole`` shows everything found, not the short page.
    """
    async with open_brain(vault, data_dir=data_dir, mode=mode) as brain:
        console.show_line(GREETING)
        session = Session(thread=secrets.token_hex(4), verbose=verbose, whole=whole)
        while not session.ended:
            try:
                line = await read_line(f"{AGREE} [y/N] " if session.links.planned else "query> ")
            except EOFError:
                break
            try:
                session = await step(brain, session, line.strip())
            except BrainError as error:
                console.show_line(str(error))
    console.show_line(FAREWELL)
    return 0


async def step(brain: Brain, session: Session, line: str) -> Session:
    """Carry out one line and return where the conversation stands then."""
    if session.links.planned is not None:
        links, session = session.links, replace(session, links=replace(session.links, planned=None))
        if await chat_links.reply(brain, links, line):
            return session
    if not line:
        return session
    if session.helped and line in _EXAMPLES:
        line = _EXAMPLES[line]
        console.show_line(f"query> {line}")
    command = read_command(line)
    session = replace(session, helped=False)  # from here on a number is a reply again
    if command is None:
        return await _reply(brain, session, line)
    name = command.name
    if name == "link":
        return await _link(brain, session, command.rest)
    if name == "undo":
        await chat_links.undo(brain)
        return session
    if name not in COMMANDS:
        return _told(session, name, command.rest)
    if not has_content(command.rest):
        console.show_line(f"*{name} needs something to look for. *help shows examples.")
        return session
    return await _ask(brain, session, command.rest, COMMANDS[name])


def _told(session: Session, name: str, rest: str) -> Session:
    """Carry out a command that asks nothing of the notes."""
    match name:
        case "help":
            yolo = "on: I search at once" if session.yolo else "off: I show the plan and ask first"
            console.show_line(_HELP.format(yolo=yolo))
            return replace(session, helped=True)
        case "yolo":
            yolo = {"on": True, "off": False}.get(rest.lower(), not session.yolo)
            said = "on. I search at once." if yolo else "off. I ask before I search."
            console.show_line(f"Yolo is {said}")
            return replace(session, yolo=yolo)
        case "plan":
            for line in _plan(session.asked):
                console.show_line(line)
            return session
        case "exit":
            return replace(session, ended=True)
        case _:
            console.show_line(f"I do not know *{name}. *help lists what I do.")
            return session


async def _link(brain: Brain, session: Session, words: str) -> Session:
    results = session.asked.results if session.asked is not None else ()
    cited = results[0].note_path if results else None
    links = await chat_links.link(brain, session.links, words, cited=cited)
    return replace(session, links=links)


async def _reply(brain: Brain, session: Session, line: str) -> Session:
    """Take the line as the answer to what was asked back, or as a new question."""
    if session.waiting is None or not _replies(line, session.waiting):
        if not has_content(line):
            console.show_line("Ask something in plain words, or *help.")
            return session
        return await _ask(brain, replace(session, waiting=None), line, None)
    answer = await brain.resume(session.thread, line, context=_context(session))
    return _shown(brain, session, answer)


def _replies(line: str, waiting: Answer) -> bool:
    """Whether the line goes on with what was asked back."""
    if waiting.clarification is None:
        return False
    if not waiting.clarification.options:
        return not is_question(line)
    confirming = waiting.status == "needs_confirmation"
    return line.isdecimal() or (confirming and agreed(line) is not None)


async def _ask(brain: Brain, session: Session, question: str, intent: Intent | None) -> Session:
    answer = await brain.ask(
        question, intent=intent, thread_id=session.thread, context=_context(session)
    )
    return _shown(brain, session, answer)


def _shown(brain: Brain, session: Session, answer: Answer) -> Session:
    if answer.clarification is not None:
        console.show_question_back(answer, in_chat=True)
        return replace(session, waiting=answer)
    console.show_answer(answer, vault=brain.settings.vault.name, verbose=session.verbose)
    return replace(session, waiting=None, asked=answer)


def _plan(answer: Answer | None) -> list[str]:
    """How the last question was read, a line each."""
    if answer is None or answer.plan is None:
        return ["Nothing has been asked yet."]
    return [f"{label}: {value}" for label, value in plan_in_words(answer.plan).items()]


def _context(session: Session) -> QueryContext:
    return QueryContext(yolo=session.yolo, whole=session.whole or session.verbose)
