"""Fit what is made of the reader of pairs: ``python -m evals.fit_pairs FILE|VAULT …``.

Two logistic regressions, on pairs that the reader has not learned from. For questions one over
``FEATURES`` of ``agents/pair_scoring.py``, with what the words come to, on files of pairs and on
what scans of the vaults compare; for scans one over those of ``agents/scan_scoring.py`` on the
vaults alone. Each file and vault is left out once: from what is made of it then comes the
confidence from which on a clash is told of, the least at which ``TOLD`` of those told of are one,
and in scans that from which on it is kept as less sure (``SUSPECTED``). Printed is what that comes
to on each, in questions beside the words alone; what is fitted on all of them is written.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents import pair_scoring, scan_scoring
from agents.judge import by_words, has_subject, text_for_reader
from agents.pair_scoring import Shares, guarded
from agents.verdict import verdict
from evals.cases import read_lines
from evals.claim_vaults import compared, known_pairs, vault_name
from evals.claims import ClaimPair
from evals.figures import table
from evals.regressions import logistic
from evals.span_questions import Matrix, Which
from tools.domain import Claim
from tools.semantic.encoder import Encoder, load_encoder
from tools.semantic.minilm import NAME
from tools.semantic.pair_reader import CLASHES, PairReader

TOLD = {"question": 0.93, "scan": 0.95}
"""Beside an answer a wrong pair does less harm than in a list of nothing else."""
SUSPECTED = 0.8
_FEWEST = 10
"""Pairs told of, from which on their precision counts."""
_CLASH = pair_scoring.FEATURES.index("words clash surely")


class Sample(NamedTuple):
    """The features of some pairs, which of them clash, and how many clash in all there are."""

    rows: Matrix
    truth: Which
    clashing: int


def for_questions(
    pairs: Sequence[tuple[Claim, Claim]], truth: Sequence[bool], shares: NDArray[np.float32]
) -> Sample:
    """The pairs but for those of which the reader is not believed anyway."""
    found = [
        by_words(a, b) if a.read_as and b.read_as else verdict(a.text, b.text) for a, b in pairs
    ]
    there = np.array(
        [
            has_subject(a)
            and has_subject(b)
            and not (one.apart or guarded(a.text) or guarded(b.text))
            for (a, b), one in zip(pairs, found, strict=True)
        ]
    )
    rows = [
        pair_scoring.features(one, Shares(*own.tolist()))
        for one, own in zip(found, shares, strict=True)
    ]
    return Sample(np.array(rows)[there], np.array(truth)[there], sum(truth))


def of_file(file: Path, reader: PairReader) -> Sample:
    cases = read_lines(file, ClaimPair)
    pairs = [one.claims for one in cases]
    shares = reader.relations([(text_for_reader(a), text_for_reader(b)) for a, b in pairs])
    return for_questions(pairs, [one.label == "contradiction" for one in cases], shares)


def of_vault(folder: Path, encoder: Encoder, reader: PairReader) -> tuple[Sample, Sample]:
    """What scans compare, as questions and as scans see it; without ``truth.jsonl`` all is none."""
    claims, every, kinds = compared(folder, encoder)
    pairs = [(claims[a], claims[b]) for a, b in every]
    truth = [kind in ("contradiction", "change") for kind in kinds]
    shares = reader.relations([(text_for_reader(a), text_for_reader(b)) for a, b in pairs])
    likely = shares[:, :CLASHES].sum(1).astype(np.float64)
    kept = np.flatnonzero(likely >= scan_scoring.WORTH_KEEPING)
    rows = scan_scoring.features([every[at] for at in kept.tolist()], likely[kept])
    clashing = sum(one.kind != "lookalike" for one in known_pairs(folder))
    scan = Sample(rows, np.array(truth)[kept], clashing)
    return for_questions(pairs, truth, shares), scan


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


def told(own: Sample, said: Which) -> tuple[float, float]:
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
    if sum(one.is_dir() for one in given) < 2:
        parser.error("one vault cannot be left out: name two or more")
    reader, encoder = PairReader(), load_encoder(NAME, ollama_url="")
    questions = {one.stem: of_file(one, reader) for one in given if one.is_file()}
    vaults = {vault_name(one): of_vault(one, encoder, reader) for one in given if one.is_dir()}
    questions |= {name: one[0] for name, one in vaults.items()}
    scans = {name: one[1] for name, one in vaults.items()}
    likely = left_out(questions)
    bound = least(questions, likely, precision=TOLD["question"])
    shown = {
        name: (*told(own, own.rows[:, _CLASH] > 0), *told(own, likely[name] >= bound))
        for name, own in questions.items()
    }
    table("left out, in questions", ("words P", "words R", "P", "R"), shown)
    likely = left_out(scans, whole=True)
    sure, suspected = (least(scans, likely, precision=one) for one in (TOLD["scan"], SUSPECTED))
    shown = {
        name: (*told(own, likely[name] >= sure), *told(own, likely[name] >= suspected))
        for name, own in scans.items()
    }
    table("left out, in scans", ("P", "R", "suspected P", "R"), shown)
    prior = float(np.concatenate([one.truth for one in scans.values()]).mean())
    scan = kept(
        scan_scoring.FEATURES, scans, {"prior": prior, "told": sure, "suspected": suspected}
    )
    question = kept(pair_scoring.FEATURES, questions, {"told": bound})
    pair_scoring.WEIGHTS.write_text(question, "utf-8")
    scan_scoring.WEIGHTS.write_text(scan, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
