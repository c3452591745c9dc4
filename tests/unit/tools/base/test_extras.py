"""What a message says of an extra holds: there is one of that name, and make installs it."""

import re
import tomllib
from pathlib import Path

import pytest

from tools.base.extras import to_install

ROOT = Path(__file__).parents[4]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
_NAMED = re.compile(r"to_install\([\"'](\w+)[\"']\)")


def named() -> set[str]:
    return {
        extra
        for room in ("agents", "graphs", "tools", "evals")
        for file in (ROOT / room).rglob("*.py")
        for extra in _NAMED.findall(file.read_text("utf-8"))
    }


def test_there_is_an_extra_of_every_name_that_a_message_has() -> None:
    assert {"otel", "pages", "postgres"} <= named() <= EXTRAS.keys()


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_the_readme_says_what_each_extra_is_for(extra: str) -> None:
    assert f"`{extra}`" in (ROOT / "README.md").read_text("utf-8")


def test_make_knows_how_to_install_one() -> None:
    assert "`make install EXTRAS=pages`" in to_install("pages")
    assert "\ninstall:" in (ROOT / "Makefile").read_text("utf-8")
