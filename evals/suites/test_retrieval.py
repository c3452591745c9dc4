"""Notes found for questions to the demo vault, and questions that it cannot answer told."""

from collections.abc import Mapping

import pytest

from evals.bounds import Score
from evals.suites.bound import check, names


@pytest.mark.parametrize("name", names("retrieval"))
def test_retrieval(name: str, figures: Mapping[str, Score]) -> None:
    check(name, figures)
