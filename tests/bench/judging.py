"""What merging and judging take: ``python -m tests.bench.judging`` prints p50 and p95.

Each question brings other notes, so that no text was read before.
"""

import asyncio
import gc
import random
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Literal

from agents.judge.judge import Judgement, judge
from graphs.query.judge import claims_of
from tests.support.values.results import a_notes_read, a_plan
from tools.base.domain import Excerpt, Hit, NoteMetadata
from tools.ranking import fusion

QUESTIONS = 60
NOTES = 50
EXCERPTS = 3
WORDS = 150
BUDGET_MS = 70.0

_FOUND_BY: tuple[Literal["semantic", "text"], ...] = ("semantic", "text")
_SUBJECTS = (
    "basil seedlings",
    "the nutrient solution",
    "spaced repetition",
    "the greenhouse pump",
    "background music",
    "the ledger migration",
    "late caffeine",
    "atomic notes",
)
_PREDICATES = (
    "improve long-term recall in most students",
    "need an EC of {n} mS/cm during the first weeks",
    "should be reviewed every {n} days before the harvest",
    "reduce the number of errors that reach the customer",
    "does not help with deep work in a noisy office",
    "worsens sleep when it is used after {n} pm",
    "was moved to the second shelf after the repair",
    "takes about {n} minutes on the old machine",
    "keeps the roots dry while the sensor is replaced",
    "depends on how much light the {n} trays receive",
)
_REASONS = (
    "because the first measurements from {place} were wrong",
    "although nobody in {place} had looked at the log",
    "as the report of the team from {place} says",
    "and the notes taken in {place} agree with that",
    "which surprised everyone who came from {place}",
)
_PLACES = ("Antwerp", "Ghent", "the workshop", "the library", "İzmir", "the cellar", "Utrecht")


def main() -> None:
    """Measure and print."""
    chance = random.Random(7)  # noqa: S311 - made-up notes, no secret
    merging, judging, busy = list[float](), list[float](), list[float]()
    for number in range(QUESTIONS + 1):
        hits, metadata = notes(chance, number)
        started = time.process_time()
        times = asyncio.run(once(hits, metadata))
        spent = (time.process_time() - started) * 1000
        if number == 0:  # it reads the tables of words, which stay, as what the program loads does
            gc.freeze()
        else:
            merging.append(times[0])
            judging.append(times[1])
            busy.append(spent)
    both = [sum(pair) for pair in zip(merging, judging, strict=True)]
    sys.stdout.write(f"{NOTES} notes of {EXCERPTS} excerpts, {WORDS} words each\n")
    for name, taken in (("merge", merging), ("judge", judging), ("both", both), ("cpu", busy)):
        sys.stdout.write(
            f"{name:6} p50 {statistics.median(taken):6.1f} ms  p95 {p95(taken):6.1f}\n"
        )
    sys.stdout.write(f"wanted: p95 of both at most {BUDGET_MS:.0f} ms\n")


async def once(
    hits: Sequence[Hit], metadata: dict[str, NoteMetadata]
) -> tuple[float, float, Judgement]:
    """Milliseconds for merging and for judging all that was merged, and what was found."""
    started = time.perf_counter()
    merged = fusion.merge(hits, metadata, plan=a_plan(limit=NOTES), limit=NOTES)
    between = time.perf_counter()
    read = a_notes_read(merged)
    begun = time.perf_counter()
    found = await judge(claims_of(read, ()), relate=None, model=None, mode="local")
    ended = time.perf_counter()
    return (between - started) * 1000, (ended - begun) * 1000, found


def notes(chance: random.Random, question: int) -> tuple[list[Hit], dict[str, NoteMetadata]]:
    """Hits of words and of meaning on notes of which many speak of one thing."""
    hits: list[Hit] = []
    metadata: dict[str, NoteMetadata] = {}
    for note in range(NOTES):
        path = f"notes/{question}-{note}.md"
        metadata[path] = NoteMetadata(created_date=None, modified_date=None, building_block=None)
        excerpts = tuple(
            Excerpt(text=passage(chance), line_start=1 + 10 * at, line_end=9 + 10 * at)
            for at in range(EXCERPTS)
        )
        hits += [
            Hit(
                source=source,
                note_path=path,
                note_title=f"{question}-{note}",
                score=chance.uniform(0.7, 1.0),
                match_type=source,
                excerpts=excerpts,
            )
            for source in _FOUND_BY
        ]
    return hits, metadata


def passage(chance: random.Random) -> str:
    """About ``WORDS`` words, mostly on a few subjects that other notes have, too."""
    sentences: list[str] = []
    while sum(len(sentence.split()) for sentence in sentences) < WORDS:
        words = " ".join((chance.choice(_SUBJECTS), chance.choice(_PREDICATES)))
        if chance.random() < 0.6:
            words += ", " + chance.choice(_REASONS)
        filled = words.format(n=chance.randint(2, 60), place=chance.choice(_PLACES))
        sentences.append(filled[0].upper() + filled[1:] + ".")
    return " ".join(sentences)


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    main()
