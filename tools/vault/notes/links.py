"""What a link says, and which note it means. Pure."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from tools.base.domain import Link
from tools.text.normalize import fold_name
from tools.vault.notes import markdown

NO_WIKILINK = frozenset("[]|#^")
"""Characters that mean something else within the brackets of a wikilink."""
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,10}$")
_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif|heic|tiff?|mp3|wav|m4a|ogg|flac|3gp|mp4|webm|mov|mkv|ogv"
    r"|pdf|canvas|base|csv|zip|docx?|xlsx?|pptx?|html?)$",
    re.IGNORECASE,
)


class LinkNames:
    """What links may call the notes of a vault.

    As in Obsidian, the last parts of a path are enough, and a link that says too much falls back to
    its last part.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Of (folded name, path) pairs, the best note for a name last."""
        self._known: dict[str, str] = {}
        self._shared = set[str]()
        pairs = list(names)
        for folded, path in pairs:
            parts = folded.split("/")
            for start in range(1, len(parts)):
                self._add("/".join(parts[start:]), path)
        for folded, path in pairs:
            self._add(folded, path)

    def note(self, target: str) -> str | None:
        """The path of the note that a link with this target, as written, leads to."""
        name = fold_name(target).lstrip("./")
        return self._known.get(name) or self._known.get(name.rsplit("/", 1)[-1])

    def is_shared(self, name: str) -> bool:
        """Whether more than one note is called so, or lies at a path that ends so."""
        return fold_name(name) in self._shared

    def _add(self, name: str, path: str) -> None:
        if self._known.get(name, path) != path:
            self._shared.add(name)
        self._known[name] = path


def resolver(names: Iterable[tuple[str, str]]) -> Callable[[str], str | None]:
    """The look-up of ``LinkNames`` alone, which takes a link's target as written."""
    return LinkNames(names).note


def wikilink(inner: str, line: int, *, embed: bool, relation: str | None) -> Iterator[Link]:
    """Yield the link in ``[[inner]]``, or nothing for an attachment."""
    written, _, alias = inner.replace("\\|", "|").partition("|")
    target, _, fragment = written.partition("#")
    target = target.strip()
    if _ATTACHMENT.search(target) or not (target or fragment.strip()):
        return
    heading, block_id = _fragment(fragment)
    yield Link(
        target=target,
        line=line,
        alias=alias.strip() or None,
        heading=heading,
        block_id=block_id,
        embed=embed,
        relation=relation,
    )


def hyperlink(
    mark: markdown.Hyperlink, line: int, *, path: str, relation: str | None
) -> Iterator[Link]:
    """The note that ``[label](href)`` leads to, if it leads to a note.

    ``./`` and ``../`` are resolved from the note's folder and ``/`` from the vault; other targets
    stay as written, since editors disagree on where they start.
    """
    if _REMOTE.match(mark.href):
        return
    address, _, fragment = mark.href.partition("#")
    target = unquote(address.partition("?")[0], errors="replace").strip()
    if target.startswith(("./", "../")):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    target = target.strip("/")
    folder, _, name = target.rpartition("/")
    is_note = name.lower().endswith(".md") or not _EXTENSION.search(name)
    is_site = "." in folder.partition("/")[0]
    heading, block_id = _fragment(unquote(fragment, errors="replace"))
    if not is_note or is_site or "\0" in target or not (target or heading or block_id):
        return
    yield Link(
        target=target,
        line=line,
        alias=mark.label or None,
        heading=heading,
        block_id=block_id,
        relation=relation,
    )


def _fragment(fragment: str) -> tuple[str | None, str | None]:
    """Heading or block id after ``#``; of a heading path the last, which is the place meant."""
    last = fragment.rpartition("#")[2].strip()
    if last.startswith("^"):
        return None, last[1:] or None
    return last or None, None
