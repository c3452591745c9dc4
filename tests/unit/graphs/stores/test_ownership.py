"""A data directory belongs to one vault."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graphs.app import make_deps
from graphs.stores.ownership import claim
from tools.base.errors import InputError
from tools.settings.loading import load_settings
from tools.settings.settings import Settings


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
    for name in ("vault", "serve.token", "encoder.json"):
        (tmp_path / "data" / name).touch()
    deps = make_deps(load_settings(vault=vault, data_dir=tmp_path / "data"))
    await deps.close()
    assert (tmp_path / "data" / "vault").read_text("utf-8") == f"{vault}\n"


@pytest.mark.parametrize("attempt", range(20))
def test_of_two_vaults_that_claim_it_at_once_one_has_it(
    tmp_path: Path, write_vault: Callable[[dict[str, str]], Path], attempt: int
) -> None:
    vault = write_vault({"a.md": "A.", "inner/b.md": "B."})
    data_dir = tmp_path / f"data {attempt}"
    both = [load_settings(vault=each, data_dir=data_dir) for each in (vault, vault / "inner")]
    begun = threading.Barrier(2)

    def has_it(settings: Settings) -> bool:
        begun.wait()
        try:
            claim(settings)
        except InputError:
            return False
        return True

    with ThreadPoolExecutor(2) as threads:
        won = dict(zip(("outer", "inner"), threads.map(has_it, both), strict=True))

    owner = (data_dir / "vault").read_text("utf-8").rstrip()
    assert won == {"outer": owner == str(vault), "inner": owner == str(vault / "inner")}
