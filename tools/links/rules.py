"""What a link may be: its type, its name, its context, and how many there may be. Pure."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime

from tools.base.domain import Note
from tools.base.errors import InputError
from tools.text.normalize import fold_name
from tools.vault.notes.links import resolver, wikilink
from tools.vault.notes.notes import parse_note

MOST_LINKS, MANY_LINKS = 50, 30
"""Links of a note beyond which it is a list of everything; from ``MANY_LINKS`` on a warning."""
MOST_SUGGESTIONS = 50
"""More than these nobody looks through."""
MOST_TARGETS = 20
"""Notes that one note is linked to at once: what is approved together must fit a screen."""
LONGEST_CONTEXT = 500
"""Characters of the sentence that says why there is a link."""
LONGEST_FILE_NAME = 100
"""Characters of a new file's name, below what any file system has room for."""

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
_NO_WIKILINK = frozenset("[]|#^")
_UNSAFE = re.compile(r"[/\\:*?\"<>|\x00-\x1f\x7f]")
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


def check_suggestions(count: int) -> int:
    """How many suggestions are wanted. Raises InputError for none or too many."""
    if not 1 <= count <= MOST_SUGGESTIONS:
        raise InputError(f"Ask for 1 to {MOST_SUGGESTIONS} suggestions at once.")
    return count


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
    context = context.strip()
    if len(context) > LONGEST_CONTEXT:
        raise InputError(
            f"The context has {len(context)} characters: shorten it to {LONGEST_CONTEXT}."
        )
    if any(ord(letter) < 32 for letter in context) or len(context.splitlines()) > 1:
        raise InputError("The context has more than one line: make it one.")
    for what, pattern in _DANGEROUS:
        if pattern.search(context):
            raise InputError(f"The context has {what} in it: say it in plain words.")
    read = parse_note("context.md", f"- {context}".encode(), mtime=_UNDATED)
    for what, found in (("a link", read.links), ("a tag", read.tags), ("a field", read.fields)):
        if found:
            raise InputError(f"The context has {what} in it: say it in plain words.")
    return context


def wikilink_name(path: str, names: Iterable[tuple[str, str]]) -> str:
    """The shortest name in brackets that leads to the note at ``path`` and may mean no other.

    ``names`` are as ``resolver`` takes them. It is the file's name, with as many of its folders as
    it takes. Raises InputError for a note that no wikilink can lead to.
    """
    pairs = list(names)
    resolve = resolver(pairs)
    parts = path.removesuffix(".md").split("/")
    for start in reversed(range(len(parts))):
        name = "/".join(parts[start:])
        if not _NO_WIKILINK.isdisjoint(name) or not _is_read(name):
            break
        if resolve(name) == path and (start == 0 or _alone(fold_name(name), path, pairs)):
            return name
    else:
        raise InputError(f"No link leads to {path} alone: give one of its namesakes another name.")
    raise InputError(
        f"No wikilink can lead to {path}: rename it without [ ] | # ^ and an attachment's ending."
    )


def _is_read(name: str) -> bool:
    return [link.target for link in wikilink(name, 1, embed=False, relation=None)] == [name]


def _alone(name: str, path: str, pairs: Iterable[tuple[str, str]]) -> bool:
    return all(
        own == path or not (folded == name or folded.endswith(f"/{name}")) for folded, own in pairs
    )


def file_name(title: str, taken: Collection[str]) -> str:
    """A name for a new note's file, without its ending, that is not among those ``taken``.

    Signs that file systems or wikilinks refuse and spaces become hyphens; letters' case tells no
    two names apart. Raises InputError for a title that nothing is left of.
    """
    safe = _UNSAFE.sub("-", title.strip())
    safe = "".join("-" if letter in _NO_WIKILINK else letter for letter in safe)
    safe = re.sub(r"\s+", "-", safe[:LONGEST_FILE_NAME]).strip("-.")
    if not safe:
        raise InputError("The title has no letter that a file's name may have: give another.")
    known = {fold_name(name) for name in taken}
    count, name = 0, safe
    while fold_name(name) in known:
        count += 1
        name = f"{safe}-{count}"
    return name
