"""What a prompt may hold, and which of a model's names a note bears out."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tools.graph.episodes import LONGEST_NAME, grounded, harmless


@given(st.text(alphabet="<|/>[]INSTEXT_ab\n"))
def test_nothing_in_a_note_can_end_a_section_or_open_a_turn(text: str) -> None:
    safe = harmless(text)
    assert "<" not in safe
    assert "[INST]" not in safe
    assert "[/INST]" not in safe
    assert len(safe) == len(text)


@pytest.mark.parametrize(
    "text", ["Plain words.", "A [[Wikilink]] and a [link](there)", "- [x] done", "[1] a number"]
)
def test_what_means_nothing_to_a_model_stays(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ada Lovelace", "Met Ada yesterday."),
        ("Ada Lovelace", "lovelace's engine"),
        ("Ayşe", "Ayşe'nin kitabı"),
        ("İstanbul", "ISTANBUL'da yaşıyor"),
        ("Li", "Li said so."),
        ("tea", "A cup of tea."),
        ("Nisha's dad", "My dad, said Nisha"),
        ("road cycling", "I cycled, on the road"),
    ],
)
def test_a_name_is_known_again_in_any_ending(name: str, text: str) -> None:
    assert grounded(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Jordan", "Ada lives in Rome."),
        ("Lockheed Martin", "Ada lives in Rome."),
        ("Li", "Lisa said so, in Berlin."),
        ("University of Denver", "One of them lives in Rome."),
        ("", "anything"),
        ("  ", "anything"),
        ("Rome " * LONGEST_NAME, "Rome"),
        ("?!", "What?!"),
    ],
)
def test_a_name_the_text_does_not_have_is_not_believed(name: str, text: str) -> None:
    assert not grounded(name, text)


@given(st.text(max_size=LONGEST_NAME).filter(lambda name: any(map(str.isalnum, name))))
@example("0\u32c0")
def test_a_name_that_stands_there_is_grounded(name: str) -> None:
    assert grounded(name, f"They met {name} there.") or not name.strip()
