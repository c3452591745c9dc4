"""How close the notes must be that a question asks for, by its words or a number."""

import pytest

from agents.interpreter.closeness import closeness
from agents.interpreter.plan import threshold
from tools.base.errors import InputError


@pytest.mark.parametrize(
    ("question", "threshold"),
    [
        ("notes very similar to Deep Work", 0.8),
        ("closely related ideas", 0.7),
        ("notes similar to Deep Work", 0.6),
        ("what is related to soil", 0.5),
        ("şuna çok benzer notlar", 0.8),
        ("uykuyla yakından ilgili notlar", 0.7),
        ("uykuya benzeyen notlar", 0.6),
        ("uykuyla ilgili notlar", 0.5),
        ("How similar are Norwegian and Danish?", None),
        ("Is basil similar to mint?", None),
        ("what does the related work section say", None),
        ("work-related stress", None),
        ("similar triangles", None),
        ("ilgili kişi kim", None),
    ],
)
def test_only_words_that_say_how_close_set_a_threshold(
    question: str, threshold: float | None
) -> None:
    assert closeness(question) == threshold


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("sleep with similarity above 0.9", 0.9),
        ("sleep similarity above 0.8", 0.8),
        ("sleep with similarity 80%", 0.8),
        ("sleep with similarity above 0,8", 0.8),
        ("sleep (similarity >= 0.8)", 0.8),
        ("tea and soil, similarity of at least 75 percent", 0.75),
        ("notes at least 75% similar to Deep Work", 0.75),
        ("sleep with a threshold of 0.6 or more", 0.6),
        ("sleep threshold 0.8", 0.8),
        ("benzerliği 0,8 üstü olan uyku notları", 0.8),
        ("uyku, benzerlik eşiği %70", 0.7),
        ("en az 0.8 benzerlikle uyku", 0.8),
    ],
)
def test_a_number_of_similarity_is_the_threshold(question: str, value: float) -> None:
    assert threshold("factual", question) == value


@pytest.mark.parametrize(
    "words",
    ["similarity above 3", "similarity 150%", "threshold -1", "threshold 1.5", "threshold nan"],
)
def test_a_number_out_of_range_is_refused(words: str) -> None:
    with pytest.raises(InputError, match=r"\b0\b.*\b1\b") as refused:
        threshold("factual", f"sleep {words}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "question",
    [
        "how did the similarity over 3 years change",
        "similarity of 2 poems",
        "what is the threshold of 140 in blood pressure?",
        "tax threshold 2025",
        "threshold 200 euros",
        "what does 98% similarity of twins mean",
        "eşik değeri nedir",
    ],
)
def test_other_numbers_say_nothing_of_similarity(question: str) -> None:
    assert closeness(question) is None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("find notes closely related to sleep", 0.7),
        ("what is closely related to sleep?", 0.7),
        ("very similar notes to sleep", 0.8),
        ("show notes strongly connected to basil", 0.7),
        ("ideas tightly linked with bread", 0.7),
        ("what is related to work", 0.5),
        ("sleep, very similar only", 0.8),
        ("strongly typed languages", None),
    ],
)
def test_words_of_closeness_may_stand_anywhere(question: str, value: float | None) -> None:
    assert closeness(question) == value
