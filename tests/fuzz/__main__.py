"""Fuzz the readers of foreign texts, for a while: ``python -m tests.fuzz --seconds 600``.

Atheris (libFuzzer) leads the inputs by the code they reach, where it is installed: it has wheels
for Linux only and takes 140 MB, so it is no dependency. Elsewhere Hypothesis makes the inputs,
remembers those that failed and shrinks them. Both write what failed below ``.fuzz``.
"""

import argparse
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase

KEPT = Path(".fuzz")
_SEEDS = Path(__file__).resolve().parents[2] / "examples" / "vault"
_LONGEST_INPUT = 4096
_SLOWER = 4.0
"""How many times as long code takes that tells atheris where it goes."""
_SHORTEST_RUN = 10


def main() -> int:
    """Fuzz each target in a process of its own; 1 if any failed."""
    from tests.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--target", choices=TARGETS, action="append", help="only this one")
    parser.add_argument("--input", type=Path, help="run the targets on this file, once")
    chosen = parser.parse_args()
    names: list[str] = chosen.target or list(TARGETS)
    if chosen.input:
        for name in names:
            TARGETS[name](chosen.input.read_bytes())
        return 0
    led = find_spec("atheris") is not None
    if not led:
        print("Without atheris (uv pip install atheris; Linux only) inputs are led by no coverage.")
    failed: list[str] = []
    for name in names:
        print(f"{name}: {chosen.seconds} s with {'atheris' if led else 'hypothesis'}", flush=True)
        code = f"from tests.fuzz.__main__ import fuzz; fuzz({name!r}, {chosen.seconds})"
        if subprocess.run([sys.executable, "-c", code], check=False).returncode:
            failed.append(name)
    print(f"failed: {', '.join(failed)}; the inputs are in {KEPT}/" if failed else "nothing failed")
    return 1 if failed else 0


def fuzz(name: str, seconds: int) -> None:
    """Fuzz one target; ends the process where it is atheris that does it."""
    kept = KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    if find_spec("atheris") is not None:
        _led(name, kept, seconds)
    else:
        _made(name, kept, seconds)


def _led(name: str, kept: Path, seconds: int) -> None:
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["agents", "tools", "markdown_it"]):
        from tests.fuzz.targets import within_time
    arguments = [f"-max_total_time={seconds}", f"-max_len={_LONGEST_INPUT}", "-len_control=0"]
    arguments += [f"-artifact_prefix={kept}/", "-rss_limit_mb=4000", "-verbosity=0", "-timeout=60"]
    atheris.Setup(
        [name, *arguments, str(kept), str(_SEEDS)], partial(within_time, name, slower=_SLOWER)
    )
    atheris.Fuzz()


def _made(name: str, kept: Path, seconds: int) -> None:
    from tests.fuzz.targets import within_time

    until = time.monotonic() + max(seconds, _SHORTEST_RUN)

    @settings(
        max_examples=1000,
        deadline=None,
        database=DirectoryBasedExampleDatabase(kept / "examples"),
        phases=(Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(st.binary(max_size=_LONGEST_INPUT))
    def holds(data: bytes) -> None:
        with ExitStack() as failing:
            failing.callback((kept / "failed").write_bytes, data)
            within_time(name, data)
            failing.pop_all()

    while time.monotonic() < until:
        holds()


if __name__ == "__main__":
    sys.exit(main())
