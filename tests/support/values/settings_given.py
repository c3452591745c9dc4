"""A user without settings of any kind, and how a test gives some."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.base.errors import InputError
from tools.settings.loading import load_settings

type Write = Callable[[dict[str, str]], Path]


@pytest.fixture(autouse=True)
def nobody_at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give the platform's folders a fresh home and clear the environment of our settings."""
    for name in [name for name in os.environ if name.startswith(("BRAIN_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def vault(write_vault: Write) -> Path:
    return write_vault({"a.md": "One."})


def toml(text: str) -> None:
    """Write the settings file of the working directory."""
    Path("brain.toml").write_text(text, "utf-8")


def refusal(**overrides: object) -> str:
    """The one line that says why the settings cannot be used."""
    with pytest.raises(InputError) as caught:
        load_settings(**overrides)
    message = str(caught.value)
    assert "\n" not in message
    return message
