"""How much more often letters follow each other in Turkish words than in English ones.

``python -m scripts.letters`` writes ``tools/text/letters.txt``. It reads the questions that the
reader of intents is trained on (``evals/data/intents/train``), in both languages, the Turkish words
of the gloss (``agents/interpreter/turkish/gloss_tr.tsv``), and the English verbs of
``tools/text/verbs.txt``.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from tools.text.language import is_turkish
from tools.text.normalize import flatten
from tools.text.word_tables import table

_TRAINED_ON = Path("evals/data/intents/train")
_GLOSS = Path("agents/interpreter/turkish/gloss_tr.tsv")
_WRITTEN = Path("tools/text/letters.txt")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MOST = 20
"""Occurrences of a word that count; their root does, so that no word decides."""
_HEAD = (
    "# Made by scripts/letters.py. A letter (_ is the edge of a word), then for a … z and _\n"
    "# behind it ten times the log of how much likelier the pair is in Turkish than in English.\n"
)


def main() -> None:
    """Count the pairs of both languages and write the table."""
    turkish, english = map(_pairs, _words())
    lines = [
        f"{first} "
        + " ".join(str(_odds(first + then, turkish, english)) for then in _LETTERS + "_")
        for first in f"_{_LETTERS}"
    ]
    _WRITTEN.write_text(_HEAD + "\n".join(lines) + "\n", "utf-8")


def _words() -> tuple[Counter[str], Counter[str]]:
    """The words of Turkish and of English questions, of the gloss and of the table of verbs."""
    turkish: Counter[str] = Counter()
    english: Counter[str] = Counter()
    for file in sorted(_TRAINED_ON.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            question = json.loads(line)["query"]
            (turkish if is_turkish(question) else english).update(_split(question))
    for line in _GLOSS.read_text("utf-8").splitlines():
        turkish.update(_split(line.split("\t")[0]))
    for line in table("verbs"):
        english.update(_split(line))
    return turkish, english


def _split(text: str) -> list[str]:
    return re.findall(r"[a-z]+", flatten(text))


def _pairs(words: Mapping[str, int]) -> Mapping[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for word, count in words.items():
        ends = f"_{word}_"
        for at in range(len(ends) - 1):
            found[ends[at : at + 2]] += math.sqrt(min(count, _MOST))
    return found


def _odds(pair: str, turkish: Mapping[str, float], english: Mapping[str, float]) -> int:
    one, other = turkish.get(pair, 0.0) + 1.0, english.get(pair, 0.0) + 1.0
    return round(10 * math.log(one / sum(turkish.values()) * sum(english.values()) / other))


if __name__ == "__main__":
    main()
