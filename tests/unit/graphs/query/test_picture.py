"""The picture of the query graph in the README."""

import re
from pathlib import Path

from graphs.app import make_deps
from graphs.query.graph import build
from tests.support.vaults.notes import write_notes
from tools.settings.loading import load_settings

README = Path(__file__).parents[4] / "README.md"
_BOX = re.compile(r"\[\"(\w+): |(finish)")


def test_the_picture_has_every_node(tmp_path: Path) -> None:
    write_notes(tmp_path / "vault", {"A.md": "a"})
    settings = load_settings(vault=tmp_path / "vault", data_dir=tmp_path / "data")
    nodes = build(make_deps(settings)).nodes
    picture = README.read_text("utf-8").partition("```mermaid")[2].partition("```")[0]
    named = {one or end for one, end in _BOX.findall(picture)}
    assert named == {name for name in nodes if not name.startswith("__")}
