"""Compile the words that ``tools/text/wordnet.py`` reads: ``python scripts/word_relations.py DIR``.

DIR has the database files of WordNet 3.0 (``data.noun`` …; in Debian the package
``wordnet-base``). Kept are the first senses of single words, what is above them, which words are
opposites, and irregular forms; a sense that is rare in its word is marked. The licence stands
beside the table.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.text.wordnet import RARE

TABLE = Path(__file__).parents[1] / "tools" / "text" / "wordnet.txt"
HEADER = (
    "# Made from WordNet 3.0 by scripts/word_relations.py; its licence is in WORDNET_LICENSE.txt."
)

_SENSES, _RARE_SENSES = 3, 6
"""Of a word as one part of speech, the most frequent, and those that are kept as rare ones."""
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_ABOVE = ("@", "@i")
_SIMILAR, _OPPOSITE = "&", "!"


@dataclass(slots=True)
class Synset:
    words: Sequence[str]
    above: str | None = None
    similar: str | None = None
    opposites: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """A word, and where its opposite stands: its synset and number there."""

    @property
    def over(self) -> str | None:
        """The synset that this is a kind of, or the adjective that it means nearly the same as."""
        return self.above or self.similar


def synsets(folder: Path, part: str) -> Mapping[str, Synset]:
    """The synsets of a part of speech by their offsets."""
    found: dict[str, Synset] = {}
    for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * at].partition("(")[0].lower() for at in range(count)]
        one = found[fields[0]] = Synset(words)
        start = 4 + 2 * count
        for at in range(int(fields[start])):
            symbol, target, of, numbers = fields[start + 1 + 4 * at : start + 5 + 4 * at]
            if symbol in _ABOVE and one.above is None:
                one.above = target
            elif symbol == _SIMILAR and fields[2] == "s":
                one.similar = one.similar or target
            elif symbol == _OPPOSITE and of in (_PARTS[part], "s"):
                source, number = (int(half, 16) for half in (numbers[:2], numbers[2:]))
                one.opposites.append((words[source - 1], f"{target} {number}"))
    return found


def senses(folder: Path, part: str) -> Iterator[tuple[str, list[str]]]:
    """Every word with its most frequent synsets' offsets."""
    for line in (folder / f"index.{part}").read_text("utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            count = int(fields[2])
            yield fields[0], fields[-count:][:_RARE_SENSES]


def sections(folder: Path) -> Iterator[str]:
    """The lines of the table."""
    every = {part: synsets(folder, part) for part in _PARTS}
    words: dict[str, list[str]] = {}
    for part in _PARTS:
        known = {word: own for word, own in senses(folder, part) if word.isalpha()}
        lines = numbered(every[part], dict.fromkeys(one for own in known.values() for one in own))
        for word, offsets in known.items():
            words.setdefault(word, []).extend(
                f"{RARE * (rank >= _SENSES)}{part}:{lines[offset]}"
                for rank, offset in enumerate(offsets)
            )
        yield f"[{part}]"
        overs = (every[part][offset].over for offset in lines)
        yield from (str(lines[over]) if over else "" for over in overs)
    yield "[words]"
    yield from sorted(f"{word} {' '.join(places)}" for word, places in words.items())
    yield "[opposites]"
    yield from dict.fromkeys(pair for part in _PARTS for pair in opposites(every[part]))
    yield "[forms]"
    for part in _PARTS:
        for entry in (folder / f"{part}.exc").read_text("utf-8").splitlines():
            form, base, *_ = entry.split()
            if form != base and form.isalpha() and base.isalpha():
                yield f"{form} {base}"


def numbered(every: Mapping[str, Synset], wanted: Iterable[str]) -> Mapping[str, int]:
    """The numbers of the synsets that are wanted; each comes after what is over it."""
    numbers: dict[str, int] = {}

    def number(offset: str) -> None:
        if offset not in numbers:
            if over := every[offset].over:
                number(over)
            numbers[offset] = len(numbers)

    for offset in wanted:
        number(offset)
    return numbers


def opposites(every: Mapping[str, Synset]) -> Iterator[str]:
    """Pairs of words that are opposites, each in its order."""
    for one in every.values():
        for word, place in one.opposites:
            offset, number = place.split()
            pair = {word, every[offset].words[int(number) - 1]}
            if len(pair) == 2 and all(map(str.isalpha, pair)):
                yield " ".join(sorted(pair))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    lines = [HEADER, *sections(parser.parse_args().folder)]
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
