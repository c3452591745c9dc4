"""How many passages are embedded at once follows the machine and its encoder."""

import pytest

from graphs.ingest.graph import batch_size


@pytest.mark.parametrize(
    ("done", "seconds", "size"),
    [
        (0, 0.0, 64),  # nothing is known yet
        (0, 30.0, 64),  # the model is still being loaded
        (64, 32.0, 64),  # two a second: an embedding model of Ollama on a small machine
        (300, 10.0, 300),
        (9_000, 100.0, 900),
        (9_000, 10.0, 1_024),
    ],
)
def test_a_batch_takes_about_ten_seconds_within_bounds(
    done: int, seconds: float, size: int
) -> None:
    assert batch_size(done, seconds) == size
