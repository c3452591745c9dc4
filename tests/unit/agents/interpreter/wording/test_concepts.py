"""What a question is about, compares and excludes."""

import random
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.interpreter.did_you_mean import near_names
from agents.interpreter.wording.concepts import likeliest, read_phrases, runs
from tests.support.questions.reading import phrases_of
from tools.semantic.phrase_tagger import CUTS, TAGS
from tools.text.normalize import fold, fold_name


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Compare tea and coffee", ("tea", "coffee")),
        ("How does stress differ from burnout?", ("stress", "burnout")),
        ("postgres vs sqlite for the sensor logs", ("postgres", "sqlite")),
        ("Is the train to Porto cheaper than the bus?", ("train to Porto", "bus")),
        ("What sets a psalm apart from a hymn?", ("psalm", "hymn")),
        (
            "Does [[Deep Work]] contradict [[Slow Productivity]]?",
            ("Deep Work", "Slow Productivity"),
        ),
        ("Çay ve kahveyi karşılaştır", ("Çay", "kahve")),
        ("Tren otobüsten daha mı ucuz?", ("Tren", "otobüs")),
        ("When did we plant the pear tree?", ()),
    ],
)
def test_what_is_compared(question: str, compared: tuple[str, ...]) -> None:
    assert phrases_of(question).subjects == compared


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("When did we plant the pear tree?", ("pear tree",)),
        ("What do I know about mycorrhizal networks?", ("mycorrhizal networks",)),
        ("boiler service phone number", ("boiler service phone number",)),
        ("Why did the roof of the shed leak?", ("roof of the shed",)),
        ("wifi şifresi nedir", ("wifi şifresi",)),
    ],
)
def test_what_is_asked_about(question: str, about: tuple[str, ...]) -> None:
    assert phrases_of(question).concepts == about


@pytest.mark.parametrize(
    ("question", "without", "wanted"),
    [
        ("All the soups except minestrone", "minestrone", "All the soups"),
        ("everything about Rome, leaving out Nero", "Nero", "everything about Rome"),
        ("Çorba tarifleri, mercimek hariç", "mercimek", "Çorba tarifleri"),
    ],
)
def test_what_is_excluded_is_neither_asked_about_nor_wanted(
    question: str, without: str, wanted: str
) -> None:
    found = phrases_of(question)
    assert found.excluded == (without,)
    assert without not in found.concepts
    assert found.wanted == wanted


def test_a_name_of_several_words_is_asked_about_whatever_it_is_made_of() -> None:
    names = {fold_name("What Time Is It")}
    assert "What Time Is It" in phrases_of("where did I read What Time Is It", names=names).concepts
    assert "why not" in phrases_of('who said "why not" to me').concepts


def test_a_plural_is_called_by_the_name_of_its_note() -> None:
    assert phrases_of("what do I know about fugues", names={"fugue"}).concepts == ("fugue",)


def test_without_logits_it_is_about_the_words_that_do_more_than_ask() -> None:
    found = read_phrases("Compare matcha and sencha", None)
    assert (found.concepts, found.subjects) == (("matcha", "sencha"), ())
    assert (found.excluded, found.wanted) == ((), "Compare matcha and sencha")


def test_of_a_long_question_the_end_is_read() -> None:
    told = "I was in the garden with my neighbour and we spoke of this and that. " * 24
    assert phrases_of(f"{told}When was the pear tree planted?").concepts[-1] == "pear tree"


def test_a_story_behind_it_does_not_hide_what_is_asked() -> None:
    story = "My neighbours and the doctor were here and we sat in the kitchen for an hour. " * 4
    found = phrases_of(f"In [[Deep Work]], leaving out the appendix, what is said? {story}")
    assert "Deep Work" in found.concepts
    assert found.excluded == ("appendix",)


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What did I think about the budget in March compared to June?", ("budget",)),
        ("compare my notes of May 2024 with those of May 2025 on basil", ("basil",)),
        ("Mart 2024'te ne oldu?", ()),
        ("2024'te ne oldu?", ()),
        ("3 Mart 2024'te ne yaptım?", ()),
        ("2023 sonbaharında ne oldu?", ()),
        ("What happened on January 5th, 2025?", ()),
    ],
)
def test_a_date_is_not_asked_about_even_where_a_note_is_called_so(
    question: str, about: tuple[str, ...]
) -> None:
    assert phrases_of(question, names={fold_name("January 5th, 2025")}).concepts == about


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Compare oak/walnut for the table", ("oak", "walnut")),
        ("Compare TCP/IP with UDP", ("TCP IP", "UDP")),
    ],
)
def test_a_stroke_between_words_divides(question: str, compared: tuple[str, ...]) -> None:
    assert phrases_of(question).subjects == compared


