"""The trained reader's two files: several members whose outputs are averaged, in whole steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.intents import WEIGHTS
from tools.semantic.question import ADAPTERS

type Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """What one training learned: ``vector`` 384 × 6, ``wording`` and ``alone`` SIZE × 6."""

    adapter: Mapping[str, Array]
    vector: Array
    bias: Array
    wording: Array
    alone: Array
    alone_bias: Array


def write(members: Sequence[Member], *, temperatures: Sequence[float]) -> None:
    """Write both files; ``temperatures`` with a vector and without.

    The mean of the outputs is one head over the members' vectors laid end to end, so only the
    adapters are kept for each.
    """
    adapters: dict[str, NDArray[np.generic]] = {}
    for number, member in enumerate(members):
        for name, matrix in member.adapter.items():
            # One step for each of the few ranks, which are the rows of what goes up.
            over = 1 if name.endswith(".up") else 0
            steps, step = _in_steps(matrix, over=over)
            adapters[f"{number}/{name}"], adapters[f"{number}/{name}/step"] = steps, step
    np.savez_compressed(ADAPTERS, allow_pickle=False, **adapters)
    wording, wording_step = _in_steps(_mean([member.wording for member in members]))
    alone, alone_step = _in_steps(_mean([member.alone for member in members]))
    np.savez_compressed(
        WEIGHTS,
        allow_pickle=False,
        vector=np.concatenate([member.vector for member in members]) / len(members),
        bias=_mean([member.bias for member in members]),
        wording=wording,
        wording_step=wording_step,
        alone=alone,
        alone_step=alone_step,
        alone_bias=_mean([member.alone_bias for member in members]),
        temperatures=np.array(temperatures, np.float32),
    )


def _mean(arrays: Sequence[Array]) -> Array:
    return np.mean(arrays, axis=0, dtype=np.float32)


def _in_steps(matrix: Array, *, over: int = 0) -> tuple[NDArray[np.int8], Array]:
    """Whole steps from -127 to 127, and the size of a step, one for all along the axis ``over``."""
    step = (np.abs(matrix).max(over, keepdims=True) / 127 + 1e-12).astype(np.float32)
    return np.round(matrix / step).astype(np.int8), step
