"""Fit the weights by which evidence is ranked: ``python -m evals.fitting.evidence_ranking VAULTS``.

VAULTS is the folder with the real vaults; the written ones are in the repository. Five parts:
``prior`` chooses what is read, ``together`` which of that the reader looks at alone, ``alone``
ranks these by all that it says, each as a softmax over the spans of a question; ``answerable``,
and ``right`` of the best span, are logistic regressions on what the best ones tell. Each vault is
left out once, its figures printed with the weights of the others; then all are fitted and written
to where they ship. Those below ``data/weighed`` are fitted on, too (``together`` on them alone),
with the dialogues over some of them: the reader has seen neither these nor the vaults that are left
out.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from evals.answers.span_questions import (
    Matrix,
    Question,
    Which,
    look_again,
    questions,
    read_windows,
)
from evals.datasets.dialogues import Dialogue
from evals.datasets.evidence import AnswerCase
from evals.datasets.files import DATA
from evals.datasets.records import read_lines
from evals.datasets.vaults import written_vault
from evals.fitting.regressions import Sample, balanced, choosing, logistic, probability
from tools.evidence.confidence import (
    ANSWERABLE_BY,
    RIGHT_BY,
    answerability_features,
    first_line_features,
)
from tools.evidence.features import FEATURES, Candidate
from tools.evidence.ranking import ALONE_BY, TOGETHER_BY, Scored, list_of, without_overlaps
from tools.evidence.weights import WEIGHTS
from tools.semantic.text_model import cores

_SAMPLE = 64
"""Spans of a question, beside its evidence, that ``prior`` is fitted on."""
_DENIED = 0.04
"""Share of the answerable questions that may be told that the notes do not have it. Of the vaults
left out, whose questions are harder than most, it is about a twentieth."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", type=Path)
    parser.add_argument("--ablate", action="store_true", help="leave out one feature after another")
    options = parser.parse_args()
    own = {
        file.stem: (_vault(file.stem, options.vaults), file)
        for file in sorted((DATA / "answers").glob("*.jsonl"))
    }
    weighed = {
        file.parent.name: (file.parent / "notes", file)
        for file in sorted((DATA / "weighed").glob("*/questions.jsonl"))
    }
    with ProcessPoolExecutor(cores(), mp_context=get_context("spawn")) as pool:
        found = pool.map(_found, (own | weighed).values())
        data = dict(zip(own | weighed, found, strict=True))
    samples = {name: [_sampled(one) for one in asked] for name, asked in data.items()}
    tested = {name: data[name] for name in own}
    beside = [one for name in weighed for one in data[name]]

    def prior(without: str = "") -> Matrix:
        # What is read of a vault is chosen as the others alone would have it.
        others = [given for name, given in samples.items() if name != without]
        return choosing([one for given in others for one in given], _all(FEATURES))

    for name, given in tested.items():
        read_windows(given, prior(without=name))
    chosen = prior()
    read_windows(beside, chosen)
    together = choosing(
        [(one.rows_together, one.gold[one.read]) for one in beside], _all(TOGETHER_BY)
    )
    for given in (*tested.values(), beside):
        look_again(given, together)
    for name, figure in left_out(tested, beside, _all(ALONE_BY)).items():
        sys.stdout.write(f"{name:16} {_in_line(figure)}\n")
    if options.ablate:
        for feature in ALONE_BY:
            used = np.array([one != feature for one in ALONE_BY])
            figure = left_out(tested, beside, used)["mean"]
            sys.stdout.write(f"without {feature:20} {_in_line(figure)}\n")
        return 0
    everything = [*beside, *(one for given in tested.values() for one in given)]
    write(chosen, together, _fitted(everything, _all(ALONE_BY)))
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The weights of the last ranking and of what is concluded from it.

    ``bound`` is the probability of an answer below which it is denied.
    """

    alone: Matrix
    answerable: Matrix
    right: Matrix
    bound: float


def write(prior: Matrix, together: Matrix, fitted: Fitted) -> None:
    """Write all weights to where they ship."""
    weights = {
        "prior": _named(FEATURES, prior),
        "together": _named(TOGETHER_BY, together),
        "alone": _named(ALONE_BY, fitted.alone),
        "answerable": _named(ANSWERABLE_BY, fitted.answerable),
        "right": _named(RIGHT_BY, fitted.right),
        "absent_below": round(fitted.bound, 3),
    }
    WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


def _found(place: tuple[Path, Path]) -> list[Question]:
    vault, file = place
    name = file.stem if file.parent.name == "answers" else file.parent.name
    files = sorted((DATA / "dialogues" / "weighed").glob("*.jsonl"))
    dialogues = [one for own in files for one in read_lines(own, Dialogue) if one.vault == name]
    return asyncio.run(questions(vault, read_lines(file, AnswerCase), dialogues))


def left_out(
    tested: Mapping[str, Sequence[Question]], beside: Sequence[Question], used: Which
) -> dict[str, Mapping[str, float]]:
    """The figures of each vault with the weights of the others, and their mean over the vaults.

    The questions ``beside`` are fitted on whichever is left out.
    """
    found: dict[str, Mapping[str, float]] = {}
    for name, given in tested.items():
        others = [one for other, own in tested.items() if other != name for one in own]
        found[name] = figures(given, _fitted([*beside, *others], used))
    names = next(iter(found.values()))
    mean = {one: float(np.mean([own[one] for own in found.values()])) for one in names}
    return {**found, "mean": mean}


def _all(names: Sequence[str]) -> Which:
    return np.ones(len(names), bool)


def _vault(name: str, vaults: Path) -> Path:
    given = vaults / name
    return given if given.is_dir() else written_vault(name)


def _named(names: Sequence[str], weights: Matrix) -> dict[str, float]:
    return {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)}


def _in_line(found: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {value:.3f}" for name, value in found.items())


def _sampled(one: Question) -> Sample:
    """A question's evidence and some of its other spans."""
    drawn = np.random.default_rng(len(one.found)).permutation(len(one.found))[:_SAMPLE]
    rows = np.union1d(drawn, np.flatnonzero(one.gold)).astype(int)
    return one.features[rows], one.gold[rows]