# --- any text ------------------------------------------------------------------------------

PIECES = (
    *("compare", "tea", "or", "and", "vs", "than", "not", "except", "without", "the", "of"),
    *("ile", "mi", "mı", "hariç,", "X'ten", "daha", "İstanbul'un", "ve", "göre", "karşılaştır"),
    *("🍵", ":", "?", "/", "-", '"a', 'b"', "[[c]]", "ß", "is", "similar", "to", "between", "2020"),
)
ANY_TEXT = st.one_of(
    # Control characters never get this far: the guard before it takes them out.
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=300),
    st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join),
)


@given(ANY_TEXT, st.randoms(use_true_random=False))
def test_every_phrase_is_made_of_the_questions_own_words(text: str, rng: random.Random) -> None:
    # Whatever the network says: a piece for every letter, with any logits.
    drawn = np.random.default_rng(rng.randrange(2**32)).normal(0, 5, (len(text), TAGS + CUTS))
    ends = np.arange(len(text) + 1)
    logits = np.column_stack([ends[:-1], ends[1:], drawn]).astype(np.float32)
    own = "".join(letter for letter in fold(text) if letter.isalnum())
    dates = (rng.randint(0, 9), rng.randint(0, 60))
    found = read_phrases(text, logits, dates=dates, names={"tea", "of tea or"})
    unwanted = {fold_name(one) for one in found.excluded}
    assert unwanted.isdisjoint(map(fold_name, (*found.concepts, *found.subjects)))
    for phrase in (*found.concepts, *found.subjects, *found.excluded):
        assert phrase.strip() == phrase != ""
        for word in fold(phrase).split():
            assert "".join(letter for letter in word if letter.isalnum()) in own


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_no_row_of_tags_is_likelier_than_the_one_found(words: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, steps = rng.normal(size=(words, 3)), rng.normal(size=(3, 3)).astype(np.float32)

    def worth(row: tuple[int, ...]) -> float:
        passed = sum(float(steps[pair]) for pair in pairwise(row))
        return passed + sum(float(scores[at, tag]) for at, tag in enumerate(row))

    best = max(map(worth, product(range(3), repeat=words)))
    assert worth(tuple(likeliest(scores, steps))) == pytest.approx(best, abs=1e-4)


@given(st.lists(st.integers(0, 3), max_size=12))
def test_runs_are_apart_and_hold_every_word_inside(tags: list[int]) -> None:
    found = list(runs(tags))
    covered = [at for start, end in found for at in range(start, end)]
    assert covered == [at for at, tag in enumerate(tags) if tag in (1, 2)]
    assert all(tags[at] == 2 for start, end in found for at in range(start + 1, end))


# --- names near a slip ---------------------------------------------------------------------

NAMES = {
    fold_name(name)
    for name in ("Zettelkasten", "Deep Work", "Sheep", "Fermantasyon", "Çalışma", "Beekeeping")
}


@pytest.mark.parametrize(
    ("concept", "near"),
    [
        ("zettlekasten", ("zettelkasten",)),
        ("deep wrok", ("deep work",)),
        ("fermentasyon", ("fermantasyon",)),
        ("calsma", (fold_name("Çalışma"),)),
        ("beekeping", ("beekeeping",)),
        ("Zettelkasten", ()),
        ("kasten", ()),
        ("sleep", ()),
        ("quantum physics", ()),
        ("something", ()),
        ("", ()),
    ],
)
def test_a_slip_suggests_the_name(concept: str, near: tuple[str, ...]) -> None:
    assert near_names(concept, NAMES) == near


def test_three_suggestions_at_most_the_nearest_first() -> None:
    names = {"gardening", "gardenings", "gardenig", "gardeninges"}
    assert near_names("gardeninq", names) == ("gardening", "gardenig", "gardenings")
