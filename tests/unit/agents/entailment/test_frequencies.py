"""How often something happens: told in many ways, compared as one number."""

import pytest

from agents.entailment.contradiction import predict_pair


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Water the fern twice a week.", "Water the fern once a week."),
        ("The backup runs every night.", "The backup runs every week."),
        ("The backup runs daily.", "The backup runs weekly."),
        ("The board meets every two weeks.", "The board meets every month."),
        ("The tablets are taken three times a day.", "The tablets are taken twice a day."),
        ("Eğrelti otu haftada iki kez sulanmalı.", "Eğrelti otu haftada bir sulanmalı."),
        ("Yedek her gece alınır.", "Yedek her hafta alınır."),
    ],
)
def test_different_frequencies_clash(a: str, b: str) -> None:
    assert predict_pair(a, b).contradiction
    assert predict_pair(b, a).contradiction


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The backup runs daily.", "The backup runs every day."),
        ("The board meets fortnightly.", "The board meets every other week."),
        ("The board meets once a month.", "The board meets every month."),
        ("Yedek her gün alınır.", "Yedek günde bir alınır."),
    ],
)
def test_one_frequency_in_other_words_does_not(a: str, b: str) -> None:
    assert not predict_pair(a, b).contradiction
