"""What a client knows of a vault before anything is loaded, and what tells two processes apart."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.base.errors import InputError
from tools.settings.loading import load_settings
from tools.settings.sources import Place, find_place


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "A.md").write_text("a", "utf-8")
    return tmp_path / "vault"


def place(vault: Path, **more: object) -> Place:
    found = find_place({"vault": vault, **more})
    assert found is not None
    return found


def test_a_place_is_where_the_settings_say(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for given in ({"vault": vault}, {"vault": vault, "data_dir": tmp_path / ("x" * 150)}):
        settings, found = load_settings(**given), find_place(given)
        assert found is not None
        assert (found.vault, found.data_dir) == (settings.vault, settings.data_dir)
        assert found.run_dir == settings.run_dir
    monkeypatch.setenv("BRAIN_VAULT", str(vault))
    assert find_place({"vault": None}) == place(vault)
    monkeypatch.chdir(tmp_path)
    assert place(Path("vault")).mark == place(vault).mark


def test_without_a_vault_there_is_no_place() -> None:
    assert find_place({}) is None
    assert find_place({"vault": "~nobody-of-this-name/x"}) is None


def test_a_broken_file_is_said_in_one_line(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "brain.toml").write_text("mode = ", "utf-8")
    with pytest.raises(InputError, match=r"brain\.toml"):
        find_place({"vault": vault})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BRAIN_MODE", "llm"),
        ("BRAIN_CHAT_MODEL", "other"),
        ("BRAIN_GRAPH_PASSWORD", "swordfish"),
        ("BRAIN_SOURCE_TIMEOUT", "2"),
        ("TZ", "Asia/Tokyo"),
    ],
)
def test_what_may_change_an_answer_changes_the_mark(
    vault: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    before = place(vault).mark
    assert place(vault).mark == before
    monkeypatch.setenv(name, value)
    assert place(vault).mark != before
    assert len(place(vault).mark) == 64


@pytest.mark.parametrize("name", ["BRAIN_IDLE_MINUTES", "BRAIN_SERVICES_OWNER", "EDITOR"])
def test_what_changes_no_answer_leaves_the_mark(
    vault: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = place(vault).mark
    monkeypatch.setenv(name, "7")
    assert place(vault).mark == before


def test_a_setting_is_the_same_from_a_file_and_a_variable(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "brain.toml").write_text("max_note_bytes = 7000\n", "utf-8")
    from_file = place(vault).mark
    (tmp_path / "brain.toml").unlink()
    assert place(vault).mark != from_file
    monkeypatch.setenv("BRAIN_MAX_NOTE_BYTES", "7000")
    assert place(vault).mark == from_file


def test_another_vault_has_another_mark(vault: Path, tmp_path: Path) -> None:
    shared = tmp_path / "data"
    other = tmp_path / "other"
    marks = {place(one, data_dir=shared).mark for one in (vault, other)}
    assert len(marks) == 2


def test_looking_loads_nothing_heavy() -> None:
    script = (
        "import sys, tools.settings.sources, graphs.service.client, graphs.cli.output.answer\n"
        "heavy = {'pydantic', 'rich', 'asyncio', 'http.client', 'email', 'httpx', 'langgraph'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
