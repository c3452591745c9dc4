"""What a question is about, matched exactly."""

from collections.abc import Mapping

import pytest

from evals.bounds import Score
from evals.suites.bound import check, names


@pytest.mark.parametrize("name", names("parameters"))
def test_parameters(name: str, figures: Mapping[str, Score]) -> None:
    check(name, figures)
