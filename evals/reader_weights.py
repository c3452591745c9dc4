"""What is learned, in the files that ship: matrices of 8 bits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.intents import WEIGHTS
from tools.semantic.encoder_graph import in_steps
from tools.semantic.question import ADAPTERS

type Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What a training learned: ``vector`` 384 × 6, ``wording`` and ``alone`` SIZE × 6.

    ``adapter`` holds for each dense matrix ``name.down`` (inputs × rank) and ``name.up`` (rank ×
    outputs).
    """

    adapter: Mapping[str, Array]
    vector: Array
    bias: Array
    wording: Array
    alone: Array
    alone_bias: Array


def write(reader: Reader, *, temperatures: Sequence[float]) -> None:
    """Write both files; ``temperatures`` with a vector and without."""
    write_adapter(reader.adapter, ADAPTERS)
    wording, wording_step = in_steps(reader.wording, over=0)
    alone, alone_step = in_steps(reader.alone, over=0)
    np.savez_compressed(
        WEIGHTS,
        allow_pickle=False,
        vector=reader.vector,
        bias=reader.bias,
        wording=wording,
        wording_step=wording_step,
        alone=alone,
        alone_step=alone_step,
        alone_bias=reader.alone_bias,
        temperatures=np.array(temperatures, np.float32),
    )


def write_adapter(adapter: Mapping[str, Array], file: Path) -> None:
    """Write the thin matrices of an encoder's changes."""
    np.savez_compressed(file, allow_pickle=False, **as_kept(adapter))


def as_kept(adapter: Mapping[str, Array]) -> dict[str, NDArray[np.generic]]:
    """The thin matrices in whole steps, and ``name/step``."""
    kept: dict[str, NDArray[np.generic]] = {}
    for name, matrix in adapter.items():
        # One step for each of the few ranks, which are the rows of what goes up.
        steps, step = in_steps(matrix, over=1 if name.endswith(".up") else 0)
        kept[name], kept[f"{name}/step"] = steps, step
    return kept
