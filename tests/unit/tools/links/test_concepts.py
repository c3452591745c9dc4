"""What two notes have in common."""

from datetime import UTC, datetime

from tools.base.domain import Note
from tools.links.concepts import MOST_SHARED, rare_stems, shared_concepts
from tools.vault.notes.notes import parse_note


def note(path: str, text: str) -> Note:
    return parse_note(path, text.encode(), mtime=datetime(2024, 1, 1, tzinfo=UTC))


A = note("A.md", "#baking\n# A\n## Method\n[[Yeast]] makes the gluten hold. Gluten again.\n")
B = note("B.md", "#Baking #bread\n# B\n## method\nGluten needs [[yeast|it]]; gluten and time.\n")
C = note("C.md", "# C\nTaxes are due.\n")


def titles(target: str) -> str | None:
    return "Yeast" if target.casefold() == "yeast" else None


def test_notes_that_both_link_to_come_first_then_tags_headings_and_rare_words() -> None:
    rare = rare_stems([A, B, C])
    found = shared_concepts(A, B, title_of=titles, rarity=rare)
    assert found[:3] == ("Yeast", "baking", "Method")
    assert "gluten" in {one.casefold() for one in found[3:]}
    assert len(found) <= MOST_SHARED


def test_notes_on_nothing_in_common_share_nothing() -> None:
    assert shared_concepts(A, C, title_of=titles, rarity=rare_stems([A, B, C])) == ()
