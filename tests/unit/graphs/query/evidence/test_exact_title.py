"""Which notes a question names, and asks nothing else."""

import pytest

from graphs.query.evidence.exact_title import exact_title_matches
from tests.support.values.results import a_plan, a_result
from tests.support.vaults.desk import Desk, desk
from tools.ranking.fusion import put_first

__all__ = ["desk"]

NOTES = {
    "Agora.md": "# Agora\n\nA garden of gardens.\n",
    "The wall.md": "---\naliases: [duvar]\n---\nIt is of stone.\n",
    "stubs/Agora.md": "---\ntitle: Agora again\n---\n[[Agora]]\n",
    "What is art.md": "An essay.\n",
    "0.08.md": "A release.\n",
}


@pytest.fixture
def noted(desk: Desk) -> Desk:
    for path, text in NOTES.items():
        desk.write(path, text)
    desk.index()
    return desk


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("agora", ("Agora.md", "stubs/Agora.md")),
        ("What is Agora?", ("Agora.md", "stubs/Agora.md")),
        ("tell me about “Agora”!", ("Agora.md", "stubs/Agora.md")),
        ("Agora again", ("stubs/Agora.md",)),
        ("What is the wall?", ("The wall.md",)),
        ("Duvar nedir?", ("The wall.md",)),
        ("What is art?", ("What is art.md",)),
        ("What is 0.08?", ("0.08.md",)),
        ("Who built the Agora?", ()),
        ("Agora and the wall", ()),
        ("What is a forum?", ()),
        ("", ()),
    ],
)
def test_a_note_is_asked_for_where_only_its_name_is_looked_for(
    noted: Desk, question: str, notes: tuple[str, ...]
) -> None:
    assert exact_title_matches(a_plan(query=question), noted.deps) == notes


def test_named_notes_come_first_and_the_others_keep_their_places() -> None:
    results = [a_result(path) for path in ("a.md", "b.md", "c.md", "d.md")]
    ordered = put_first(results, ["d.md", "gone.md", "b.md"])
    assert [one.note_path for one in ordered] == ["d.md", "b.md", "a.md", "c.md"]
