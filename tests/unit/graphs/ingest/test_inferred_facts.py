"""A file of inferred facts that cannot be read: indexing goes on, and what is known stays known."""

import shutil
from pathlib import Path
from typing import get_args

import pytest

from graphs.core.ingest_report import IngestReport
from tests.support.values.inferred import Damage, read, spoil, version
from tests.support.vaults.desk import Desk, desk
from tools.base.domain import SourceWarning
from tools.graph.extraction.store import InferredStore

__all__ = ["desk"]

INFERRED = ("Ada", "LEADS", "Engines")
DAMAGES: tuple[Damage, ...] = get_args(Damage)


@pytest.fixture(autouse=True)
def _read_by_a_model(desk: Desk, tmp_path: Path) -> None:
    """Two notes in the graph, one of which a model has read."""
    desk.write("Tea.md", "causes:: [[Sleep]]")
    desk.write("Sleep.md", "Good.")
    read(InferredStore(tmp_path / "inferred.db", model="none"), version("Tea.md"), ["Engines"])
    desk.run()
    assert desk.facts("Ada") == [INFERRED]
    shutil.copy(tmp_path / "inferred.db", tmp_path / "whole.db")


def warned(report: IngestReport) -> SourceWarning:
    """What is said of the file of inferred facts."""
    (warning,) = [one for one in report.warnings if one.source == "inferred facts"]
    return warning


def mend(desk: Desk) -> None:
    for file in desk.folder.glob("inferred.db*"):
        file.unlink()
    shutil.copy(desk.folder / "whole.db", desk.folder / "inferred.db")


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_written_is_indexed_and_what_was_inferred_stays(desk: Desk, damage: Damage) -> None:
    spoil(desk.folder / "inferred.db", damage)
    desk.write("Tea.md", "causes:: [[Rest]]")

    desk.index()
    report = desk.ingest()

    assert desk.facts("Tea") == [("Tea", "CAUSES", "Rest")]
    assert desk.facts("Ada") == [INFERRED]
    assert report.graph_written == 1
    warning = warned(report)
    assert "\n" not in warning.error + warning.impact


@pytest.mark.parametrize("damage", DAMAGES)
def test_once_it_can_be_read_again_the_graph_is_what_one_run_makes(
    desk: Desk, damage: Damage
) -> None:
    spoil(desk.folder / "inferred.db", damage)
    desk.write("Engines.md", "A name that now leads to a note.")
    desk.write("Tea.md", "causes:: [[Rest]]")
    desk.run()
    mend(desk)

    desk.fill()

    mended = desk.graph_now()
    assert desk.facts("Ada") == [INFERRED]
    assert desk.fill() == 0
    desk.fill(rebuild=True)
    assert desk.graph_now() == mended


def test_a_rebuild_without_it_says_what_is_lost_until_it_can_be_read(desk: Desk) -> None:
    spoil(desk.folder / "inferred.db", "no database")

    kept = warned(desk.ingest())
    lost = warned(desk.ingest(rebuild=True))

    assert desk.facts("Ada") == []
    assert (lost.error, lost.impact != kept.impact) == (kept.error, True)
    mend(desk)
    assert desk.ingest().graph_written == 2
    assert desk.facts("Ada") == [INFERRED]


def test_nothing_of_it_stays_once_the_file_is_gone(desk: Desk) -> None:
    """Notes are read anew then: what an earlier reading said may not be said again."""
    spoil(desk.folder / "inferred.db", "no database")
    desk.write("Tea.md", "causes:: [[Rest]]")
    desk.run()
    for file in desk.folder.glob("inferred.db*"):
        file.unlink()

    desk.fill()

    assert desk.facts("Ada") == []
