"""Who programs connect to, native code included: a library that writes it down."""

import shutil
import subprocess
from pathlib import Path

import pytest

LOCAL = {"unix", "127.0.0.1", "::1", "localhost"}
_SOURCE = Path(__file__).parents[2] / "fixtures" / "watch_connections.c"


@pytest.fixture(scope="session")
def watcher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library, to be loaded with LD_PRELOAD; it writes to LD_CONNECTIONS_LOG. Linux only."""
    library = tmp_path_factory.mktemp("watch") / "watch.so"
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None, "a C compiler is needed to set this project up"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, _SOURCE, "-ldl"], check=True)
    return library


def seen(log: Path) -> set[str]:
    """The addresses that were connected to."""
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return {line.split(" ", 1)[1] for line in lines}
