"""What is learned, in the files that ship: matrices of 8 bits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.semantic.encoder_graph import in_steps

type Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadWeights:
    """A trained head: ``vector`` is 384 × outputs, the two of wording are SIZE × outputs."""

    vector: Array
    bias: Array
    wording: Array
    alone: Array
    alone_bias: Array


def write_head(head: HeadWeights, file: Path, *, temperatures: Sequence[float]) -> None:
    """Write a head; ``temperatures`` with a vector and without."""
    wording, wording_step = in_steps(head.wording, over=0)
    alone, alone_step = in_steps(head.alone, over=0)
    np.savez_compressed(
        file,
        allow_pickle=False,
        vector=head.vector,
        bias=head.bias,
        wording=wording,
        wording_step=wording_step,
        alone=alone,
        alone_step=alone_step,
        alone_bias=head.alone_bias,
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
