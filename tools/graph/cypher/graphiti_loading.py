"""Importing what needs ``graphiti_core``, which takes seconds and has habits of its own."""

import asyncio
import importlib
import os
import threading
import warnings
from collections.abc import Generator
from contextlib import contextmanager

_NO_DOTENV = "PYTHON_DOTENV_DISABLED"
_loading = threading.Lock()


async def load_graphiti(*modules: str) -> None:
    """Import ``modules`` without Graphiti's warnings, telemetry and reading of ``.env``."""
    await asyncio.to_thread(_load, modules)


def _load(modules: tuple[str, ...]) -> None:
    with _loading, _without_dotenv(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for module in modules:
            importlib.import_module(module)


@contextmanager
def _without_dotenv() -> Generator[None]:
    """Keep Graphiti from setting this process's environment by whatever ``.env`` it finds."""
    before = os.environ.get(_NO_DOTENV)
    os.environ[_NO_DOTENV] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_NO_DOTENV]
        else:
            os.environ[_NO_DOTENV] = before
