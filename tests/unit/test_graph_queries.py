"""Queries to the graph are constants; what comes from outside goes in as parameters."""

import re
from pathlib import Path

from tools.graph import queries


def test_no_cypher_is_built_from_text() -> None:
    """Only constants are concatenated, in queries.py, with other constants."""
    written = Path(str(queries.__file__)).read_text("utf-8")
    others = Path(str(queries.__file__)).parent.glob("*.py")
    using = "\n".join(file.read_text("utf-8") for file in others if file.stem != "queries")

    assert not re.search(r"\bf[\"']|\.format\(|%\s*[\(\w]|\.join\(|\.replace\(", written)
    calls = re.findall(r"(?:_ask|\.query)\(\s*([^\s,)]+)", using)
    assert len(calls) > 10
    assert {call for call in calls if not call.startswith("queries.")} <= {
        "cypher",
        "query",
        "self",
    }
    assert "MATCH" not in using
