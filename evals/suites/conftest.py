"""Measure once for all suites. deepeval is told to be silent before anything imports it."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping

import pytest

from evals.benchmark.baseline import measured
from evals.metrics.bounds import Score
from tools.runtime.telemetry_off import silence_telemetry

_CACHE = tempfile.mkdtemp(prefix="brain-deepeval-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
os.environ["DEEPEVAL_CACHE_FOLDER"] = _CACHE
silence_telemetry()


@pytest.fixture(scope="session")
def figures() -> Mapping[str, Score]:
    return measured()
