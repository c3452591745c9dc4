"""A collection: a folder of vaults with one file of labelled questions to them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def note(one: Mapping[str, Any]) -> str:
    """The path of an evidence note inside its vault."""
    return str(one["note"]).split("/", 1)[1]
