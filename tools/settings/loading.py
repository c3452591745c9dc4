"""Settings as they are given: by arguments, the environment and ``brain.toml``, in that order."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError, model_validator

from tools.base.errors import InputError
from tools.settings.settings import FORMER_NAME, ModelSettings, Settings
from tools.settings.sources import gathered, with_absolute_paths


class _Folders(ModelSettings):
    """Where the notes and the index are, if that is set at all."""

    vault: Path | None = None
    data_dir: Path | None = None

    @model_validator(mode="before")
    @classmethod
    def _absolute_paths(cls, values: dict[str, Any]) -> dict[str, Any]:
        return with_absolute_paths(values)


def load_settings(**overrides: object) -> Settings:
    """Settings with absolute paths; ``None`` overrides are ignored.

    Raises InputError, in one line, for a missing vault, a bad value or an unreadable file.
    """
    settings = _load(Settings, overrides)
    check_vault(settings.vault)
    try:
        settings.index_path.exists()
    except OSError as error:
        raise InputError(f"The data directory's path cannot be used: {error.strerror}.") from None
    return settings


def load_any_settings(**overrides: object) -> Settings:
    """The same for a vault that may be gone by now."""
    return _load(Settings, overrides)


def load_model_settings(**overrides: object) -> ModelSettings:
    """The part of the settings that needs no vault; ``None`` overrides are ignored.

    Raises InputError, in one line, for a bad value or an unreadable file.
    """
    return _load(ModelSettings, overrides)


def load_folders() -> tuple[Path, ...]:
    """The vault and its data directory as far as they are set; they need not exist.

    Raises InputError, in one line, for a bad value or an unreadable file.
    """
    folders = _load(_Folders, {})
    return tuple(folder for folder in (folders.vault, folders.data_dir) if folder is not None)


def _load[T: ModelSettings](kind: type[T], overrides: Mapping[str, object]) -> T:
    values = gathered(overrides, known={*kind.model_fields, FORMER_NAME})
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        if field == "vault" and first["type"] == "missing":
            raise InputError(
                "No vault given: pass --vault DIR, set BRAIN_VAULT, or write brain.toml."
            ) from None
        detail = first["msg"].removeprefix("Value error, ")
        what = f"Setting {field} is not usable" if field else "The settings are not usable"
        raise InputError(f"{what}: {detail}.") from None


def check_vault(vault: Path) -> None:
    """Raise InputError unless ``vault`` is a readable folder with a note in it."""
    try:
        there = vault.exists()
    except OSError as error:
        raise InputError(f"The vault's path cannot be used: {error.strerror}.") from None
    if not there:
        raise InputError(
            f"The vault {vault.name!r} does not exist: check --vault or BRAIN_VAULT, and that its "
            "disk is there. If it was moved, `brain index --moved` goes on at its new place."
        )
    if not vault.is_dir():
        raise InputError(f"The vault {vault.name!r} is a file: give the folder that holds it.")
    if not os.access(vault, os.R_OK | os.X_OK):
        raise InputError(f"The vault {vault.name!r} cannot be read: check its permissions.")
    if not _has_notes(vault):
        raise InputError(
            f"The vault {vault.name!r} has no notes (.md files): check --vault or BRAIN_VAULT, "
            "and that its disk is there. Nothing was changed."
        )


def _has_notes(vault: Path) -> bool:
    for _, folders, files in os.walk(vault):
        if any(name.lower().endswith(".md") for name in files):
            return True
        folders[:] = [name for name in folders if not name.startswith(".")]
    return False
