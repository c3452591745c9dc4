"""What a link may be: its type, its name, its context, and how many there may be. Pure."""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime

from tools.base.domain import Note
from tools.base.errors import InputError
from tools.vault.notes.links import NO_WIKILINK, LinkNames, wikilink
from tools.vault.notes.notes import parse_note

MOST_LINKS, MANY_LINKS = 50, 30
"""Links of a note beyond which it is a list of everything; from ``MANY_LINKS`` on a warning."""
MOST_SUGGESTIONS = 50
"""Suggestions that a program gets at once: more than these nobody looks through."""
MOST_TARGETS = 20
"""Notes that one note is linked to at once: what is approved together must fit a screen."""
LONGEST_CONTEXT = 500
"""Characters of the sentence that says why there is a link."""
LONGEST_HEADING = 100
"""Characters of the heading of a section that is made for links."""

OTHER_SIDE: Mapping[str, str] = {
    "supports": "supported_by",
    "contradicts": "contradicts",
    "elaborates": "elaborated_by",
    "analogous_to": "analogous_to",
    "generalizes": "specializes",
    "specializes": "generalizes",
    "influences": "influenced_by",
}
"""The types of links, each with what the other note says of this one."""

_DANGEROUS = (
    ("a script", re.compile(r"<\s*/?\s*script|javascript:", re.IGNORECASE)),
    ("an event handler", re.compile(r"\bon\w+\s*=", re.IGNORECASE)),
    ("a call of code", re.compile(r"\b(?:eval|Function)\s*\(", re.IGNORECASE)),
    ("a tag of HTML or a comment", re.compile(r"<[A-Za-z/!?]|%%")),
    ("a bracket of a link", re.compile(r"\[\[|\]\]|\]\(|\]\[")),
    ("the sign of a field (::)", re.compile(r"::")),
    ("a block id", re.compile(r"(?:^|\s)\^[A-Za-z0-9-]+\s*$")),
)
_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


def check_type(kind: str) -> str:
    """The type of a link. Raises InputError for another."""
    if kind not in OTHER_SIDE:
        raise InputError(f"{kind!r} is no type of link: choose one of {', '.join(OTHER_SIDE)}.")
    return kind


def check_count(links: int) -> str | None:
    """What to warn of before one more link; raises InputError where there may be none."""
    if links >= MOST_LINKS:
        raise InputError(
            f"The note has {links} links, and {MOST_LINKS} are the most: split it, or make a map."
        )
    if links >= MANY_LINKS:
        return f"The note has {links} links already; at {MOST_LINKS} no more are added."
    return None


def check_targets(targets: Collection[str]) -> None:
    """Raise InputError for too many notes to link to at once."""
    if len(targets) > MOST_TARGETS:
        raise InputError(
            f"{len(targets)} notes are too many to link to at once: choose at most {MOST_TARGETS}."
        )


def check_new(
    source: Note, target: Note, resolve: Callable[[str], str | None], *, both_ways: bool = False
) -> None:
    """Raise InputError for a link of a note to itself, or one that it has in whatever syntax.

    With ``both_ways`` a link of the target to the source counts, too.
    """
    if source.path == target.path:
        raise InputError("A note is not linked to itself: choose another one.")
    if _leads_to(source, target.path, resolve):
        raise InputError(f"{source.path} links to {target.path} already.")
    if both_ways and _leads_to(target, source.path, resolve):
        raise InputError(f"{target.path} links to {source.path} already.")


def _leads_to(note: Note, path: str, resolve: Callable[[str], str | None]) -> bool:
    return any(resolve(link.target) == path for link in note.links)


def check_context(context: str) -> str:
    """The sentence that says why there is a link, without space around it.

    Raises InputError for what is too long, or would be more than a sentence where it is written.
    """
    return _plain_line(context, "context", longest=LONGEST_CONTEXT)


def check_heading(heading: str) -> str:
    """The heading of a section for links, without space around it; raises as ``check_context``."""
    heading = _plain_line(heading, "heading", longest=LONGEST_HEADING)
    if not heading.strip("# "):
        raise InputError("The heading has no words: name the section.")
    return heading


def _plain_line(text: str, name: str, *, longest: int) -> str:
    """The text without space around it, if it is no more than words on one line."""
    text = text.strip()
    if len(text) > longest:
        raise InputError(f"The {name} has {len(text)} characters: shorten it to {longest}.")
    if any(ord(letter) < 32 for letter in text) or len(text.splitlines()) > 1:
        raise InputError(f"The {name} has more than one line: make it one.")
    for what, pattern in _DANGEROUS:
        if pattern.search(text):
            raise InputError(f"The {name} has {what} in it: say it in plain words.")
    read = parse_note("text.md", f"- {text}".encode(), mtime=_UNDATED)
    for what, found in (("a link", read.links), ("a tag", read.tags), ("a field", read.fields)):
        if found:
            raise InputError(f"The {name} has {what} in it: say it in plain words.")
    return text


def wikilink_name(path: str, names: LinkNames) -> str:
    """The shortest name in brackets that leads to the note at ``path`` and may mean no other.

    It is the file's name, with as many of its folders as it takes; where brackets cannot have it,
    the whole path with its ending, which a ``NewLink`` has in parentheses if need be. Raises
    InputError for a note that no link leads to alone.
    """
    parts = path.removesuffix(".md").split("/")
    for start in reversed(range(len(parts))):
        name = "/".join(parts[start:])
        if not NO_WIKILINK.isdisjoint(name) or not _is_read(name):
            return path
        if names.note(name) == path and (start == 0 or not names.is_shared(name)):
            return name
    raise InputError(f"No link leads to {path} alone: give one of its namesakes another name.")


def _is_read(name: str) -> bool:
    return [link.target for link in wikilink(name, 1, embed=False, relation=None)] == [name]
