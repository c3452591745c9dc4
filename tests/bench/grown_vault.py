"""A vault of any size out of the sentences of real notes, the same each time.

``python -m tests.bench.grown_vault --out DIR --notes 10000 [--real-life] SOURCE …`` writes one.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tools.vault.disk.files import scan

FOLDERS = 40
TAGS = 200
BEGAN = datetime(2016, 1, 1, tzinfo=UTC)
DAYS = 3600

_FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_MARKUP = re.compile(r"^\s*(?:[#\-*>|`$!]|\d+\. )", re.MULTILINE)
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK = re.compile(r"!?\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]")
_NAME = re.compile(r"[^\w' -]+")
_RELATIONS = ("causes", "supports", "contradicts", "leads to", "part of")
_MOC_LINKS = 5_000
_LARGE_BYTES = 300_000
_LARGE, _LONG_LINES, _EMPTY = 0.002, 0.02, 0.05


@dataclass(frozen=True, slots=True)
class Source:
    """One real note: its name and its paragraphs, each a list of sentences or one block."""

    name: str
    paragraphs: tuple[tuple[str, ...], ...]


def read_sources(folders: Sequence[Path]) -> list[Source]:
    """The notes of these folders that have something to say; links become their words."""
    found: list[Source] = []
    for folder in folders:
        for file in scan(folder, folders=(), max_bytes=1_000_000).files:
            text = (folder / file.path).read_text("utf-8", "replace").replace("\r\n", "\n")
            text = _LINK.sub(lambda link: link[2] or link[1], _FRONTMATTER.sub("", text))
            paragraphs = tuple(_paragraph(part) for part in text.split("\n\n") if part.strip())
            heading = _HEADING.search(text)
            name = _NAME.sub(" ", heading[1] if heading else Path(file.path).stem).strip()
            if paragraphs and name:
                found.append(Source(name, paragraphs))
    return found


def _paragraph(text: str) -> tuple[str, ...]:
    if _MARKUP.search(text):
        return (text.strip("\n"),)
    return tuple(_SENTENCE_END.split(" ".join(text.split())))


def grow(
    sources: Sequence[Source], notes: int, *, real_life: bool = False
) -> Iterator[tuple[str, str]]:
    """Path and text of each note. ``real_life`` adds what large vaults have a few of.

    A note tells what its source tells, paragraph by paragraph, with every second one exchanged for
    one of another source, and sentences shuffled between them; so no two are alike and the lengths
    are those of the sources. One note in ten is a hub that others link to more often.
    """
    names = _names(sources, notes)
    for number in range(notes):
        chance = random.Random(f"note {number}")  # noqa: S311
        path = f"{_folder(number)}/{names[number]}.md"
        if real_life and number == 0:
            yield path, _map_of_content(names, chance)
        elif real_life and chance.random() < _EMPTY:
            yield path, ""
        else:
            text = _note(number, sources, names, chance)
            if real_life:
                text = _stretched(text, sources, chance)
            yield path, text


def _names(sources: Sequence[Source], notes: int) -> list[str]:
    chance = random.Random("names")  # noqa: S311
    taken: dict[str, None] = {}
    while len(taken) < notes:
        one, other = chance.choice(sources).name, chance.choice(sources).name
        words = [*one.split()[:3], *other.split()[:2]]
        name = " ".join(words)[:80].strip()
        if name in taken or not name:
            name = f"{name} {len(taken)}".strip()
        taken.setdefault(name)
    return list(taken)


def _folder(number: int) -> str:
    return f"area {number % 8}/topic {number % FOLDERS:02}"


def _note(
    number: int, sources: Sequence[Source], names: Sequence[str], chance: random.Random
) -> str:
    own = sources[number % len(sources)]
    others = [chance.choice(sources) for _ in range(3)]
    parts: list[str] = []
    for at, paragraph in enumerate(own.paragraphs):
        found = paragraph if at % 2 else chance.choice(chance.choice(others).paragraphs)
        if len(found) > 1:
            more = chance.choice(own.paragraphs)
            found = chance.sample([*found, *(more if len(more) > 1 else ())], len(found))
        parts.append(" ".join(found))
    for at in range(len(parts)):
        if chance.random() < 0.3:
            parts[at] += f" See [[{_linked(names, chance)}]]."
    if chance.random() < 0.2:
        parts.append(f"{chance.choice(_RELATIONS)}:: [[{_linked(names, chance)}]]")
    return _properties(chance) + f"# {names[number]}\n\n" + "\n\n".join(parts) + "\n"


def _properties(chance: random.Random) -> str:
    if chance.random() < 0.4:
        return ""
    created = BEGAN + timedelta(days=chance.uniform(0, DAYS))
    tags = sorted({int(TAGS * chance.random() ** 3) for _ in range(chance.randrange(1, 4))})
    written = ", ".join(f"tag{tag}" for tag in tags)
    return f"---\ncreated: {created:%Y-%m-%d}\ntags: [{written}]\n---\n"


def _linked(names: Sequence[str], chance: random.Random) -> str:
    """A note to link to: the early ones are linked to more often than the late ones."""
    return names[int(len(names) * chance.random() ** 2)]


def _map_of_content(names: Sequence[str], chance: random.Random) -> str:
    linked = chance.sample(names, min(_MOC_LINKS, len(names)))
    return "# Everything\n\n" + "".join(f"- [[{name}]]\n" for name in linked)


def _stretched(text: str, sources: Sequence[Source], chance: random.Random) -> str:
    """A few notes of 300 KB, a few whose paragraphs are each one endless line."""
    if chance.random() < _LARGE:
        parts = [text]
        size = len(text)
        while size < _LARGE_BYTES:
            parts.append(" ".join(chance.choice(chance.choice(sources).paragraphs)))
            size += len(parts[-1]) + 2
        return "\n\n".join(parts) + "\n"
    if chance.random() < _LONG_LINES:
        heading, _, body = text.partition("\n\n")
        return f"{heading}\n\n{' '.join(body.split())}\n"
    return text


def write(vault: Path, notes: Iterator[tuple[str, str]]) -> int:
    """Write them into a new folder; returns how many bytes."""
    written = 0
    for path, text in notes:
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        written += file.write_bytes(text.encode("utf-8"))
    return written


def main() -> None:
    """Write a vault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--real-life", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True)
    sources = read_sources(given.sources)
    size = write(given.out, grow(sources, given.notes, real_life=given.real_life))
    sys.stdout.write(f"{given.notes} notes, {size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
