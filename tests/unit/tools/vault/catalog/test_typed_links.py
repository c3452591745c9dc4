"""What notes say of one another, as it is read from the catalog."""

from datetime import UTC, datetime
from pathlib import Path

from tests.support.vaults.catalogs import written_catalog
from tools.vault.catalog.typed_links import typed_links

SAVED = datetime(2025, 1, 1, tzinfo=UTC)


def test_they_come_from_frontmatter_fields_and_names_without_brackets(tmp_path: Path) -> None:
    notes = {
        "A.md": "---\nsupports: ['[[B]]']\ngoal: C\n---\nelaborated by:: [[C]]\n\nSee [[B]].\n",
        "B.md": "likes:: C\nmood:: fine\nsupports:: [[B]]\n",
        "C.md": "#tagged [[A]] ![[B]]\n",
    }
    catalog = written_catalog(tmp_path / "a", notes, saved=SAVED)
    assert set(catalog.inventory.typed_links()) == {
        ("A.md", "SUPPORTS", "B.md"),
        ("A.md", "GOAL", "C.md"),
        ("A.md", "ELABORATED_BY", "C.md"),
        ("B.md", "LIKES", "C.md"),
    }
    catalog.close()


def test_they_are_known_until_a_note_changes(tmp_path: Path) -> None:
    notes = {"A.md": "supports:: [[B]], [[C]]", "B.md": "Tea."}
    catalog = written_catalog(tmp_path / "a", notes, saved=SAVED)
    before = catalog.inventory.typed_links()
    assert before == (("A.md", "SUPPORTS", "B.md"),)
    assert catalog.inventory.typed_links() is before
    written_catalog(tmp_path / "a", {"C.md": "Milk."}, saved=SAVED).close()
    assert set(catalog.inventory.typed_links()) == {*before, ("A.md", "SUPPORTS", "C.md")}
    catalog.remove(["B.md"])
    assert catalog.inventory.typed_links() == (("A.md", "SUPPORTS", "C.md"),)
    catalog.remove(["A.md"])
    assert catalog.inventory.typed_links() == ()
    catalog.close()


def test_a_note_that_was_replaced_says_no_more_than_that() -> None:
    stated = [
        ("old", "SUPPORTS", "tea"),
        ("old", "SUPERSEDED_BY", "new"),
        ("older", "SUPPORTS", "tea"),
        ("new", "SUPERSEDES", "older"),
        ("new", "SUPERSEDES", "new"),
        ("new", "SUPPORTS", "tea"),
    ]
    assert typed_links(stated, lambda name: name) == (
        ("old", "SUPERSEDED_BY", "new"),
        ("new", "SUPERSEDES", "older"),
        ("new", "SUPPORTS", "tea"),
    )
