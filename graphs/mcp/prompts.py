"""What a client offers its user to begin with: the commands of a question, as prompts."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from tools.base.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """A prompt: what it is for, the tool that answers it, and the words that ask for it."""

    title: str
    about: str
    words: str


_PROMPTS: Mapping[str, _Begun] = {
    "query": _Begun(
        title="Ask my notes",
        about="What to find out.",
        words="Find out from my notes: {about}. Call the tool `ask` first; quote its lines with "
        "note and line, and say so where the notes do not have it.",
    ),
    "temporal-query": _Begun(
        title="How something changed",
        about="What to follow through time.",
        words="Tell me how this changed in my notes: {about}. Call `timeline` and `ask` with the "
        "intent temporal; give each step with its date, note and line.",
    ),
    "compare": _Begun(
        title="Compare things in my notes",
        about="Two things or more.",
        words="Compare in my notes: {about}. Call `ask` with the intent comparative; show a table, "
        "each cell with its note and line.",
    ),
    "surface-related": _Begun(
        title="What is connected",
        about="A note, a person or a subject.",
        words="Show what is connected to this in my notes: {about}. Call `search_graph`, then "
        "`find_related` on its best anchor; tell why each is connected, with note and line.",
    ),
}


def list_prompts() -> list[Prompt]:
    """The prompts there are."""
    return [
        Prompt(
            name=name,
            title=one.title,
            description=one.about,
            arguments=[PromptArgument(name="about", description=one.about, required=True)],
        )
        for name, one in _PROMPTS.items()
    ]


def require_argument(name: str, argument: str) -> None:
    """Raise InputError where it is no prompt, or has no such argument."""
    _require(name)
    if argument != "about":
        raise InputError(f"The prompt {name} has no argument {argument[:40]!r}: it has about.")


def _require(name: str) -> None:
    if name not in _PROMPTS:
        raise InputError(f"There is no prompt {name[:40]!r}: there are {', '.join(_PROMPTS)}.")


def prompt(name: str, arguments: Mapping[str, str]) -> GetPromptResult:
    """The words of a prompt. Raises InputError where it is none, or not told what it is about."""
    _require(name)
    about = arguments.get("about", "").strip()
    if not about:
        raise InputError(f"The prompt {name} needs to be told what it is about.")
    text = _PROMPTS[name].words.format(about=about)
    return GetPromptResult(
        description=_PROMPTS[name].title,
        messages=[PromptMessage(role="user", content=TextContent(type="text", text=text))],
    )
