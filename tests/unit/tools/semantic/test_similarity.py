"""The scale that thresholds speak: monotone, invertible, the same for arrays, and fitted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.fitting.similarity import Sample, fit
from tools.semantic.similarity import Kind, calibrated, cosine_at

ENCODERS = st.sampled_from(["all-MiniLM-L6-v2", "an encoder nobody fitted"])
KINDS = st.sampled_from(["question", "statement"])
COSINES = st.floats(-1.0, 1.0)


@given(first=COSINES, second=COSINES, encoder=ENCODERS, kind=KINDS)
def test_a_larger_cosine_is_never_less_similar(
    first: float, second: float, encoder: str, kind: Kind
) -> None:
    low, high = sorted((first, second))
    less = calibrated(low, encoder=encoder, kind=kind)
    more = calibrated(high, encoder=encoder, kind=kind)
    assert 0.0 <= less <= more <= 1.0
    if high - low > 1e-6 and more < 1.0 - 1e-9:
        assert less < more


@given(cosine=COSINES, encoder=ENCODERS, kind=KINDS)
def test_cosine_at_undoes_it(cosine: float, encoder: str, kind: Kind) -> None:
    similarity = calibrated(cosine, encoder=encoder, kind=kind)
    assert cosine_at(similarity, encoder=encoder, kind=kind) == pytest.approx(cosine, abs=1e-6)


@given(similarity=st.floats(0.0, 1.0), encoder=ENCODERS, kind=KINDS)
def test_the_inverse_is_a_cosine(similarity: float, encoder: str, kind: Kind) -> None:
    assert -1.0 <= cosine_at(similarity, encoder=encoder, kind=kind) <= 1.0


@given(cosines=st.lists(COSINES, max_size=20), kind=KINDS)
def test_an_array_is_mapped_as_its_elements(cosines: list[float], kind: Kind) -> None:
    whole = calibrated(np.array(cosines), encoder="all-MiniLM-L6-v2", kind=kind)
    each = [calibrated(cosine, encoder="all-MiniLM-L6-v2", kind=kind) for cosine in cosines]
    assert whole.tolist() == pytest.approx(each)


def test_the_built_in_encoder_finds_what_raw_cosines_would_not() -> None:
    # The median cosine of a question and its answer, and that of unrelated texts.
    assert calibrated(0.47, encoder="all-MiniLM-L6-v2") > 0.7
    assert calibrated(0.08, encoder="all-MiniLM-L6-v2") < 0.2


def test_statements_have_a_stricter_curve_than_questions() -> None:
    # Two statements share more words than a question shares with its answer.
    question = calibrated(0.45, encoder="all-MiniLM-L6-v2", kind="question")
    statement = calibrated(0.45, encoder="all-MiniLM-L6-v2", kind="statement")
    assert statement < 0.5 < question


@pytest.mark.parametrize(("slope", "midpoint"), [(6.0, 0.2), (15.0, 0.5)])
def test_the_fit_finds_the_curve_that_made_the_labels(slope: float, midpoint: float) -> None:
    cosines = np.linspace(-0.3, 1.0, 2001)
    probabilities = 1.0 / (1.0 + np.exp(-slope * (cosines - midpoint)))
    # Every cosine occurs with both labels, each as often as the curve says.
    found = fit(
        Sample(
            cosines=np.concatenate([cosines, cosines]),
            labels=np.concatenate([np.ones_like(cosines), np.zeros_like(cosines)]),
            weights=np.concatenate([probabilities, 1.0 - probabilities]) / len(cosines),
        )
    )
    assert found.slope == pytest.approx(slope, rel=0.05)
    assert found.midpoint == pytest.approx(midpoint, abs=0.01)
