"""What a link says, and which note it means. Pure."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from tools.base.domain import Link
from tools.text.normalize import fold_name
from tools.vault.notes import markdown

_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,10}$")
_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif|heic|tiff?|mp3|wav|m4a|ogg|flac|3gp|mp4|webm|mov|mkv|ogv"
    r"|pdf|canvas|base|csv|zip|docx?|xlsx?|pptx?|html?)$",
    re.IGNORECASE,
)


def resolver(names: Iterable[tuple[str, str]]) -> Callable[[str], str | None]:
    """Make a look-up from a link's target as written to a note's path, or None.

    ``names`` are (folded name, path) pairs, the best note for a name last. As in Obsidian, the
    last parts of a path are enough, and a link that says too much falls back to its last part.
    """
    known: dict[str, str] = {}
    pairs = list(names)
    for folded, path in pairs:
        parts = folded.split("/")
        for start in range(1, len(parts)):
            known["/".join(parts[start:])] = path
    known.update(pairs)

    def resolve(target: str) -> str | None:
        name = fold_name(target).lstrip("./")
        return known.get(name) or known.get(name.rsplit("/", 1)[-1])

    return resolve


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
