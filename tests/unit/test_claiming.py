"""A data directory belongs to one vault."""

from collections.abc import Callable
from pathlib import Path

import pytest

from graphs.app import make_deps
from tools.errors import InputError
from tools.settings import load_settings


async def test_a_data_directory_is_not_taken_by_another_vault(
    tmp_path: Path, write_vault: Callable[[dict[str, str]], Path]
) -> None:
    vault = write_vault({"a.md": "A.", "inner/b.md": "B."})
    deps = make_deps(load_settings(vault=vault, data_dir=tmp_path / "data"))
    await deps.close()
    assert (tmp_path / "data" / "vault").read_text("utf-8") == f"{vault}\n"
    with pytest.raises(InputError, match="another vault"):
        make_deps(load_settings(vault=vault / "inner", data_dir=tmp_path / "data"))


async def test_what_a_full_disk_left_empty_claims_nothing(
    tmp_path: Path, write_vault: Callable[[dict[str, str]], Path]
) -> None:
    vault = write_vault({"a.md": "A."})
    (tmp_path / "data").mkdir()
    for name in ("vault", "serve.token"):
        (tmp_path / "data" / name).touch()
    deps = make_deps(load_settings(vault=vault, data_dir=tmp_path / "data"))
    await deps.close()
    assert (tmp_path / "data" / "vault").read_text("utf-8") == f"{vault}\n"
