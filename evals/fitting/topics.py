"""Fit which notes are on a topic: ``python -m evals.fitting.topics``.

The questions of ``data/vault_topics`` narrow the notes of written vaults down to a topic, with
other filters; people answered them by reading. Their phrases are given, so that only the choice of
notes is learned: a logistic regression in which each question counts the same. Each vault is left
out once; printed is how many of its questions are answered exactly, and how many notes are listed
that should not be and the reverse. Takes three minutes.
"""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from evals.answers.span_questions import Matrix, Which
from evals.answers.vault_questions import VaultCase
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.datasets.vaults import written_vault
from evals.fitting.regressions import logistic
from evals.metrics.figures import table
from evals.retrieval.search import find, indexed
from graphs.query.listing import narrowed_notes
from graphs.query.retrieval.topics import seen_of, similarities
from tools.base.domain import Period
from tools.base.vault_query import VaultQuery
from tools.ranking.topics import FEATURES, WEIGHTS, features
from tools.text.language import is_turkish

TOPICS = DATA / "vault_topics"


class TopicCase(VaultCase):
    """A question whose phrases are known: ``slots`` has the topic, and what else narrows it."""

    slots: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The notes that a question is about but for its topic, with their ``FEATURES``."""

    vault: str
    paths: Sequence[str]
    rows: Matrix
    wanted: Set[str]
    may: Set[str]

    def exact(self, said: Set[str]) -> bool:
        return self.wanted <= said <= self.wanted | self.may

    def judged(self) -> tuple[Matrix, Which]:
        """The rows of the notes that are clearly on the topic or clearly not, and which are."""
        clear = [at for at, path in enumerate(self.paths) if path not in self.may - self.wanted]
        return self.rows[clear], np.array([self.paths[at] in self.wanted for at in clear])

    def predicted(self, weights: Matrix) -> set[str]:
        scores = self.rows @ weights
        return {path for path, score in zip(self.paths, scores, strict=True) if score >= 0.0}


def main() -> int:
    by_vault: defaultdict[str, list[TopicCase]] = defaultdict(list)
    for file in sorted(TOPICS.glob("*.jsonl")):
        for case in read_lines(file, TopicCase):
            if case.slots.get("topic") and not case.slots.get("mentions"):
                by_vault[case.vault].append(case)
    asked = [one for name, cases in by_vault.items() for one in asyncio.run(_of(name, cases))]
    rows: dict[str, list[float]] = {}
    for name in by_vault:
        weights = _fitted(one for one in asked if one.vault != name)
        rows[name] = _figures([one for one in asked if one.vault == name], weights)
    every = [rows[one.vault] for one in asked]
    rows["all"] = [len(asked), *np.mean(every, 0)[1:].tolist()]
    table("topics", ["questions", "exact", "wrongly listed", "missed"], rows)
    weights = _fitted(asked)
    kept = {name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)}
    WEIGHTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    return 0


async def _of(vault: str, cases: Iterable[TopicCase]) -> list[Narrowed]:
    found: list[Narrowed] = []
    async with indexed(await asyncio.to_thread(written_vault(vault).resolve)) as deps:
        for case in cases:
            slots, topic = case.slots, " ".join(case.slots["topic"])
            plan = (await find(case.q, deps)).plan if slots.get("period") else None
            period = Period(start=plan.start_date, end=plan.end_date) if plan else Period()
            tags, folders = (tuple(slots.get(name, ())) for name in ("tag", "folder"))
            query = VaultQuery(subject="notes", tags=tags, folders=folders)
            turkish = is_turkish(case.q)
            paths = narrowed_notes(query, period, deps, turkish=turkish)
            wanted, may = set(case.answer.get("notes", ())), set(case.answer.get("also", ()))
            if not paths or not wanted or not wanted <= {*paths}:
                continue  # what narrows it down is read otherwise than its writer meant
            similar = await similarities(topic, deps)
            seen = features(seen_of(topic, paths, similar, deps, turkish=turkish))
            rows = np.array([seen[path] for path in paths])
            found.append(Narrowed(vault, paths, rows, wanted, may))
    return found


def _fitted(asked: Iterable[Narrowed]) -> Matrix:
    judged = [one.judged() for one in asked]
    rows = np.concatenate([rows for rows, _ in judged])
    truth = np.concatenate([truth for _, truth in judged])
    share = np.concatenate([np.full(len(truth), 1.0 / len(truth)) for _, truth in judged])
    return logistic(rows, truth, share=share * len(share) / share.sum())


def _figures(asked: Sequence[Narrowed], weights: Matrix) -> list[float]:
    said = [(one, one.predicted(weights)) for one in asked]
    return [
        len(asked),
        float(np.mean([one.exact(own) for one, own in said])),
        float(np.mean([len(own - one.wanted - one.may) for one, own in said])),
        float(np.mean([len(one.wanted - own) for one, own in said])),
    ]


if __name__ == "__main__":
    sys.exit(main())
