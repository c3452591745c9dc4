"""Names with several senses: fit what tells them apart, and measure it by vaults left out.

``python -m evals.fitting.senses`` reads the questions of ``data/senses`` and some over each of the
vaults below ``data/reader``, which nothing is to be asked back of. Printed is, for each vault by
weights that never saw it, what share of its questions is asked back with the right notes, or
interrupted. ``--fit`` writes ``tools/senses/weights.json`` from all of them. It takes fifteen
minutes.
"""

import argparse
import asyncio
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from evals.datasets.files import DATA
from evals.datasets.records import Record, read_lines
from evals.retrieval.search import indexed
from graphs.core.deps import Deps
from graphs.core.state import QueryContext, QueryState
from graphs.query import interpret, thread_state
from graphs.query.retrieval.named_notes import named_notes
from graphs.query.retrieval.retriever import search_scope
from tools.senses.decision import (
    ASK_BY_WORDS,
    ASK_FEATURES,
    PAIR_BY_WORDS,
    WEIGHTS,
    Disambiguator,
    Named,
    Senses,
    Weights,
    most_open,
    senses_in,
    without_meaning,
)
from tools.senses.mentions import name_words
from tools.senses.pairs import PAIR_FEATURES, pair_features

_CONTEXT = QueryContext(mode="local", interactive=False)
_PENALTY = 0.3
"""Of the squared weights."""

type Array = NDArray[np.float64]
type Row = tuple[tuple[float, ...], bool]


class Question(Record):
    """A question with a name; ``senses`` are the notes to be asked back, none where nothing is.

    ``why`` it is not asked back: ``one sense``, or ``the question decides``.
    """

    example: ClassVar[str] = '{"vault": "ada", "q": "kafka", "name": "Kafka", "senses": []}'

    vault: str
    q: str
    name: str = ""
    senses: tuple[str, ...] = ()
    why: str = "ordinary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A question, and the notes that carry the names it mentions."""

    question: Question
    named: Sequence[Named] = field(default=())


async def observe(vault: Path, questions: Sequence[Question]) -> list[Observed]:
    """Read the questions of a vault as ``brain ask`` would."""
    async with indexed(vault) as deps:
        return [Observed(question=one, named=await _named(one, deps)) for one in questions]


async def _named(question: Question, deps: Deps) -> list[Named]:
    state = cast("QueryState", {**thread_state.reset_state(question.q), "intent": None})
    plan = (await interpret.interpret_question(state, deps, _CONTEXT))["plan"]
    return await named_notes(plan, deps, search_scope(deps).nearest)


# --- fitting -------------------------------------------------------------------------------


def fit(observed: Sequence[Observed]) -> Weights:
    """Weights of all parts from these questions."""
    known = list(pairs(observed).values())
    same = {
        "same": logistic(known, PAIR_FEATURES),
        "same_by_words": logistic(known, PAIR_BY_WORDS),
    }
    apart = Disambiguator(same)
    asked = [row for one in observed for row in _asked(one, apart)]
    return {
        **same,
        "ask": logistic(asked, ASK_FEATURES),
        "ask_by_words": logistic(asked, ASK_BY_WORDS),
    }


def pairs(observed: Iterable[Observed]) -> Mapping[tuple[str, str, str], Row]:
    """Every two notes of which the questions say whether they are about one thing.

    What is dated is not among them: it is of one of the senses of the others.
    """
    found: dict[tuple[str, str, str], Row] = {}
    for one in observed:
        senses, about = set(one.question.senses), set(name_words(one.question.name))
        for named in one.named:
            if about.isdisjoint(named.mention.words):
                continue
            for a, b in combinations(named.notes, 2):
                same = one.question.why == "one sense"
                if (same or {a.path, b.path} <= senses) and not (a.dated or b.dated):
                    row = pair_features(a, b, named.mention)
                    found[one.question.vault, a.path, b.path] = row, same
    return found


def _asked(one: Observed, apart: Disambiguator) -> Iterable[Row]:
    """The features of each name with several senses, and whether it is to be asked back."""
    for named in one.named:
        senses = apart.apart(named)
        if len(senses) > 1:
            carried = {note.path for note in named.notes}
            asked = bool(one.question.senses) and set(one.question.senses) <= carried
            yield apart.features(named, senses), asked


