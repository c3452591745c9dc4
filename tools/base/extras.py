"""Packages that not everybody needs: the extras of ``pyproject.toml``."""


def to_install(extra: str) -> str:
    """What to do where the packages of an extra are missing, as it stands in a message."""
    return f"install the extra `{extra}` (`make install EXTRAS={extra}` in the program's folder)"
