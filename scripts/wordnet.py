"""Compiles WordNet's files into the two tables that lie in ``tools/claims``.

``apt-get download wordnet-base``, unpack it, then ``python scripts/wordnet.py FOLDER`` with the
folder that has ``data.noun``. WordNet 3.0 may be used, changed and passed on with its licence,
which lies beside the tables.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TABLES = Path(__file__).parents[1] / "tools" / "claims"
HEADER = "# Made from WordNet 3.0 by scripts/wordnet.py; its licence is in WORDNET_LICENSE.txt.\n"

# Kinds whose members exclude each other: what is one of them is no other. Of clothes, tools and
# people's roles a thing, or a person, may have several at once; a room is in a building, a city in
# a country.
KINDS = {
    "drink": ["beverage:13"],
    "element": ["chemical_element:27"],
    "fabric": ["fabric:06"],
    "room": ["room:06"],
    "building": ["building:06"],
    "country": ["country:15"],
    "city": ["city:15"],
    "state": ["state:15"],
    "continent": ["continent:17"],
    "island": ["island:17"],
    "water": ["ocean:17", "sea:17", "river:17", "lake:17"],
    "nationality": ["inhabitant:18"],
    "language": ["natural_language:10"],
    "religion": ["religion:09"],
    "colour": ["color:07"],
    "instrument": ["musical_instrument:06"],
    "vehicle": ["vehicle:06"],
    "furniture": ["furniture:06"],
    "celestial body": ["celestial_body:17"],
    "animal": ["animal:03"],
    "tree": ["tree:20"],
    "flower": ["flower:20"],
    "sport": ["sport:04"],
    "game": ["game:04"],
    "disease": ["disease:26"],
    "month": ["calendar_month:28"],
}
"""The topmost members of each kind: a word, and the lexicographer file of the sense (lexnames)."""

COMMON = 2
"""So many first senses of a word count; of rarer ones a reader does not think."""
LONGEST_NAME = 2
"""Words of a name."""


@dataclass(frozen=True, slots=True)
class Synset:
    """Words that mean one thing, and where it points to: (sign, offset, source and target word)."""

    words: tuple[str, ...]
    pointers: tuple[tuple[str, str, str], ...]


@dataclass(slots=True)
class Part:
    """One part of speech: synsets by offset, the offsets of each word by frequency."""

    synsets: dict[str, Synset] = field(default_factory=dict[str, Synset])
    senses: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def below(self, sign: Iterable[str]) -> Mapping[str, list[str]]:
        """For each synset those that point to it by one of these signs."""
        found: dict[str, list[str]] = defaultdict(list)
        for offset, synset in self.synsets.items():
            for kind, target, _ in synset.pointers:
                if kind in sign:
                    found[target].append(offset)
        return found


def main() -> None:
    """Read the files and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    nouns = read(folder, "noun")
    _write("kinds.txt", _kinds(nouns, _tops(folder, nouns)))
    parts = [nouns, *(read(folder, name) for name in ("verb", "adj", "adv"))]
    _write("antonyms.txt", sorted({line for part in parts for line in _antonyms(part)}))


def read(folder: Path, name: str) -> Part:
    """One pair of ``data`` and ``index`` files, as wndb(5WN) describes them."""
    part = Part()
    for line in _lines(folder / f"data.{name}"):
        offset, _, _, count, *rest = line.split(" | ")[0].split()
        size = int(count, 16)
        words = tuple(word.partition("(")[0] for word in rest[: 2 * size : 2])
        pointers = rest[2 * size + 1 :][: 4 * int(rest[2 * size])]
        part.synsets[offset] = Synset(
            words, tuple(zip(pointers[::4], pointers[1::4], pointers[3::4], strict=True))
        )
    for line in _lines(folder / f"index.{name}"):
        word, _, _, pointers, *rest = line.split()
        part.senses[word] = rest[int(pointers) + 2 :]
    return part


def _tops(folder: Path, part: Part) -> Mapping[str, str]:
    """The offset of the first sense of each word in each lexicographer file."""
    files = dict(line.split(" ", 2)[:2] for line in _lines(folder / "data.noun"))
    return {
        f"{word}:{files[offset]}": offset
        for word, offsets in part.senses.items()
        for offset in reversed(offsets)
    }


def _kinds(nouns: Part, tops: Mapping[str, str]) -> Iterator[str]:
    """Each kind as a tree: a line a synset, deeper by a space, its words between commas."""
    below = nouns.below(("@", "@i"))
    for kind, topmost in KINDS.items():
        yield f"[{kind}]"
        for top in topmost:
            yield from _tree(nouns, below, tops[top], depth=0)


def _tree(nouns: Part, below: Mapping[str, Sequence[str]], offset: str, *, depth: int) -> list[str]:
    """The synset and all below it that have a word people use for it."""
    inner = [
        line
        for child in below.get(offset, ())
        for line in _tree(nouns, below, child, depth=depth + 1)
    ]
    words = [word.lower() for word in nouns.synsets[offset].words if _common(word, offset, nouns)]
    return [" " * depth + ",".join(words or ["-"]), *inner] if words or inner else []


def _common(word: str, offset: str, part: Part) -> bool:
    usual = offset in part.senses.get(word.lower(), [])[:COMMON]
    return usual and word.count("_") < LONGEST_NAME and word.replace("_", "").isalpha()


def _antonyms(part: Part) -> Iterator[str]:
    """Pairs of words that are opposites in a sense that both usually have."""
    for offset, synset in part.synsets.items():
        for sign, target, numbers in synset.pointers:
            if sign == "!":
                source_word, target_word = bytes.fromhex(numbers)
                one = synset.words[source_word - 1]
                other = part.synsets[target].words[target_word - 1]
                if one < other and _common(one, offset, part) and _common(other, target, part):
                    yield f"{one.lower()} | {other.lower()}"


def _lines(file: Path) -> list[str]:
    """The lines of a file without the licence at its head."""
    return [line for line in file.read_text("latin-1").splitlines() if not line.startswith("  ")]


def _write(name: str, lines: Iterable[str]) -> None:
    (TABLES / name).write_text(HEADER + "".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
