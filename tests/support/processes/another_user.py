"""Somebody else on this machine: what they run has their rights and no others."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.processes.command_line import environment
from tests.support.processes.mounts import read_only_view

ROOT = Path(__file__).parents[3]
NOBODY = 65534
_EACH = """
import json, sys
from tests.support.processes.command_line import run_here
done = [run_here(*command, environment={}) for command in json.loads(sys.argv[1])]
print(json.dumps([(one.returncode, one.stdout, one.stderr) for one in done]))
"""
SYSTEM_PYTHON = "/usr/bin/python3"
"""One that every user can run; it has none of our packages."""

as_root = pytest.mark.skipif(os.getuid() != 0, reason="needs root, to mount or be another user")
with_system_python = pytest.mark.skipif(
    not Path(SYSTEM_PYTHON).exists(), reason="needs a Python of the system"
)


def run_as_nobody(
    *command: str | Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run it to its end in the root folder, within two minutes."""
    return subprocess.run(
        command,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        env=variables,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@dataclass(frozen=True)
class Stranger:
    """Another user with a home of their own, who runs ``brain`` on the vault that is given."""

    python: Path
    variables: Mapping[str, str]

    def brain(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        main = "from graphs.cli.main import main; main()"
        return run_as_nobody(self.python, "-c", main, *arguments, variables=self.variables)

    def each(self, *commands: tuple[str, ...]) -> list[tuple[int, str, str]]:
        """What each command ends with and prints; one process for all, for its imports."""
        given = json.dumps(commands)
        run = run_as_nobody(self.python, "-c", _EACH, given, variables=self.variables)
        assert run.returncode == 0, run.stderr
        return [(code, out, err) for code, out, err in json.loads(run.stdout)]


@contextmanager
def stranger(folder: Path, *, vault: Path, data_dir: Path) -> Generator[Stranger]:
    """Show this Python and its packages in ``folder``, which everybody may enter.

    Where they lie may be somebody's home, and closed.
    """
    home = folder / "home"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "brain"
    shutil.copytree(cache, home / ".cache" / "brain")  # the encoder, or it would be made anew
    for path in (home, *home.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    with ExitStack() as views:

        def seen(what: str | Path, name: str) -> Path:
            return views.enter_context(read_only_view(Path(what), at=folder / name))

        base = seen(sys.base_prefix, "python")
        packages, ours = seen(sysconfig.get_path("purelib"), "packages"), seen(ROOT, "ours")
        variables = {
            **environment(vault, data_dir),
            "HOME": str(home),
            "LD_LIBRARY_PATH": str(base / "lib"),
            "PYTHONPATH": f"{ours}{os.pathsep}{packages}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        for name in ("CACHE_HOME", "RUNTIME_DIR", "CONFIG_HOME", "DATA_HOME"):
            variables.pop(f"XDG_{name}", None)
        python = base / Path(sys.executable).resolve().relative_to(Path(sys.base_prefix).resolve())
        can = run_as_nobody(python, "-c", "import graphs.app, chromadb", variables=variables)
        if can.returncode:
            pytest.skip("another user cannot read this Python's files")
        yield Stranger(python, variables)
