"""Measure once for all suites. deepeval is told to be silent before anything imports it."""

import asyncio
import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping

import pytest

from evals.measured import Measured, Score, measure, scores
from tools.telemetry import silence_telemetry

_CACHE = tempfile.mkdtemp(prefix="brain-deepeval-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
os.environ["DEEPEVAL_CACHE_FOLDER"] = _CACHE
silence_telemetry()


@pytest.fixture(scope="session")
def measured() -> Measured:
    return asyncio.run(measure())


@pytest.fixture(scope="session")
def figures(measured: Measured) -> Mapping[str, Score]:
    return scores(measured)
