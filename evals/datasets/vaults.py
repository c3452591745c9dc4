"""The vaults that stand in the repository, by their names."""

from pathlib import Path

from evals.datasets.files import DATA, VAULT

_WITH_NOTES = ("held_out", "weighed", "reader")
"""Folders of vaults that stand beside questions of their own."""


def written_vault(name: str) -> Path:
    """The folder of a vault that was written for measuring, or of the ``example``.

    Raises StopIteration where there is none.
    """
    if name == "example":
        return VAULT
    beside = (DATA / part / name / "notes" for part in _WITH_NOTES)
    return next(place for place in (DATA / "vaults" / name, *beside) if place.is_dir())
