"""How much an install carries, and what of it is heaviest.

``python -m scripts.install_size [EXTRA …]`` installs the locked packages without the tools of
development, and with these extras, into a folder that is gone afterwards. A megabyte is one of
``du -m``: what the files take on disk, without compiled bytecode. Who asks for a package is said by
``.tools/bin/uv tree --invert --no-default-groups --package NAME``.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
_UV = ROOT / ".tools" / "bin" / "uv"
_HEAVIEST = 10
_MB = 1 << 20


def main(extras: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "installed")
        subprocess.run(
            [
                *(_UV, "sync", "--frozen", "--quiet", "--no-default-groups"),
                *("--no-compile-bytecode", *(f"--extra={extra}" for extra in extras)),
            ],
            cwd=ROOT,
            env={**os.environ, "UV_PROJECT_ENVIRONMENT": str(home)},
            check=True,
        )
        (packages,) = home.glob("lib/python*/site-packages")
        sizes = {one.name: _on_disk(_files(one)) for one in distributions(path=[str(packages)])}
        whole = _on_disk(home.rglob("*"))
    lines = [f"{len(sizes)} distributions, {whole / _MB:.0f} MB"]
    heaviest = sorted(sizes, key=sizes.__getitem__, reverse=True)[:_HEAVIEST]
    lines += [f"{sizes[name] / _MB:6.1f} MB  {name}" for name in heaviest]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _files(one: Distribution) -> Iterable[Path]:
    return {Path(str(one.locate_file(file))).resolve() for file in one.files or ()}


def _on_disk(files: Iterable[Path]) -> int:
    return sum(file.lstat().st_blocks * 512 for file in files if file.exists())


if __name__ == "__main__":
    main(sys.argv[1:])
