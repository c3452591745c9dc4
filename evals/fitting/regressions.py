"""The two regressions that weigh features: one chooses among spans, one says yes or no."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evals.answers.span_questions import Matrix, Which

_PENALTY = 10.0
"""Of the squared weights, over all questions: chosen by leaving vaults out."""
_STEPS = 400

type Sample = tuple[Matrix, Which]
"""Features of some spans of a question, and which of them are evidence."""


def probability(told: Matrix, weights: Matrix) -> Matrix:
    return 1.0 / (1.0 + np.exp(-(told @ weights)))


def logistic(told: Matrix, truth: Which, *, share: Matrix | float = 1.0) -> Matrix:
    """Maximum likelihood by Newton's method; ``share`` is what each row counts."""
    weights = np.zeros(told.shape[1])
    for _ in range(30):
        likely = probability(told, weights)
        slope = told.T @ (share * (likely - truth)) + weights
        curve = (told * (share * likely * (1 - likely))[:, None]).T @ told
        weights -= np.linalg.solve(curve + np.eye(len(weights)), slope)
    return weights


def balanced(truth: Which) -> Matrix:
    """What each row counts where both outcomes count the same."""
    return np.where(truth, 0.5 / truth.mean(), 0.5 / (1.0 - truth.mean()))


def choosing(asked: Sequence[Sample], used: Which) -> Matrix:
    """Weights by which the right ones of some spans are chosen: a softmax over each question's.

    They are those of the features as they are, by gradient descent (Adam) on scaled ones.
    """
    given = [(features, gold) for features, gold in asked if gold.any()]
    features = np.concatenate([own for own, _ in given])
    gold = np.concatenate([own for _, own in given])
    starts = np.cumsum([0, *(len(own) for _, own in given[:-1])])
    of = np.repeat(np.arange(len(given)), [len(own) for _, own in given])
    scale = features.std(0) + 1e-6
    scaled = features / scale * used

    def shares(likely: Matrix) -> Matrix:
        return likely / np.add.reduceat(likely, starts)[of]

    weights = np.zeros(len(scale))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        scores = scaled @ weights
        likely = shares(np.exp(scores - np.maximum.reduceat(scores, starts)[of]))
        slope = (scaled.T @ (likely - shares(likely * gold)) + _PENALTY * weights) / len(given)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        weights -= 0.05 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights / scale * used


def softmax(
    told: Matrix, classes: NDArray[np.int64], *, share: Matrix, penalty: float
) -> tuple[Matrix, Matrix]:
    """Weights (features × classes) and a bias by which each row's class is likeliest.

    ``share`` is what each row counts; the squared weights are penalized, the bias is not. By
    gradient descent (Adam) with steps that shorten to nothing.
    """
    truth = np.eye(int(classes.max()) + 1)[classes]
    given = np.column_stack([told, np.ones(len(told))])
    kept = np.full((given.shape[1], 1), penalty)
    kept[-1] = 0.0
    weights = np.zeros((given.shape[1], truth.shape[1]))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        scores = given @ weights
        likely = np.exp(scores - scores.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        slope = given.T @ (share[:, None] * (likely - truth)) + kept * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        size = 0.01 * (1 - step / (_STEPS + 1))
        weights -= size * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights[:-1], weights[-1]
