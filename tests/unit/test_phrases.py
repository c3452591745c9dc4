"""What a question is about, read from its wording."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.near_names import near_names
from agents.phrases import concepts, excluded
from agents.reading.closeness import closeness
from agents.subjects import subjects
from tools.text.normalize import fold, fold_name


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which is densest: gold, lead or platinum?", ("gold", "lead", "platinum")),
        ("how does stress differ from burnout in my notes", ("stress", "burnout")),
        ("What sets a fugue apart from a canon?", ("fugue", "canon")),
        ("old boiler's gas use next to the new one's", ("old boiler's gas use", "new one")),
        ("Do cats sleep more than dogs?", ("cats", "dogs")),
        ("How much faster is a cheetah than a greyhound?", ("cheetah", "greyhound")),
        ("What can a lathe do that a milling machine can't?", ("lathe", "milling machine")),
        ("did we spend more on Wales than on Normandy", ("Wales", "Normandy")),
        ("should I fix the bike or buy a new one?", ("fix the bike", "buy a new one")),
        ("Is a wiki a better home for it than a folder?", ("wiki", "folder")),
        (
            "My boss wants Jira, I want Linear. Which do my notes favour: Jira or Linear?",
            ("Jira", "Linear"),
        ),
        ("telling moths from butterflies", ("moths", "butterflies")),
        ("whats the diffrence betwen a hare and a rabbit", ("hare", "rabbit")),
        ("how did group A do against group B", ("group A", "group B")),
        ("Kant'la Hegel'i karşılaştır", ("Kant", "Hegel")),
        ("sabah koşusu akşam koşusundan daha mı iyi", ("sabah koşusu", "akşam koşusu")),
        ("çay, kahve ve kakaoyu karşılaştır", ("çay", "kahve", "kakao")),
        ("Kuvars mı, granit mi, lamine mi?", ("Kuvars", "granit", "lamine")),
        ("Ankara'ya göre İzmir daha mı sıcak?", ("Ankara", "İzmir")),
        ("virüs bakteri farkı", ("virüs", "bakteri")),
        ("Tren yerine otobüs", ("Tren", "otobüs")),
        ("pit tea against coffee", ("tea", "coffee")),
        ("Compare sleep tracking", ("sleep tracking",)),
        ("Compare these two", ()),
        ("bu ikisini karşılaştır", ()),
    ],
)
def test_subjects(question: str, expected: tuple[str, ...]) -> None:
    assert subjects(question) == expected


@pytest.mark.parametrize(
    ("question", "about", "without"),
    [
        ("compare tea and coffee but not cocoa", ("tea", "coffee"), ("cocoa",)),
        ("everything about Rome except Nero and Caligula", ("Rome",), ("Nero", "Caligula")),
        ("soups without cream", ("soups",), ("cream",)),
        ("Python, not Ruby, for the server", ("Python", "server"), ("Ruby",)),
        ("Çay ve kahve, kakao hariç", ("Çay", "kahve"), ("kakao",)),
        ("turşu dışında fermantasyon notları", ("fermantasyon",), ("turşu",)),
        ("tell me about sleep, excluding anything on tea", ("sleep",), ("tea",)),
        ("hydroponics except my notes about basil", ("hydroponics",), ("basil",)),
        ("sleep but nothing about caffeine", ("sleep",), ("caffeine",)),
        ("Everything on sleep that isn't about caffeine", ("sleep",), ("caffeine",)),
        ("notes on bread that don't mention yeast", ("bread",), ("yeast",)),
        ("nothing about coffee please, just sleep", ("sleep",), ("coffee",)),
        ("sleep notes not related to caffeine", ("sleep notes",), ("caffeine",)),
        ("anything not about sleep", (), ("sleep",)),
        (
            "sleep except tea and except running but not mint",
            ("sleep",),
            ("tea", "running", "mint"),
        ),
        ("soil except notes on worms and anything about sand", ("soil",), ("worms", "sand")),
        ("İşle ilgili olmayan notlar", (), ("İş",)),
        ("kafein hakkında olmayan uyku notları", ("uyku",), ("kafein",)),
        ("kahveden bahsetmeyen uyku notları", ("uyku",), ("kahve",)),
        ("kahve hariç kafein notları", ("kafein",), ("kahve",)),
        # What is missing may be what is asked about.
        ("why is it not about money?", ("money",), ()),
        ("why is there nothing about coffee?", ("coffee",), ()),
        ("Nothing about coffee in my notes?", ("coffee",), ()),
        ("foods that don't contain gluten", ("foods", "gluten"), ()),
        ("bu işle ilgili değil mi", None, ()),
        ("why does bread rise without yeast", ("bread", "yeast"), ()),
        ("What sets a psalm apart from a hymn?", ("psalm", "hymn"), ()),
        ("Is it too late or not?", (), ()),
        ("evin dışında ne var", None, ()),
        ("Kafeinden başka uykumu ne bozar?", ("uykumu",), ("Kafein",)),
        ("Kahveden başka bir içecek var mı?", None, ()),
    ],
)
def test_what_is_excluded_is_no_concept(
    question: str, about: tuple[str, ...] | None, without: tuple[str, ...]
) -> None:
    assert excluded(question) == without
    found = concepts(question)
    assert not {fold_name(phrase) for phrase in found} & {fold_name(phrase) for phrase in without}
    if about:
        assert found[: len(about)] == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("pit tea against coffee", ("tea", "coffee")),
        ("where did I plant the peach pit", ("peach pit",)),
        ("Why did the checkout time out?", ("checkout",)),
        ("Does screen time before bed matter?", ("screen time", "bed")),
        ("LED versus fluorescent", ("LED", "fluorescent")),
        ("what led to the LED recall", ("LED recall",)),
        ("compare C++ and C#", ("C++", "C#")),
        ("Is there a relation between EC and yellow leaves", ("EC", "yellow leaves")),
        ("when he leaves the farm", ("farm",)),
        ("What is on my reading list?", ("reading list",)),
        ("list the stoics", ("stoics",)),
        ("how did the siege of Derry unfold?", ("siege of Derry",)),
        ("coffee relationship to sleep", ("coffee", "sleep")),
        ("when is it time to sleep", ("time",)),
    ],
)
def test_a_word_that_asks_in_one_place_is_a_thing_in_another(
    question: str, about: tuple[str, ...]
) -> None:
    assert concepts(question) == about


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("find notes tagged #idea", ("idea",)),
        ("explain bi-temporal data like I'm five", ("bi-temporal data",)),
        ("as if I were a child, what is entropy", ("entropy",)),
        ("towns like five points", ("towns", "five points")),
        ("Does caffeine late in the day hurt sleep?", ("caffeine", "sleep")),
        ("Why don't I use Johnny Decimal anymore?", ("Johnny Decimal",)),
        ("top 5 notes about sleep", ("sleep",)),
        ("show me 3 notes about sleep", ("sleep",)),
        ("three note apps", ("three note apps",)),
        ("the shop “What Time”", ("shop", "What Time")),
        ("What is new in my vault?", ()),
        ("what's new with the podcast", ("podcast",)),
        ("Since when have I been running?", ("running",)),
        ("what have I been reading", ()),
        ("Bana sera projesini özetle", ("sera projesi",)),
        ("kafein uykuyu nasıl etkiler?", ("kafein", "uyku")),
        ("Enzimlerin enerjisini nasıl ölçerim", ("Enzimlerin enerjisini",)),
        ("İstanbul'daki toplantıda kimler vardı?", ("İstanbul'daki toplantı",)),
        ("Çanakkale'yle bağlantılı notlar", ("Çanakkale",)),
        ("çay, kahve ve kakaoyu karşılaştır", ("çay", "kahve", "kakao")),
        ("Ekşi maya ne kadar süre dinlenmeli?", ("Ekşi maya",)),
        ("Çay kaç derecede demlenir?", ("Çay",)),
        ("Yüz Yıl Savaşları kaç yıl sürdü?", ("Yüz Yıl Savaşları",)),
    ],
)
def test_words_around_the_topic_are_no_topic(question: str, about: tuple[str, ...]) -> None:
    assert concepts(question) == about


def test_an_excluded_thing_is_no_subject() -> None:
    assert subjects("Compare matcha and sencha but not hojicha") == ("matcha", "sencha")


# --- any text ------------------------------------------------------------------------------

PIECES = (
    *(
        "compare",
        "tea",
        "or",
        "and",
        "vs",
        "than",
        "not",
        "except",
        "without",
        "the",
        "of",
        "which",
    ),
    *("ile", "mi", "mı", "hariç,", "X'ten", "daha", "İstanbul'un", "ve", "göre", "karşılaştır"),
    *("🍵", ":", "?", "/", "-", '"a', 'b"', "[[c]]", "ß", "is", "similar", "to", "between", "2020"),
)
ANY_TEXT = st.one_of(
    # Control characters never get this far: the guard before it takes them out.
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=500),
    st.lists(
        st.sampled_from(PIECES),
        max_size=60,
    ).map(" ".join),
)


@settings(max_examples=300)
@given(ANY_TEXT)
def test_every_phrase_is_made_of_the_questions_own_words(text: str) -> None:
    own = "".join(letter for letter in fold(text) if letter.isalnum())
    for phrase in (*concepts(text), *subjects(text), *excluded(text)):
        assert phrase.strip() == phrase != ""
        for word in fold(phrase).split():
            assert "".join(letter for letter in word if letter.isalnum()) in own
    closeness(text)


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
