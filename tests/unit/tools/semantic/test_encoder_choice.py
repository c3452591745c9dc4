"""Which encoder an index is made with, where that is left to the notes."""

from pathlib import Path

import pytest

from tools.semantic import e5, minilm
from tools.semantic.choosing import AUTO, choose, encoder_named, is_due, is_foreign

ENGLISH = "The boiler was mended in March, and it has worked since then."
TURKISH = "Kazan mart ayında tamir edildi, o zamandan beri çalışıyor."
GERMAN = "Die Heizung wurde im März repariert und läuft seitdem ohne Störung."


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        (ENGLISH, False),
        (TURKISH, True),
        (GERMAN, True),
        ("ボイラーは三月に修理された。", True),
        ("- [ ] eggs\n- [ ] milk", False),
        ("def main() -> int:\n    return 0", False),
        ("", False),
    ],
)
def test_a_passage_is_told_by_how_it_begins(text: str, foreign: bool) -> None:
    assert is_foreign(text) is foreign


@pytest.mark.parametrize(
    ("others", "chosen"), [(0, minilm.NAME), (9, minilm.NAME), (10, e5.NAME), (100, e5.NAME)]
)
def test_a_tenth_in_other_languages_takes_the_one_of_many(
    tmp_path: Path, others: int, chosen: str
) -> None:
    texts = [TURKISH] * others + [ENGLISH] * (100 - others)
    assert choose(texts, passages=100, data_dir=tmp_path) == chosen
    assert encoder_named(AUTO, tmp_path) == chosen


def test_it_stays_until_few_are_left(tmp_path: Path) -> None:
    for others, chosen in ((10, e5.NAME), (6, e5.NAME), (4, minilm.NAME), (6, minilm.NAME)):
        texts = [TURKISH] * others + [ENGLISH] * (100 - others)
        assert choose(texts, passages=100, data_dir=tmp_path) == chosen


def test_a_name_is_what_it_is(tmp_path: Path) -> None:
    choose([TURKISH], passages=1, data_dir=tmp_path)
    assert encoder_named("some-model", tmp_path) == "some-model"


def test_it_is_chosen_again_once_the_vault_has_grown(tmp_path: Path) -> None:
    assert not is_due(tmp_path, 0)
    assert is_due(tmp_path, 1)
    choose([ENGLISH], passages=1000, data_dir=tmp_path)
    assert [is_due(tmp_path, count) for count in (890, 950, 1100, 1101)] == [
        True,
        False,
        False,
        True,
    ]


def test_a_damaged_file_is_none(tmp_path: Path) -> None:
    choose([TURKISH], passages=1, data_dir=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text("{")
    assert encoder_named(AUTO, tmp_path) == minilm.NAME
    assert is_due(tmp_path, 1)