def _fitted(asked: Sequence[Question], used: Which) -> Fitted:
    """All that is fitted on what the reader says of the spans of questions."""
    alone = choosing([(one.rows_alone, one.gold[one.twice]) for one in asked], used)
    ranked = [(one, one.ranked(alone)) for one in asked]
    told = np.array([_told(one, own) for one, own in ranked])
    truth = np.array([one.case.answerable for one in asked])
    answerable = logistic(told, truth, share=balanced(truth))
    read = [(one, own) for one, own in ranked if own]
    firsts = np.array([first_line_features(own, one.named_notes) for one, own in read])
    right = np.array([one.answers(_quoted(one, own)[0]) for one, own in read])
    return Fitted(
        alone=alone,
        answerable=answerable,
        right=logistic(firsts, right),
        bound=float(np.quantile(probability(told, answerable)[truth], _DENIED)),
    )


def _told(one: Question, ranked: Sequence[Scored]) -> tuple[float, ...]:
    if not ranked:
        return (1.0, *[0.0] * (len(ANSWERABLE_BY) - 1))
    return answerability_features(
        one.sought.for_note(ranked[0].candidate.note), ranked, one.named_notes
    )


def _quoted(one: Question, ranked: Sequence[Scored]) -> list[Candidate]:
    """The spans that are shown: in place of the best one the whole list, where that is meant."""
    order = [own.candidate for own in ranked]
    taken = [own.candidate for own in ranked if (own.logit or 0.0) > 0.0]
    whole = list_of(one.sought.asked, order[0], taken, one.found) if order else None
    return without_overlaps([whole, *order] if whole else order)


def figures(asked: Sequence[Question], fitted: Fitted) -> Mapping[str, float]:
    """How often the best span, one of the three shown and the best one's note are right.

    The best span is the whole list where that is shown for it; what shares lines with a better one
    is not shown. Where the notes are said not to have it, no line is right.

    ``read`` is how often evidence is among what is read; ``no`` how often an unanswerable question
    is told so, ``false_no`` how often another one; ``brier`` the mean square by which the
    confidence misses whether the best span answers (Brier 1950).
    """
    hits: list[tuple[bool, ...]] = []
    denied: dict[bool, list[bool]] = {True: [], False: []}
    missed: list[float] = []
    for one in asked:
        ranked = one.ranked(fitted.alone)
        sure = probability(np.array([_told(one, ranked)]), fitted.answerable)[0]
        told_no = bool(sure < fitted.bound)
        denied[one.case.answerable].append(told_no)
        quoted = [one.answers(own) for own in _quoted(one, ranked)]
        if ranked:
            first = np.array([first_line_features(ranked, one.named_notes)])
            missed.append(float((probability(first, fitted.right)[0] - quoted[0]) ** 2))
        if not one.case.answerable:
            continue
        shown = [] if told_no else quoted
        notes = {place.path for place in one.case.gold}
        note = bool(ranked) and ranked[0].candidate.note.path in notes
        read = any(one.answers(own.candidate) for own in ranked)
        hits.append((any(shown[:1]), any(shown), note, read))
    shares = np.mean(hits, axis=0).tolist() if hits else [0.0] * 4
    nos = [float(np.mean(denied[kind])) if denied[kind] else 0.0 for kind in (False, True)]
    names = ("first", "top3", "note1", "read", "no", "false_no", "brier")
    return dict(zip(names, (*shares, *nos, float(np.mean(missed))), strict=True))


if __name__ == "__main__":
    sys.exit(main())
