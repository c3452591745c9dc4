"""Fit what is made of the reader of pairs: ``python -m evals.fitting.pair_scoring FILE|VAULT …``.

Three logistic regressions, on pairs that the reader has not learned from. For pairs alone one over
``FEATURES`` of ``agents/judge/pair_scoring.py``, with what the words come to, on files of pairs and
on what scans of the vaults compare; for scans one over those of ``agents/judge/scan_scoring.py`` on
the vaults; and for questions one over those of ``agents/judge/question_scoring.py`` on what the
vaults' questions compare. Each file and vault is left out once: from what is made of it then comes
the confidence from which on a clash is told of, the least at which ``TOLD`` of those told of are
one, and in scans that from which on it is kept as less sure (``SUSPECTED``). Printed is what that
comes to on each, of pairs alone beside the words; what is fitted on all of them is written.
"""

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.entailment.contradiction import predict_pair
from agents.judge import pair_scoring, question_scoring, scan_scoring
from agents.judge.candidate_pairs import candidate_pairs
from agents.judge.judge import score_pair, text_for_reader
from agents.judge.pair_scoring import RelationProbabilities, is_nonassertive
from evals.answers.span_questions import Matrix, Which
from evals.claims.pairs import ClaimPair
from evals.claims.vault_pairs import (
    CLASHING,
    TRUTH,
    KnownClaims,
    KnownPair,
    compared,
    known_pairs,
    vault_name,
)
from evals.claims.vault_pairs import claims_of as vault_claims
from evals.datasets.evidence import AnswerCase
from evals.datasets.records import read_lines
from evals.fitting.regressions import logistic
from evals.metrics.figures import table
from evals.retrieval.search import find, indexed, read_found
from graphs.query.judge import asks_outright, claims_of
from tools.base.domain import Claim
from tools.semantic.encoder import Encoder, load_encoder
from tools.semantic.minilm import NAME
from tools.semantic.pair_reader import CLASHES, PairReader

TOLD = {"pair": 0.955, "question": 0.85, "outright": 0.9, "scan": 0.95}
"""Of pairs alone so that no more than one in a hundred of our own look-alikes is told of: at .95 it
was two of 192. Beside an answer a wrong pair does less harm than in a list of nothing else. Where
changes or clashes are asked for ``outright`` it opens the answer; but of those pairs more are
right, so that less confidence does."""
SUSPECTED = 0.8
_FEWEST = 10
"""Pairs told of, from which on their precision counts."""
_ASKED = 70
"""Questions of a vault in which nothing is known to clash."""
_CLASH = pair_scoring.FEATURES.index("words clash surely")


class Sample(NamedTuple):
    """The features of some pairs, which of them clash, and how many clash in all there are.

    ``outright`` are the pairs of questions that ask for a change or for a clash.
    """

    rows: Matrix
    truth: Which
    clashing: int
    outright: Which = np.zeros(0, np.bool_)


def alone(
    pairs: Sequence[tuple[Claim, Claim]], truth: Sequence[bool], shares: NDArray[np.float32]
) -> Sample:
    """The pairs but for those of which the reader is not believed anyway."""
    found = [predict_pair(a.text, b.text) for a, b in pairs]
    there = np.array(
        [
            not (one.apart or is_nonassertive(a.text) or is_nonassertive(b.text))
            for (a, b), one in zip(pairs, found, strict=True)
        ]
    )
    rows = [
        pair_scoring.features(one, RelationProbabilities(*own.tolist()))
        for one, own in zip(found, shares, strict=True)
    ]
    return Sample(np.array(rows)[there], np.array(truth)[there], sum(truth))


def of_file(file: Path, reader: PairReader) -> Sample:
    cases = read_lines(file, ClaimPair)
    pairs = [one.claims for one in cases]
    truth = [one.label == "contradiction" for one in cases]
    return alone(pairs, truth, relations(pairs, reader))


