"""Cosines on one scale: how likely it is that two texts belong together, whatever the encoder.

A logistic curve per encoder and kind of pair, fitted on labelled pairs; see ``similarity.json``.
"""

import json
from functools import cache
from pathlib import Path
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["question", "statement"]
"""A question with a passage that may answer it, or a statement with a statement on its topic."""

PARAMETERS = Path(__file__).with_name("similarity.json")
_DEFAULT = "default"

type Floats = NDArray[np.floating]


class Curve(BaseModel):
    """Similarity is 0.5 at the cosine ``midpoint`` and rises with ``slope`` per unit of cosine."""

    model_config = ConfigDict(frozen=True)

    slope: float = Field(gt=0)
    midpoint: float = Field(ge=-1, le=1)


class Calibration(BaseModel):
    """The two curves of one encoder and how they came about."""

    model_config = ConfigDict(frozen=True)

    fitted_on: str
    question: Curve
    statement: Curve


class _File(BaseModel):
    encoders: dict[str, Calibration]


@cache
def _calibrations() -> dict[str, Calibration]:
    return _File.model_validate(json.loads(PARAMETERS.read_text("utf-8"))).encoders


def curve(encoder: str, kind: Kind) -> Curve:
    """Return the curve of ``encoder``, or the default one of an encoder nobody fitted."""
    known = _calibrations()
    calibration = known.get(encoder, known[_DEFAULT])
    match kind:
        case "question":
            return calibration.question
        case "statement":
            return calibration.statement


@overload
def calibrated(cosine: float, *, encoder: str, kind: Kind = "question") -> float: ...
@overload
def calibrated(cosine: Floats, *, encoder: str, kind: Kind = "question") -> Floats: ...
def calibrated(cosine: float | Floats, *, encoder: str, kind: Kind = "question") -> float | Floats:
    """Map a cosine to a similarity in [0, 1] that rises with it."""
    shape = curve(encoder, kind)
    similarity = 1.0 / (1.0 + np.exp(-shape.slope * (np.asarray(cosine) - shape.midpoint)))
    return similarity if isinstance(cosine, np.ndarray) else float(similarity)


def cosine_at(similarity: float, *, encoder: str, kind: Kind = "question") -> float:
    """Return the cosine that has this similarity, within [-1, 1]: the inverse of ``calibrated``."""
    if similarity <= 0.0:
        return -1.0
    if similarity >= 1.0:
        return 1.0
    shape = curve(encoder, kind)
    cosine = shape.midpoint + float(np.log(similarity / (1.0 - similarity))) / shape.slope
    return min(1.0, max(-1.0, cosine))
