"""What an English reader learns from the gloss of a Turkish question."""

from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents.interpreter.turkish.gloss import MAX_WORDS, in_english
from agents.interpreter.turkish.suffixes import (
    Endings,
    VerbEndings,
    noun_endings,
    stems,
    verb_endings,
)

_TURKISH = frozenset("çğıöşüÇĞİÖŞÜâîûÂÎÛ")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Kahve uykuyu nasıl etkiler?", "how affects coffee sleep?"),
        ("Kira neden arttı", "why rent increased"),
        ("fiyatlar niye düştü", "why prices fell"),
        ("ne zaman tasindik", "when we moved"),
        ("NE ZAMAN TAŞINDIK", "when we moved"),
        ("Kuantum fiziği hakkında ne biliyorum?", "what do I know about quantum physics?"),
        ("kedi ile köpek arasındaki fark", "difference between cat and dog"),
        ("Çay mı kahve mi?", "tea or coffee?"),
        ("çay mı yoksa kahve mi", "tea or coffee"),
        ("Fiyat değişti mi?", "did price changed?"),
        ("Bu ilaç zararlı mı?", "is this medicine harmful?"),
        ("bana ruyadan bahseder misin", "talk about to me from dream"),
        ("uyku hakkında her şeyi göster", "show about sleep everything"),
        ("mutfakta kaç pencere var", "how many window in kitchen there is"),
        ("hangi şehirde doğdu", "in which city was born"),
        ("üç yıl önce yazdım", "three year ago I wrote"),
        ("taşınmadan önce yazdıklarım", "before moving I wrote"),
        ("savaştan sonra", "after war"),
        ("Kediler köpekten daha hızlı", "cats than dog faster"),
        ("bitirmediğim kitaplar", "I did not finish books"),
        ("Stres neye yol açar?", "what does it lead to stress?"),
        ("kuraklık göçe yol açtı", "drought to migration led to"),
        ("Bu alet ne işe yarar?", "what is it for this tool?"),
        ("entropi ne demek", "what means entropy"),
        ("en son ne zaman koştum", "when last I ran"),
        ("yapay zekanın tarihçesi", "artificial intelligence history"),
        ("notlarıma göz at", "browse to my notes"),
        ("yeni işten teklif geldi", "new from work offer came"),
        ("fikrimi kim istiyor", "who my idea want"),
        ("listele sütsüz tarifleri", "list without milk recipes"),
    ],
)
def test_gloss(question: str, expected: str) -> None:
    assert in_english(question) == expected


@pytest.mark.parametrize(
    ("question", "deciding"),
    [
        ("Bu iki yöntemi karşılaştırır mısın?", "compare"),
        ("bagisiklik sistemi nasil calisir", "how works"),
        ("Limon mu sirke mi daha iyi temizler", "better"),
        ("uykusuzluğun sebebi ne olabilir", "what is the reason"),
        ("stresin kalp üzerindeki etkisi", "effect on"),
        ("permakültürle ilgili notlarım", "related to"),
        ("geçen hafta ne yazdım", "last week"),
        ("kaç yıldır koşuyorum", "for how many years"),
        ("şirketin logosu yıllar içinde nasıl değişti", "how has changed over time"),
        ("kombinin numarası neydi", "what was"),
        ("anahtarı kime verdim", "to whom"),
        ("eğer yağmur yağarsa ne olur", "what happens"),
        ("ortak noktaları neler", "what do they have in common"),
        ("hangisini seçmeliyim", "which one should I choose"),
        ("magnezyum uyumamı sağlıyor", "magnesium"),
    ],
)
def test_deciding_words(question: str, deciding: str) -> None:
    assert deciding in in_english(question)


def test_letters_tell_words_apart() -> None:
    assert in_english("dedem öldü") == "my grandfather died"
    assert in_english("nerede oldu") == "where was"


def test_unknown_words_stay_as_they_are_written() -> None:
    gloss = in_english("Kubernetes ile Zeynebcan arasındaki fark")
    assert gloss == "difference between Kubernetes and Zeynebcan"