def of_vault(folder: Path, encoder: Encoder, reader: PairReader) -> tuple[Sample, Sample]:
    """What scans compare, alone and as scans see it; without ``truth.jsonl`` all is none."""
    claims, every, kinds = compared(folder, encoder)
    pairs = [(claims[a], claims[b]) for a, b in every]
    truth = [kind in CLASHING for kind in kinds]
    shares = relations(pairs, reader)
    likely = shares[:, :CLASHES].sum(1).astype(np.float64)
    kept = np.flatnonzero(likely >= scan_scoring.WORTH_KEEPING)
    rows = scan_scoring.features([every[at] for at in kept.tolist()], likely[kept])
    clashing = sum(one.kind in CLASHING for one in known_pairs(folder))
    return alone(pairs, truth, shares), Sample(rows, np.array(truth)[kept], clashing)


async def of_questions(folder: Path, reader: PairReader) -> Sample:
    """What the questions of a vault compare: those of its truth, or of the file beside its notes.

    What clashes in each is the pair that it asks for.
    """
    known, asked = KnownClaims(known_pairs(folder), vault_claims(folder)), _questions(folder)
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory() as place:
        vault = Path(place) / vault_name(folder)
        shutil.copytree(folder, vault, ignore=shutil.ignore_patterns(TRUTH))
        async with indexed(vault) as deps:
            for question, one in asked.items():
                found = await find(question, deps)
                claims = claims_of(await read_found(found, deps), ())
                sample = of_question(claims, known, one, reader)
                outright = np.full(len(sample.truth), asks_outright(found.plan))
                samples.append(sample._replace(outright=outright))
    rows, truth, outright = (np.concatenate([one[at] for one in samples]) for at in (0, 1, 3))
    return Sample(rows, truth, sum(one.clashing for one in samples), outright)


def of_question(
    claims: Sequence[Claim], known: KnownClaims, one: KnownPair | None, reader: PairReader
) -> Sample:
    places = candidate_pairs(claims)
    pairs = [(claims[a], claims[b]) for a, b in places]
    read = [RelationProbabilities(*row.tolist()) for row in relations(pairs, reader)]
    likely = np.array([score_pair(a, b, one)[1] for (a, b), one in zip(pairs, read, strict=True)])
    # Another pair that clashes is not what is asked, and no wrong thing to tell of either.
    there = np.array(
        [
            known.is_target(a, b, one) or not (known.is_beside(a, b) or known.is_conflict(a, b))
            for a, b in pairs
        ],
        np.bool_,
    )
    truth = np.array([known.is_target(a, b, one) for a, b in pairs], np.bool_)
    rows = question_scoring.features(places, likely)
    clashing = one is not None and one.kind in CLASHING
    return Sample(rows[there], clashing & truth[there], clashing)


def relations(pairs: Sequence[tuple[Claim, Claim]], reader: PairReader) -> NDArray[np.float32]:
    return reader.relations([(text_for_reader(a), text_for_reader(b)) for a, b in pairs])


def _questions(folder: Path) -> Mapping[str, KnownPair | None]:
    """The questions of a vault with the pair that each asks for; none of a vault that has none."""
    known = known_pairs(folder)
    file = folder.parent / "questions.jsonl"
    if known or not file.exists():
        return {one.question: one for one in known if one.question}
    asked = read_lines(file, AnswerCase)
    chance = random.Random(vault_name(folder))  # noqa: S311 - which are asked, no secret
    return {one.q: None for one in chance.sample(asked, min(_ASKED, len(asked)))}


def fitted(rows: Matrix, truth: Which) -> Matrix:
    """Weights of the features, and the bias last."""
    return logistic(np.column_stack([rows, np.ones(len(rows))]), truth)


def left_out(given: Mapping[str, Sample], *, whole: bool = False) -> Mapping[str, Matrix]:
    """How likely each pair clashes, by what all others teach; of ``whole`` vaults adjusted."""
    found: dict[str, Matrix] = {}
    for name, own in given.items():
        others = [one for other, one in given.items() if other != name]
        rows, truth = (np.concatenate([one[at] for one in others]) for at in (0, 1))
        weights = fitted(rows, truth)
        likely = 1 / (1 + np.exp(-(own.rows @ weights[:-1] + weights[-1])))
        found[name] = scan_scoring.adjusted(likely, prior=truth.mean()) if whole else likely
    return found


