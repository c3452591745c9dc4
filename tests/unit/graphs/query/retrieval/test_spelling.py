"""Words of a question that no note has, read as the words of the notes they are a slip from."""

import pytest

from graphs.query.retrieval.spelling import misspelt, with_spelling
from tests.support.vaults.desk import Desk, desk

__all__ = ["desk"]

NOTES = {
    "Collingridge dilemma.md": "# Collingridge dilemma\n\nTechnology is hard to steer.\n",
    "People.md": "# People\n\nMagda Wójcik keeps bees. Mualla Hanım keeps the flat.\n",
    "Zoo.md": "# Zoo\n\nThe hundred rabbits live on a boat in the harbour.\n",
}


@pytest.fixture
def noted(desk: Desk) -> Desk:
    for path, text in NOTES.items():
        desk.write(path, text)
    desk.index()
    return desk


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Collingrige dilema", "Collingridge dilemma"),
        ("who is Magda Wojick?", "who is Magda Wójcik?"),
        ("where do the rabits live", "where do the rabbits live"),
        ("what is Wójcik's trade", "what is Wójcik's trade"),
        ("what is “Collingrige”?", "what is “Collingrige”?"),
        ("see notes/Collingrige.md", "see notes/Collingrige.md"),
        ("who broke my arm?", "who broke my arm?"),
        ("Is there a zebra?", "Is there a zebra?"),
        ("", ""),
    ],
)
def test_a_slip_is_read_as_the_word_of_the_notes(noted: Desk, question: str, meant: str) -> None:
    found = misspelt(question, noted.catalog, turkish=False)
    assert with_spelling(question, found) == meant


def test_of_a_turkish_question_only_names_are_looked_at(noted: Desk) -> None:
    found = misspelt("Mulla Hanım nerede oturuyor?", noted.catalog, turkish=True)
    assert found == {"Mulla": "Mualla"}
    assert misspelt("rabitts nerede?", noted.catalog, turkish=True) == {}


def test_what_a_folder_or_tag_is_called_is_no_slip(noted: Desk) -> None:
    question = "what is in Mulla?"
    assert misspelt(question, noted.catalog, turkish=False)
    assert misspelt(question, noted.catalog, turkish=False, names=["old mulla"]) == {}


def test_in_an_empty_vault_every_word_stays(desk: Desk) -> None:
    assert misspelt("Collingrige dilema", desk.catalog, turkish=False) == {}
