"""What words mean alike, and what a span has of a question where that counts, too."""

from hypothesis import given
from hypothesis import strategies as st

from tools.evidence.features import FEATURES, Candidate, Found, QueryTerms, candidates
from tools.evidence.spans import spans_of
from tools.text.likeness import UNLIKE_ITSELF, likeness, rows_of
from tools.text.tokens import stem, stems_in

MEANING = [FEATURES.index(name) for name in ("span_meaning", "whole_meaning", "near_meaning")]
WORDS = ("wages", "doctor", "boat", "quxley", "of", "5")
texts = st.lists(st.sampled_from((*WORDS, "salary", "yacht", "zzyzx")), max_size=8).map(" ".join)


def spans(text: str, *words: str, title: str = "") -> list[Candidate]:
    note = Found(path="a.md", title=title, rank=0, score=0.5, relevance=0.5, passages=())
    asked = QueryTerms(weights=dict.fromkeys(map(stem, words), 1.0))
    return candidates(asked, note, spans_of(text))


def meaning(span: Candidate) -> list[float]:
    return [span.features[at] for at in MEANING]


def test_words_that_mean_alike_are_alike_and_others_are_not() -> None:
    alike = likeness((stem("doctor"),))
    near, far = (alike[rows_of([stem(word)])[1:]].item() for word in ("physician", "gravel"))
    assert near > 0.3 > far


def test_a_sentence_that_says_it_in_other_words_has_more_of_the_question() -> None:
    other, same = spans("The gravel is wet.\n\nHer salary rose in May.", "wages")
    assert meaning(same)[0] > meaning(other)[0]


def test_what_stands_over_a_span_and_near_it_counts_for_it() -> None:
    (span,) = spans("## Salary\n\nIt rose in May.", "wages")
    own, whole, _ = meaning(span)
    assert whole > own
    first, last = spans("It rose in May. Her salary is fair.", "wages")
    assert meaning(first)[2] == meaning(last)[0] > meaning(first)[0]


def test_a_word_that_is_not_known_is_only_like_itself() -> None:
    assert not likeness((stem("quxley"),)).any()
    named, other = spans("quxley called.\n\nThe doctor called.", "quxley")
    assert meaning(named)[0] == 1.0
    assert meaning(other)[0] == 0.0


@given(texts, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_only_the_same_word_is_the_same(text: str, words: list[str]) -> None:
    for span in spans(text, *words):
        said, asked = {*stems_in(span.span.text)}, {*map(stem, words)}
        own = meaning(span)[0]
        least = len(said & asked) / len(asked)
        assert least - 1e-6 <= own <= least + UNLIKE_ITSELF * (1.0 - least) + 1e-6


@given(texts, texts)
def test_more_said_is_never_less_of_a_question(text: str, more: str) -> None:
    (less,) = spans(f"so {text}", "wages", "boat")
    (most,) = spans(f"so {text} {more}", "wages", "boat")
    assert all(a <= b + 1e-6 for a, b in zip(meaning(less), meaning(most), strict=True))
