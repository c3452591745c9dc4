"""What a line that a person types is: a command, a question of its own, or a reply to ours."""

import re
import unicodedata
from collections.abc import Set
from dataclasses import dataclass

from agents.interpreter.plan import COMMANDS, MAX_SUBJECTS, compared
from agents.interpreter.wording.question_words import words_of
from tools.base import guards
from tools.base.domain import QueryPlan
from tools.base.errors import InputError
from tools.text.normalize import distinct, flatten, fold_name
from tools.text.voice import translate

CHAT_ONLY = ("help", "plan", "yolo", "link", "undo", "exit")

# --- commands ------------------------------------------------------------------------------

_COMMAND = re.compile(r"[*/]([^\W\d_][\w-]*)(?:[\s:]+(.*))?", re.DOTALL)
_EMPHASIS_ENDS = re.compile(r"[^\s*]\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command, known or not: its name in lower case, and what follows it."""

    name: str
    rest: str


def read_command(line: str) -> Command | None:
    """The command that the line starts with; stress, as in ``*two words* more``, is none."""
    found = _COMMAND.fullmatch(line.strip())
    if found is None:
        return None
    command = Command(name=found[1].lower(), rest=(found[2] or "").strip())
    known = command.name in COMMANDS or command.name in CHAT_ONLY
    return command if known or not _EMPHASIS_ENDS.search(command.rest) else None


def require_question(line: str) -> None:
    """Raise InputError for a line that asks nothing where there is no conversation around it."""
    command = read_command(line)
    if command is None:
        if not has_content(line):
            raise InputError('Nothing was asked: ask, for example, "What do I know about sleep?"')
    elif command.name in CHAT_ONLY:
        raise InputError(f"*{command.name} works in `brain chat` only.")
    elif command.name not in COMMANDS:
        known = ", ".join(f"*{name}" for name in COMMANDS)
        raise InputError(f"There is no command *{command.name[:20]}: there are {known}.")
    elif not has_content(command.rest):
        raise InputError(
            f'*{command.name} needs something to look for, as in "*{command.name} sleep".'
        )


def has_content(text: str) -> bool:
    """Whether there is more than punctuation, blanks and what cannot be seen."""
    return any(unicodedata.category(char)[0] not in "PZCM" for char in text)


# --- a question of its own -----------------------------------------------------------------

_HELPER = (
    r"(?:['’]?s|is|are|was|were|do|does|did|can|could|should|would|will|have|has|had|much|many"
    r"|often)"
)
_ASKS = re.compile(
    rf"^(?:what|who|whom|whose|when|where|why|how|which) ?{_HELPER}\b"
    r"|^(?:is|are|was|were|do|does|did|can|could|should|would|will|have|has) (?:i|you|we|it|they"
    r"|he|she|there|this|that|these|those|my|our|the|a|an)\b"
    r"|^(?:please )?(?:(?:tell|show|give|remind) (?:me|us)|(?:find|list|search|show) (?:all|my|me"
    r"|every\w*|for|notes?)|(?:compare|contrast|explain|describe|define|summari[sz]e)) \S"
    r"|(?:^| )(?:nedir|nasil|neden|kimdir|hangisi\w*|nerede|ne zaman|m[iu](?:y[iu]m|y[iu]z|d[iu]r)?"
    r"|karsilastir|kiyasla|anlat|goster|bul|listele|acikla|ozetle)[.! ]*$"
)
_ASKING_WORD = re.compile(
    r"^(?:what|who|whom|whose|when|where|why|how|which"
    r"|ne|neden|nicin|niye|nasil|kim|kimin|hangi|nerede|nereden|kac) \S"
)
_TITLE_WORD = re.compile(r"[^\W\d_]{4,}")
# In lower case where it could open a title: “Against the Grain”.
_LEAD = re.compile(
    r"(?:[Ww]hat|[Hh]ow) about |[Cc](?:ompare|ontrast) (?:it |that |this )?(?:with|to|against) "
    r"|(?:with|to|against|versus|vs\.?|and) "
)
_AROUND_NAME = re.compile(r"^(?:both )?(?:the|an?) |^both | ile$", re.IGNORECASE)


def is_question(line: str) -> bool:
    """Whether the line is plainly a question, and not what somebody would name when asked what.

    A name may look like one: “Why We Sleep” is a book.
    """
    said = _said(line)
    flat = flatten(said)
    if flat.endswith("?") or _ASKS.search(flat):
        return True
    return _ASKING_WORD.match(flat) is not None and not _is_title(said)


def _is_title(text: str) -> bool:
    """Whether each longer word after the first has a capital."""
    words = _TITLE_WORD.findall(text.partition(" ")[2])
    return bool(words) and all(word[0].isupper() for word in words)


# --- a reply to "compared with what?" ------------------------------------------------------


def named_things(plan: QueryPlan, reply: str, *, names: Set[str] = frozenset()) -> tuple[str, ...]:
    """What the reply names that ``plan`` does not compare yet; ``names`` as in the context."""
    said = _said(reply)
    whole = guards.concept(said)
    known = {fold_name(subject) for subject in compared(plan)}
    listed = () if fold_name(whole) in names else _listed(said, names)
    named = distinct(listed if len(listed) > 1 else (whole,))
    return tuple(name for name in named if fold_name(name) not in known)


_JOINT = re.compile(
    r"\s*[,;]\s*(?:(?:and|or|ve|veya)\s+)?"
    r"|\s+(?:and|or|vs\.?|versus|as well as|ve|veya|ile|[&/+–-])\s+|(?<=\w{4})/(?=\w{4})"
)


def _listed(said: str, names: Set[str]) -> list[str]:
    """The things of a list, set apart as lists are; a note's name stays whole."""
    whole = [word for word in words_of(said, names=names) if not word.text]
    things, begun = list[str](), 0
    for joint in _JOINT.finditer(flatten(said)):
        if not any(word.start < joint.end() and joint.start() < word.end for word in whole):
            things.append(said[begun : joint.start()])
            begun = joint.end()
    clean = (guards.concept(_AROUND_NAME.sub("", one)) for one in (*things, said[begun:]))
    return [thing for thing in clean if thing]


def why_unusable(plan: QueryPlan, reply: str, *, names: Set[str] = frozenset()) -> str | None:
    """One sentence on why the reply names nothing to compare with, or None where it does."""
    said = _said(reply)
    first = compared(plan)
    one = first[0] if first else said
    if not has_content(guards.concept(said)):
        return translate("That names nothing.")
    if len(said) > guards.MAX_CONCEPT:
        return translate("Name it in at most {count} characters.", count=guards.MAX_CONCEPT)
    noted = fold_name(guards.concept(said)) in names
    if not noted and is_question(reply):
        return translate("That is a question of its own: ask it by itself.")
    # Years may be compared with each other.
    if not noted and said.isdecimal() and not any(map(str.isdecimal, one)):
        return translate("A number is no name: write the name.")
    things = named_things(plan, reply, names=names)
    if not things:
        return translate("That is the same as {name}.", name=one)
    if len(first) + len(things) > MAX_SUBJECTS:
        return translate("At most {count} things are compared.", count=MAX_SUBJECTS)
    return None


def _said(reply: str) -> str:
    """The reply on one line, without the words that lead to the name."""
    line = " ".join(guards.terminal_text(reply).split())
    lead = _LEAD.match(line)
    said = line[lead.end() :].rstrip("?! ") if lead else line
    return _AROUND_NAME.sub("", said)