def logistic(rows: Sequence[Row], names: Sequence[str]) -> dict[str, float]:
    """Logistic regression on the first features, these, by Newton's method."""
    x = np.array([[*features[: len(names)], 1.0] for features, _ in rows])
    y = np.array([float(label) for _, label in rows])
    penalty = np.diag([*[_PENALTY] * len(names), 1e-6])
    beta = np.zeros(len(names) + 1)
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-x @ beta))
        slope = x.T @ (p - y) + penalty @ beta
        step = np.linalg.solve((x.T * (p * (1.0 - p))) @ x + penalty, slope)
        beta -= step
        if float(np.abs(step).max()) < 1e-8:
            break
    return dict(zip((*names, "bias"), beta.round(3).tolist(), strict=True))


# --- measuring -----------------------------------------------------------------------------


def is_right(question: Question, back: Senses | None) -> bool:
    """Whether a question is asked back with the notes it should be, each a sense of its own."""
    if back is None:
        return not question.senses
    return sorted(sense[0].path for sense in back.senses) == sorted(question.senses)


def shares(observed: Sequence[Observed], weights: Weights) -> dict[str, list[bool]]:
    """For each kind of question whether it was asked back right, or interrupted."""
    decide = Disambiguator(weights)
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for one in observed:
        question, back = one.question, most_open(senses_in(one.named, decide))
        if question.senses:
            found["asked back right"].append(is_right(question, back))
        else:
            found[f"interrupted, {question.why}"].append(back is not None)
    return dict(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vaults", type=int, default=30, help="how many of data/reader")
    parser.add_argument("--of-each", type=int, default=30, help="questions of each of them")
    parser.add_argument("--fit", action="store_true", help="write the weights")
    options = parser.parse_args()
    observed = asyncio.run(_observe(options.vaults, options.of_each))
    report(observed)
    if options.fit:
        every = [one for own in observed.values() for one in own]
        WEIGHTS.write_text(json.dumps(fit(every), indent=2) + "\n", "utf-8")
    return 0


async def _observe(vaults: int, of_each: int) -> dict[str, list[Observed]]:
    found: dict[str, list[Observed]] = {}
    for vault, (folder, questions) in _sets(vaults, of_each).items():
        found[vault] = await observe(folder, questions)
    return found


def _sets(vaults: int, of_each: int) -> dict[str, tuple[Path, list[Question]]]:
    """For each vault its folder and its questions."""
    written = [
        one
        for file in sorted((DATA / "senses").glob("*.jsonl"))
        for one in read_lines(file, Question)
    ]
    found = {
        vault: (DATA / "senses" / vault, [one for one in written if one.vault == vault])
        for vault in dict.fromkeys(one.vault for one in written)
    }
    rng = random.Random(7)  # noqa: S311
    folders = sorted((DATA / "reader").glob("*/notes"))
    for folder in folders[:: max(1, len(folders) // vaults)][:vaults]:
        vault = folder.parent.name
        lines = (folder.parent / "questions.jsonl").read_text("utf-8").splitlines()
        asked = [json.loads(line)["q"] for line in rng.sample(lines, of_each)]
        found[vault] = folder, [Question(vault=vault, q=q) for q in asked]
    return found


def report(observed: Mapping[str, Sequence[Observed]]) -> None:
    """Print the shares of each vault left out, and of all, with and without meaning."""
    for heading, bare in (("with meaning", False), ("by words alone", True)):
        total: defaultdict[str, list[bool]] = defaultdict(list)
        sys.stdout.write(f"{heading}\n")
        for vault, own in observed.items():
            others = [x for name, part in observed.items() if name != vault for x in part]
            seen = [_bare(one) for one in own] if bare else own
            found = shares(seen, fit(others))
            for kind, hits in found.items():
                total[kind] += hits
            if any(one.question.name for one in own):
                sys.stdout.write(f"  {vault}: {_told(found)}\n")
        sys.stdout.write(f"  all: {_told(total)}\n")


def _bare(one: Observed) -> Observed:
    return Observed(question=one.question, named=[without_meaning(named) for named in one.named])


def _told(found: Mapping[str, Sequence[bool]]) -> str:
    return ", ".join(
        f"{kind} {sum(hits) / len(hits):.3f} of {len(hits)}" for kind, hits in found.items()
    )


if __name__ == "__main__":
    sys.exit(main())