def least(given: Mapping[str, Sample], likely: Mapping[str, Matrix], *, precision: float) -> float:
    """The least confidence from which on so many are right; 1 where there is none."""
    sure = np.concatenate([likely[name] for name in given])
    order = np.argsort(-sure)
    truth = np.concatenate([one.truth for one in given.values()])[order]
    right = np.cumsum(truth) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero((right >= precision) & (np.arange(len(order)) + 1 >= _FEWEST))
    return float(sure[order[enough[-1]]]) if len(enough) else 1.0


def precision_and_recall(own: Sample, said: Which) -> tuple[float, float]:
    """Precision and recall."""
    hits = int((own.truth & said).sum())
    return hits / max(1, int(said.sum())), hits / max(1, own.clashing)


def kept(names: Sequence[str], given: Mapping[str, Sample], more: Mapping[str, float]) -> str:
    """What all of them come to with ``more`` that goes with it, as it is written."""
    weights = fitted(*(np.concatenate([one[at] for one in given.values()]) for at in (0, 1)))
    found = {
        "weights": dict(zip(names, weights.round(4).tolist(), strict=False)),
        "bias": round(float(weights[-1]), 4),
        **{name: round(value, 3) for name, value in more.items()},
    }
    return json.dumps(found, indent=2) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("given", nargs="+", type=Path)
    given: Sequence[Path] = parser.parse_args().given
    folders = [one for one in given if one.is_dir()]
    if len(folders) < 2:
        parser.error("one vault cannot be left out: name two or more")
    reader, encoder = PairReader(), load_encoder(NAME, ollama_url="")
    pairs = {one.stem: of_file(one, reader) for one in given if one.is_file()}
    scans: dict[str, Sample] = {}
    for folder in folders:
        name = vault_name(folder)
        pairs[name], scans[name] = of_vault(folder, encoder, reader)
    fit_pairs(pairs)
    fit_scans(scans)
    asked = [one for one in folders if _questions(one)]
    fit_questions({vault_name(one): asyncio.run(of_questions(one, reader)) for one in asked})
    return 0


def fit_pairs(given: Mapping[str, Sample]) -> None:
    likely = left_out(given)
    bound = least(given, likely, precision=TOLD["pair"])
    shown = {
        name: (
            *precision_and_recall(own, own.rows[:, _CLASH] > 0),
            *precision_and_recall(own, likely[name] >= bound),
        )
        for name, own in given.items()
    }
    table("left out, alone", ("words P", "words R", "P", "R"), shown)
    found = kept(pair_scoring.FEATURES, given, {"told": bound})
    pair_scoring.WEIGHTS.write_text(found, "utf-8")
    pair_scoring.scoring.cache_clear()


def fit_scans(given: Mapping[str, Sample]) -> None:
    likely = left_out(given, whole=True)
    sure, suspected = (least(given, likely, precision=one) for one in (TOLD["scan"], SUSPECTED))
    shown = {
        name: (
            *precision_and_recall(own, likely[name] >= sure),
            *precision_and_recall(own, likely[name] >= suspected),
        )
        for name, own in given.items()
    }
    table("left out, in scans", ("P", "R", "suspected P", "R"), shown)
    prior = float(np.concatenate([one.truth for one in given.values()]).mean())
    more = {"prior": prior, "told": sure, "suspected": suspected}
    scan_scoring.WEIGHTS.write_text(kept(scan_scoring.FEATURES, given, more), "utf-8")


def fit_questions(given: Mapping[str, Sample]) -> None:
    likely = left_out(given)
    bound = least(given, likely, precision=TOLD["question"])
    shown = {name: precision_and_recall(own, likely[name] >= bound) for name, own in given.items()}
    table("left out, in questions", ("P", "R"), shown)
    of_those = {
        name: own._replace(rows=own.rows[own.outright], truth=own.truth[own.outright])
        for name, own in given.items()
    }
    sure = {name: likely[name][own.outright] for name, own in given.items()}
    outright = least(of_those, sure, precision=TOLD["outright"])
    shown = {
        name: (
            float((sure[name] >= outright).sum()),
            precision_and_recall(own, sure[name] >= outright)[0],
        )
        for name, own in of_those.items()
    }
    table("left out, asked outright", ("told", "P"), shown)
    bounds = {"told": bound, "outright": min(bound, outright)}
    found = kept(question_scoring.FEATURES, given, bounds)
    question_scoring.WEIGHTS.write_text(found, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
