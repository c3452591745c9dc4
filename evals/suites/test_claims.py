"""Contradictions found among pairs of claims, and alarms where there are none."""

from collections.abc import Mapping

import pytest

from evals.bounds import Score
from evals.suites.bound import check, names


@pytest.mark.parametrize("name", names("claims"))
def test_claims(name: str, figures: Mapping[str, Score]) -> None:
    check(name, figures)
