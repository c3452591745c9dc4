"""The ranking of suggested links follows what a person decides, and never jumps."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from agents.linker.personal import personal_ranking
from agents.linker.ranking import Ranking, probabilities, scores, shipped
from tools.links.signals import FEATURES, Signals, features, features_by_name
from tools.vault.storage.link_feedback import LinkDecision

PATHS = [f"{n}.md" for n in range(12)]


def signals(seed: int) -> Signals:
    random = np.random.default_rng(seed)
    some = [dict(zip(PATHS, random.random(12).tolist(), strict=True)) for _ in range(3)]
    backwards = {path: float(random.random() < 0.4) for path in PATHS}
    return Signals(meaning=some[0], words=some[1], mentions=some[2], linked_together=backwards)


def decided(
    count: int, *, likes: Callable[[Signals, str], bool], names: Sequence[str] = FEATURES
) -> list[LinkDecision]:
    """Decisions on the suggestions for one note after another."""
    made: list[LinkDecision] = []
    for seed in range(count // len(PATHS) + 1):
        own = signals(seed)
        values = features(own, PATHS)
        for row, path, likely in zip(values, PATHS, probabilities(own, PATHS), strict=True):
            made.append(
                LinkDecision(
                    at=datetime(2026, 12, 1, tzinfo=UTC),
                    source=f"source {seed}.md",
                    target=path,
                    accepted=likes(own, path),
                    probability=float(likely),
                    features=dict(zip(names, features_by_name(row).values(), strict=True)),
                )
            )
    return made[:count]


def linking_back(own: Signals, path: str) -> bool:
    return own.linked_together[path] > 0


def nothing(_: Signals, __: str) -> bool:
    return False


def everything(_: Signals, __: str) -> bool:
    return True


def same(one: Ranking, other: Ranking) -> bool:
    return np.allclose(one.weights, other.weights) and np.allclose(
        (one.slope, one.bias), (other.slope, other.bias)
    )


def test_without_decisions_it_is_what_ships() -> None:
    assert same(personal_ranking([]), shipped())
    own = signals(99)
    assert np.array_equal(scores(own, PATHS), scores(own, PATHS, personal_ranking([])))


def test_who_likes_what_linked_together_gets_it_first() -> None:
    learned = personal_ranking(decided(600, likes=linking_back))
    for seed in range(100, 110):
        own = signals(seed)
        wanted = np.array([linking_back(own, path) for path in PATHS])
        before, after = (
            wanted[np.argsort(-scores(own, PATHS, one), kind="stable")][: wanted.sum()].sum()
            for one in (shipped(), learned)
        )
        assert after >= before
    back = FEATURES.index("linked_together")
    assert learned.weights[back] > 1.3 * shipped().weights[back]


def test_one_decision_moves_nothing_far() -> None:
    for likes in (everything, nothing):
        learned = personal_ranking(decided(1, likes=likes))
        own = signals(100)
        before, after = (probabilities(own, PATHS, one) for one in (shipped(), learned))
        assert np.abs(after - before).max() < 0.1
        assert np.abs(learned.weights / shipped().weights - 1.0).max() < 0.1


@pytest.mark.parametrize(("likes", "share"), [(everything, 1.0), (nothing, 0.0)])
def test_what_is_promised_comes_near_to_what_happens(
    likes: Callable[[Signals, str], bool], share: float
) -> None:
    learned = personal_ranking(decided(500, likes=likes))
    promised = probabilities(signals(100), PATHS, learned)
    assert np.abs(promised - share).mean() < 0.1
    assert learned.slope > 0.0


def test_decisions_of_other_features_count_for_what_is_promised_alone() -> None:
    old = [f"former {name}" for name in FEATURES]
    learned = personal_ranking(decided(500, likes=everything, names=old))
    assert np.allclose(learned.weights, shipped().weights)
    promised = probabilities(signals(100), PATHS, learned)
    assert (promised > probabilities(signals(100), PATHS)).all()


def test_whatever_is_decided_likelier_ones_are_promised_more() -> None:
    def unlikely(own: Signals, path: str) -> bool:
        at = PATHS.index(path)
        return bool(scores(own, PATHS)[at] < np.median(scores(own, PATHS)))

    old = [f"former {name}" for name in FEATURES]
    learned = personal_ranking(decided(600, likes=unlikely, names=old))
    assert learned.slope > 0.0


def test_values_beyond_all_bounds_give_numbers() -> None:
    odd = LinkDecision(
        at=datetime(2026, 12, 1, tzinfo=UTC),
        source="a.md",
        target="b.md",
        accepted=True,
        probability=0.0,
        features=dict.fromkeys(FEATURES, -1e6),
    )
    learned = personal_ranking([odd] * 50 + decided(50, likes=nothing))
    assert np.isfinite([*learned.weights, learned.slope, learned.bias]).all()
    assert np.isfinite(probabilities(signals(1), PATHS, learned)).all()
