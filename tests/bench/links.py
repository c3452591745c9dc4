"""The figures of links that need no vault: ``python -m tests.bench.links`` prints them.

CPU milliseconds, the median of 20 rounds.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

from tools.links.cycles import adjacency, path_back
from tools.links.mentions import find_mentions, index_names
from tools.vault.notes.markdown import parse
from tools.vault.notes.notes import parse_note

NOTES, NAMES, NOTE_SIZE, EDGES = 10_000, 25_000, 30_000, 50_000


def main() -> None:
    chance = random.Random(1)  # noqa: S311
    words = ["".join(chance.choices("abcdefghiklmnoprstu", k=2 + at % 7)) for at in range(9000)]
    names = [
        (" ".join(chance.choices(words, k=1 + at % 3)).title(), f"{at % NOTES}.md")
        for at in range(NAMES)
    ]
    said = [name for name, _ in names[:300]] + [f"{word}x" for word in words]
    text = "\n\n".join(" ".join(chance.choices(said, k=60)) for _ in range(200))[:NOTE_SIZE]
    note = parse_note("own.md", text.encode(), mtime=datetime(2024, 1, 1, tzinfo=UTC))
    index = index_names(names)
    edges = [
        (str(chance.randrange(NOTES)), "supports", str(chance.randrange(NOTES)))
        for _ in range(EDGES)
    ]
    known = adjacency(edges)
    measures: dict[str, Callable[[], object]] = {
        "index of names": lambda: index_names(names),
        "mentions, note just parsed": lambda: find_mentions(note, index),
        "mentions, with parsing": lambda: (parse.cache_clear(), find_mentions(note, index)),
        "adjacency of links": lambda: adjacency(edges),
        "circle, no way back": lambda: path_back("none", "1", known),
    }
    for name, measured in measures.items():
        sys.stdout.write(f"{name}: {_milliseconds(measured):.1f} ms\n")


def _milliseconds(measured: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(20):
        start = time.process_time()
        measured()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000


if __name__ == "__main__":
    main()
