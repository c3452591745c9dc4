"""What two notes have in common."""

from tools.links.concepts import (
    MOST_SHARED,
    NoteConcepts,
    shared_concepts,
    words_by_stem,
)

A = NoteConcepts(
    linked=["Yeast"],
    tags=["baking"],
    headings=["A", "Method"],
    words=words_by_stem("Yeast makes the gluten hold. Gluten again."),
)
B = NoteConcepts(
    linked=["Yeast", "Flour"],
    tags=["Baking", "bread"],
    headings=["B", "method"],
    words=words_by_stem("Gluten needs it; gluten and time."),
)
C = NoteConcepts(linked=[], tags=[], headings=["C"], words=words_by_stem("Taxes are due."))
RARITY = {"gluten": 3.0, "yeast": 2.0, "hold": 1.0, "time": 0.5, "tax": 3.0}


def test_notes_that_both_link_to_come_first_then_tags_headings_and_rare_words() -> None:
    found = shared_concepts(A, B, rarity=RARITY)
    assert found[:3] == ("Yeast", "baking", "Method")
    assert "gluten" in {one.casefold() for one in found[3:]}
    assert len(found) <= MOST_SHARED


def test_notes_on_nothing_in_common_share_nothing() -> None:
    assert shared_concepts(A, C, rarity=RARITY) == ()
