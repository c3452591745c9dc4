"""How rare each word is among some texts."""

import os
import subprocess
import sys

from tools.text.idf import idf

_TOLD = """
from tools.text.idf import idf
print(idf({f"word{at}" for at in range(30)}, [{"word1", "word2"}, {"word2"}]))
"""


def test_what_most_texts_have_counts_least() -> None:
    found = idf(["salt", "water"], [{"water"}, {"water", "salt"}, {"water"}])
    assert found["salt"] > found["water"] > 0


def test_every_process_adds_the_figures_up_in_the_same_order() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", _TOLD],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
