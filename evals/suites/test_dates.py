"""The periods questions name, matched exactly."""

from collections.abc import Mapping

import pytest

from evals.bounds import Score
from evals.suites.bound import check, names


@pytest.mark.parametrize("name", names("dates"))
def test_dates(name: str, figures: Mapping[str, Score]) -> None:
    check(name, figures)
