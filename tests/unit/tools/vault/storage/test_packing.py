import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.vault.storage.packing import FEWEST_SAMPLES, Packing, train

SAMPLES = [
    f"- [ ] Ask Ana about hydroponics, row {number}, before {number % 28 + 1} May.".encode()
    for number in range(2 * FEWEST_SAMPLES)
]
TEXT = "- [ ] Ask Ana about hydroponics, row 77, before 8 May."


@given(st.text() | st.just("\ud800"))
def test_what_is_packed_comes_back(text: str) -> None:
    packing = Packing()
    assert packing.unpack(packing.pack(text)) == text


def test_a_dictionary_makes_alike_texts_smaller() -> None:
    dictionary = train(SAMPLES)
    assert dictionary is not None
    packed = Packing(dictionary).pack(TEXT)
    assert len(packed) < len(Packing().pack(TEXT)) / 2
    assert Packing(dictionary).unpack(packed) == TEXT


def test_texts_of_before_a_dictionary_are_read_with_it() -> None:
    dictionary = train(SAMPLES)
    assert dictionary is not None
    assert Packing(dictionary).unpack(Packing().pack(TEXT)) == TEXT


def test_a_text_of_an_unknown_dictionary_is_told() -> None:
    dictionary = train(SAMPLES)
    assert dictionary is not None
    packed = Packing(dictionary).pack(TEXT)
    with pytest.raises(ValueError, match="packed"):
        Packing().unpack(packed)


@pytest.mark.parametrize("damaged", [b"", b"no frame", Packing().pack(TEXT)[:-9]])
def test_damage_is_told(damaged: bytes) -> None:
    with pytest.raises(ValueError, match="packed"):
        Packing().unpack(damaged)


@pytest.mark.parametrize("samples", [[], SAMPLES[: FEWEST_SAMPLES - 1], [b""] * FEWEST_SAMPLES])
def test_few_texts_or_empty_ones_make_no_dictionary(samples: list[bytes]) -> None:
    assert train(samples) is None