def test_names_keep_their_spelling_and_lose_their_case() -> None:
    assert in_english("Uludağ'daki otel") == "in Uludağ hotel"
    assert in_english("bu ay Ayvalık zeytini") == "this month Ayvalık olive"


@pytest.mark.parametrize("name", ["[[Neden Uyuruz]]", '"Ne Zaman"', "“Neden?”", "`neden()`"])
def test_quotations_are_left_alone(name: str) -> None:
    assert name in in_english(f"{name} nerede geçiyor")


def test_question_words_stay_in_their_sentence() -> None:
    assert in_english("Kira arttı. Neden?") == "rent increased. why?"


@pytest.mark.parametrize("empty", ["", "  \n"])
def test_nothing_asked(empty: str) -> None:
    assert in_english(empty) == ""


_WORDS = st.sampled_from(
    [
        "ne",
        "zaman",
        "neden",
        "mi",
        "mı",
        "misin",
        "ile",
        "ve",
        "önce",
        "sonra",
        "hakkında",
        "arasındaki",
        "fark",
        "daha",
        "en",
        "hangi",
        "kaç",
        "göster",
        "yazdım",
        "notlarımda",
        "Kaan'ın",
        "[[X]]",
        ".",
        "?",
        ",",
        "değil",
        "yoksa",
        "her",
        "şey",
    ]
)


@given(st.one_of(st.text(), st.lists(_WORDS).map(" ".join)))
@example("İ'nin ǅ ß ﬁ")
@example("'")
def test_any_text_is_glossed_the_same_way_twice_without_new_turkish_letters(text: str) -> None:
    gloss = in_english(text)
    assert gloss == in_english(text)
    assert set(gloss) & _TURKISH <= set(text)


@given(st.lists(st.from_regex(r"[qwx]{3,8}", fullmatch=True), max_size=6))
def test_words_nobody_knows_come_through_in_order(words: list[str]) -> None:
    assert in_english(" ".join(words)) == " ".join(words)


@given(st.text(alphabet="abcçdeğiıklmnoprsştuüyz", min_size=2, max_size=12))
def test_stems_grow_shorter_and_start_the_word(word: str) -> None:
    found = list(stems(word))
    assert found[0] == (word, "", False)
    assert all(word.endswith(rest) for _, rest, _ in found)
    lengths = [len(rest) for _, rest, _ in found]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ("lar", Endings(plural=True)),
        ("larimizdan", Endings(plural=True, owner="our", relation="from")),
        ("daki", Endings(relation="in")),
        ("yla", Endings(relation="with")),
        ("nin", Endings()),
        ("sizlik", Endings(without=True)),
    ],
)
def test_noun_endings(rest: str, says: Endings) -> None:
    assert noun_endings(rest) == says


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ("iyorum", VerbEndings(subject="I")),
        ("medim", VerbEndings(tense="past", negative=True, subject="I")),
        ("digim", VerbEndings(tense="past", subject="I")),
        ("ecegiz", VerbEndings(tense="future", subject="we")),
        ("meliyim", VerbEndings(tense="must", subject="I")),
        ("ilir", VerbEndings()),
        ("ince", VerbEndings(relation="when")),
    ],
)
def test_verb_endings(rest: str, says: VerbEndings) -> None:
    assert verb_endings(rest) == says


@pytest.mark.parametrize("rest", ["q", "bank", "xler"])
def test_what_is_no_ending(rest: str) -> None:
    assert noun_endings(rest) is None
    assert verb_endings(rest) is None


def test_the_table_is_sorted_and_in_order() -> None:
    table = files("agents.interpreter.turkish").joinpath("gloss_tr.tsv")
    lines = table.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    assert all(len(row) == 2 and all(row) for row in rows)
    keys = [stem for stem, _ in rows]
    assert keys == sorted(set(keys))
    assert all(gloss.isascii() for _, gloss in rows)
    assert all(stem == stem.lower() and len(stem.split()) <= MAX_WORDS for stem in keys)
