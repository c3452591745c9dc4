"""Sentences, the filter for assertions, the form of a claim and the alignment of two."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base.domain import Claim
from tools.claims.alignment import align
from tools.claims.assertions import extract_claims
from tools.claims.forms import analyse
from tools.claims.meanings import turkish_value
from tools.text.language import is_turkish
from tools.text.markdown.sentences import sentences
from tools.text.normalize import fold


def texts(markdown: str) -> list[str]:
    return [sentence.text for sentence in sentences(markdown)]


def claims(markdown: str, line_start: int = 1) -> tuple[Claim, ...]:
    return extract_claims(markdown, line_start=line_start, note_path="n.md", note_title="n")


# --- sentences ---


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Okafor moved to the U.S. in May.",
        "Matter is prior (esp. in behaviour) to mind.",
        "The fence is by G.K. Chesterton.",
        "The pump delivers 1.5 l per hour vs. 2.25 l before.",
        "J. R. R. Tolkien wrote letters.",
        "It works ... most of the time.",
        "Use e.g. basil, mint, etc. for the first tray.",
        "Fesleğen, nane vb. bitkiler örn. serada büyür.",
        "Run brain.search() in v1.2.3 first.",
    ],
)
def test_full_stops_inside_a_sentence_do_not_end_it(sentence: str) -> None:
    assert texts(f"{sentence} The next one follows.") == [sentence, "The next one follows."]


@pytest.mark.parametrize(
    "quoted",
    ["“Never take a fence down.” — Chesterton", '"Never take a fence down!" -- G.K. Chesterton'],
)
def test_who_said_it_belongs_to_a_quotation(quoted: str) -> None:
    assert texts(quoted) == [quoted]


def test_abbreviation_before_a_new_sentence_ends_it() -> None:
    assert len(texts("She lives in the U.S. The flat is small.")) == 2


def test_links_and_code_hide_their_full_stops() -> None:
    found = texts("See [[Dr. Who? A list. Of things]] and `a. B. c`. It ends.")
    assert found == ["See Dr. Who? A list. Of things and a. B. c.", "It ends."]


def test_addresses_pictures_and_comments_are_no_words_of_a_sentence() -> None:
    assert texts("[Go](https://e.org/Go_(game)) is [![a](b)](c) old. <!-- Hid. --> Yes.") == [
        "Go is old.",
        "Yes.",
    ]
    assert texts("Shown.\n\n<!--\nHid.\n-->\n%% Hid.\nHid. %%\nShown, too.") == [
        "Shown.",
        "Shown, too.",
    ]


def test_an_escaped_border_parts_no_cells() -> None:
    assert texts("| [[a\\|b c]] | d |\n|---|---|\n") == ["b c", "d"]


@pytest.mark.parametrize("piece", ["[", "[[a", "[^a", "[a](", "<a", "x<!--", ".", "- "])
def test_a_sentence_ends_behind_thousands_of_openings(piece: str) -> None:
    assert texts(f"{piece * 8000}x\n\nIt ends.")[-1] == "It ends."


def test_markup_is_stripped_and_offsets_point_at_the_original() -> None:
    note = "# Title\n\n- **Atomic notes** improve [[memory|recall]]. ==They== stay `short`.\n"
    found = sentences(note)
    assert [s.text for s in found] == [
        "Title",
        "Atomic notes improve recall.",
        "They stay short.",
    ]
    assert note[found[1].start : found[1].end] == "**Atomic notes** improve [[memory|recall]]."
    assert note[found[2].start : found[2].end] == "==They== stay `short`."


def test_blocks_are_never_joined() -> None:
    note = (
        "# One\nText of a\nparagraph\n- item\n- [ ] task\n| cell a | cell b |\n|---|---|\n> quote"
    )
    assert texts(note) == [
        "One",
        "Text of a paragraph",
        "item",
        "task",
        "cell a",
        "cell b",
        "quote",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\nA rule comes first. Then text.\n", ["A rule comes first.", "Then text."]),
        ("---\nOne part.\n\n---\nAnother part.\n", ["One part.", "Another part."]),
        ("---\ntags:\n  - a\n- b\n\n# c\n---\nBody text.\n", ["Body text."]),
        ("---\n---\nBody text.\n", ["Body text."]),
        ("---\n", []),
    ],
)
def test_a_rule_at_the_beginning_hides_nothing(text: str, said: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == said


def test_what_opens_and_closes_a_container_is_no_sentence() -> None:
    assert texts(":::{note} Mind\nIt leaks.\n:::\nDry by May.\n") == ["It leaks.", "Dry by May."]


def test_scripts_are_left_out_and_characters_by_name_are_read() -> None:
    found = texts(
        "Tea&nbsp;cools.<br>It <b>is</b> hot &amp; red <script>let a = 1;</script>.\n\n"
        "<SCRIPT>\nvar mint = 2;\n\nIt runs.\n</SCRIPT>\n\n<style>\np {}\n</style>\nThe end."
    )
    assert found == ["Tea cools.", "It is hot & red .", "The end."]


def test_code_comments_formulas_and_front_matter_are_left_out() -> None:
    front = "---\ntitle: A is B.\n---\n"
    note = front + "```\nx is y.\n```\n%%\nz is w.\n%%\n$$\nq is r\n$$\nKept is this."
    assert texts(note) == ["Kept is this."]


@given(st.text(alphabet="aB .!?\n#-*[]|>`_()1\\$%~ğI", max_size=120))
def test_sentences_are_ordered_inside_the_text_and_do_not_overlap(note: str) -> None:
    end = 0
    for sentence in sentences(note):
        assert end <= sentence.start < sentence.end <= len(note)
        assert not note[sentence.start].isspace()
        assert not note[sentence.end - 1].isspace()
        end = sentence.end


@given(st.lists(st.sampled_from(["Basil is green.", "Is it?", "No!", "It costs 1.5 l."])))
def test_plain_sentences_come_back_as_they_were_written(parts: list[str]) -> None:
    assert texts(" ".join(parts)) == parts


# --- which sentences are claims ---


@pytest.mark.parametrize(
    "assertion",
    [
        "Atomic notes improve long-term recall.",
        "Basil isn't hardy.",
        "The committee rejected our proposal.",
        "Sleep protects memories against interference.",
        "Atomik notlar hatırlamayı artırmaz.",
        "Toplantı yararlı değil.",
        "Bahçede su var.",
        "Note-taking takes time.",
    ],
)
def test_assertions_are_claims(assertion: str) -> None:
    assert [claim.text for claim in claims(assertion)] == [assertion]


@pytest.mark.parametrize(
    "other",
    [
        "Do atomic notes improve recall?",
        "Buy milk on the way home.",
        "Don't forget the seeds.",
        "- [ ] The report is due on Friday.",
        "- [x] The report is done now.",
        "This note discusses how memory works.",
        "See also the notes that are linked here.",
        "[[Memory]], [[Recall]]",
        "Sources: a book that is good",
        "status:: this is active",
        "A list of open ends",
        "A method which improves recall",
        "The steps are the following:",
        "Toplantı yararlı mı?",
        "Bu not belleğin nasıl çalıştığını anlatır.",
    ],
)
def test_questions_orders_meta_and_fragments_are_no_claims(other: str) -> None:
    assert claims(other) == ()


def test_claims_know_their_line_their_heading_and_the_words_as_written() -> None:
    when = datetime(2024, 5, 1, tzinfo=UTC)
    note = "Intro is here.\n\n## Effects\n> Music **improves**\n> focus a lot. It is cheap.\n"
    found = extract_claims(
        note, line_start=10, note_path="m.md", note_title="Music", heading="Top", timestamp=when
    )
    assert [(c.line, c.heading, c.text) for c in found] == [
        (10, "Top", "Intro is here."),
        (13, "Effects", "Music **improves** focus a lot."),
        (14, "Effects", "It is cheap."),
    ]
    assert {(c.note_path, c.note_title, c.timestamp) for c in found} == {("m.md", "Music", when)}


def test_opinions_are_kept_and_marked() -> None:
    marked = {
        c.text: c.opinion for c in claims("I think music helps. Music is sound. Bence iyidir.")
    }
    assert marked == {"I think music helps.": True, "Music is sound.": False, "Bence iyidir.": True}


# --- the form of one claim ---


@pytest.mark.parametrize(
    ("claim", "negated"),
    [
        ("The door closes.", False),
        ("The door isn't closed.", True),
        ("The door can’t close.", True),
        ("Nobody closes the door.", True),
        ("The door no longer closes.", True),
        ("The parser fails to close the file.", True),
        ("The recipe lacks salt.", True),
        ("The alarm never fails to ring.", False),
        ("The plan is not without merit.", False),
        ("It not only indexes notes but links them.", False),
        ("There is no doubt that it works.", False),
        ("Yöntem işe yaramaz.", True),
        ("Yöntem işe yarar.", False),
        ("Ekip uzaktan çalışmıyor değil.", False),
    ],
)
def test_polarity(claim: str, *, negated: bool) -> None:
    content = [token for token in analyse(claim).tokens if token.weight and not token.in_subject]
    assert content[-1].negated is negated


def test_negation_ends_with_its_clause() -> None:
    words = {t.word: t.negated for t in analyse("The tea isn't hot, but the soup is spicy.").tokens}
    assert words["hot"]
    assert not words["spicy"]


@pytest.mark.parametrize(
    ("claim", "low", "high", "unit"),
    [
        ("The tank holds two hundred litres.", 200, 200, "volume"),
        ("The walk takes 5 to 10 minutes.", 300, 600, "time"),
        ("The path is at least 12 km long.", 12_000, float("inf"), "length"),
        ("Fewer than 9 percent left.", float("-inf"), 9, "percent"),
        ("The rent is €900.", 900, 900, "euro"),
        ("The team has twenty-one members.", 21, 21, "member"),
        ("The dose is 20 mg per day.", 20e-6, 20e-6, "mass/day"),
        ("Kurs altı hafta sürüyor.", 6 * 604_800, 6 * 604_800, "time"),
    ],
)
def test_quantities(claim: str, low: float, high: float, unit: str) -> None:
    (quantity,) = analyse(claim).quantities
    assert quantity.unit == unit
    assert quantity.low == pytest.approx(low, rel=0.05)
    assert quantity.high == pytest.approx(high, rel=0.05)


def test_years_are_dates_and_no_quantities() -> None:
    form = analyse("The festival began in 2000 and drew 2000 visitors.")
    assert form.dates == {"2000"}
    assert [quantity.unit for quantity in form.quantities] == ["visitor"]


def test_versions_are_no_quantities() -> None:
    assert analyse("The tool needs Python 3.12.1 today.").quantities == ()


# --- two claims side by side ---


def test_alignment_names_what_is_shared_and_what_differs() -> None:
    aligned = align(
        analyse("Background music improves concentration during deep work."),
        analyse("Background music worsens concentration during shallow work."),
    )
    assert [(one.word, other.word) for one, other in aligned.opposites] == [
        ("improves", "worsens"),
        ("deep", "shallow"),
    ]
    assert aligned.subject == "same"
    assert aligned.only_a == aligned.only_b == ()


@pytest.mark.parametrize(
    ("a", "b", "opposites", "exclusives"),
    [
        ("The barn door is red.", "The barn door is blue.", 0, 1),
        ("The barn door is grey.", "The barn door is gray.", 0, 0),
        ("The market is on Monday.", "The market is on Friday.", 0, 1),
        ("The lid is open.", "The lid is shut.", 1, 0),
        ("Yeni kapı açık.", "Yeni kapı kapalı.", 1, 0),
    ],
)
def test_opposites_and_values_of_one_attribute_are_told_apart(
    a: str, b: str, opposites: int, exclusives: int
) -> None:
    aligned = align(analyse(a), analyse(b))
    assert (len(aligned.opposites), len(aligned.exclusives)) == (opposites, exclusives)


def test_synonyms_count_as_shared() -> None:
    one, other = "The doctor bought a couch.", "The physician purchased a sofa."
    assert align(analyse(one), analyse(other)).topic == 1.0


def test_values_conflict_only_in_one_unit() -> None:
    weight = analyse("The box weighs 2 kg.")
    assert align(weight, analyse("The box weighs 2000 g.")).values == ()
    assert align(weight, analyse("The box weighs 3000 g.")).values != ()
    assert align(weight, analyse("The box weighs 3 litres.")).values == ()


def test_different_subjects_are_told_apart() -> None:
    assert align(analyse("Cats like milk."), analyse("Dogs like milk.")).subject == "different"
    assert align(analyse("Cats like milk."), analyse("My cat likes milk.")).subject == "same"


ASSERTIONS = st.sampled_from(
    [
        "Basil needs 1.2 mS/cm.",
        "Typing is faster than handwriting.",
        "The library is not open on Mondays.",
        "No one reads the report in 2019.",
        "Kahve uykuyu bozmaz.",
        "It is 5 to 6 km long.",
    ]
)


@given(ASSERTIONS, ASSERTIONS)
def test_alignment_is_symmetric_in_what_it_measures(one: str, other: str) -> None:
    there, back = align(analyse(one), analyse(other)), align(analyse(other), analyse(one))
    assert there.shared == back.shared
    assert there.topic == pytest.approx(back.topic)
    assert len(there.values) == len(back.values)
    assert (there.subject, there.dates_differ) == (back.subject, back.dates_differ)


@given(ASSERTIONS)
def test_a_claim_never_differs_from_itself(claim: str) -> None:
    aligned = align(analyse(claim), analyse(claim))
    assert aligned.topic == 1.0
    assert not aligned.flipped + aligned.opposites + aligned.exclusives
    assert aligned.values == ()


# --- short Turkish claims ---


@pytest.mark.parametrize(
    "text",
    [
        "Kahve uykuyu bozar.",
        "Araba mavi.",
        "Koro cuma prova yapar.",
        "Kedi evde uyur.",
        "Tren saat dokuzda kalkar.",
        "Kahve uykuyu bozmaz.",
        "Piyanoyu haziranda akort ettik.",
    ],
)
def test_a_short_turkish_text_without_turkish_letters_is_turkish(text: str) -> None:
    assert is_turkish(text)
    assert [claim.text for claim in claims(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Coffee disturbs sleep.",
        "Ben likes tea.",
        "Eleven sisters hug.",
        "Dark roasts taste bitter.",
        "Franz Kafka",
        "Cats dislike water.",
        "mountain bike",
        "buy milk",
        "okay maybe",
        "alarm siren",
        "insulin dosage",
        "sudoku puzzle",
        "yoga mat",
        "makes yarn",
        "la casa del sol",
    ],
)
def test_a_short_text_of_another_language_is_not(text: str) -> None:
    assert not is_turkish(text)


@pytest.mark.parametrize("text", ["Araba ve deniz.", "Mavi araba", "Araba mavi mi?"])
def test_a_turkish_text_without_a_predicate_is_no_claim(text: str) -> None:
    assert claims(text) == ()


@pytest.mark.parametrize(
    ("word", "value"), [("kuzeyinde", "kuzey"), ("batisinda", "bati"), ("mavidir", "mavi")]
)
def test_a_turkish_value_is_known_in_its_forms(word: str, value: str) -> None:
    assert turkish_value(word) == value


@pytest.mark.parametrize("word", ["dogum", "kisa", "maviden-yesile", "sarildi", "araba"])
def test_other_turkish_words_are_no_form_of_a_value_they_begin_with(word: str) -> None:
    assert turkish_value(word) in (None, word)


@pytest.mark.parametrize(
    "word",
    [
        "kişi",
        "altı",
        "altın",
        "içti",
        "sağladı",
        "yazdı",
        "yazı",
        "cami",
        "taşıdı",
        "dişi",
        "soldu",
        "geçti",
        "temizledi",
        "açıklar",
        "yeniden",
        "doğrudan",
        "sığdır",
    ],
)
@pytest.mark.parametrize("spelled", [True, False])
def test_a_word_that_only_begins_like_a_value_is_none(word: str, *, spelled: bool) -> None:
    assert turkish_value(word if spelled else fold(word), spelled=spelled) is None


@pytest.mark.parametrize(
    ("word", "value"),
    [("KIŞIN", "kis"), ("İçinde", "ic"), ("açıktı", "acik"), ("cumaları", "cuma"), ("diş", None)],
)
def test_where_a_text_has_turkish_letters_they_count(word: str, value: str | None) -> None:
    assert turkish_value(word, spelled=True) == value


ASIDE = "which we built in the spring of that year from the wood of the shed and some old doors"


def test_a_sentence_too_long_to_be_a_claim_is_cut_at_its_semicolons() -> None:
    found = claims(
        f"The first pump stands in the cellar, {ASIDE}; and the second pump\n"
        f"delivers 5 litres per hour (see the note; page 3), {ASIDE};\n"
        "the tank holds 60 litres by [the gauge; old](http://x.y/a;b); fish are red &amp; blue.",
        line_start=7,
    )
    assert [(claim.line, claim.text.partition(",")[0]) for claim in found] == [
        (7, "The first pump stands in the cellar"),
        (7, "the second pump delivers 5 litres per hour (see the note; page 3)"),
        (9, "the tank holds 60 litres by [the gauge; old](http://x.y/a;b)"),
        (9, "fish are red &amp; blue."),
    ]


def test_a_sentence_of_a_claims_length_stays_whole() -> None:
    whole = "The tank holds 60 litres; the pump delivers 5 litres per hour."
    assert [claim.text for claim in claims(whole)] == [whole]


@pytest.mark.parametrize(
    "text",
    [
        f"Is it so that the tank holds 60 litres, {ASIDE}, {ASIDE}, {ASIDE}; the fish are red?",
        f"According to Smith (2019), the tank holds 60 litres, {ASIDE}, {ASIDE}, {ASIDE}; it is.",
    ],
)
def test_a_long_question_or_citation_is_not_cut(text: str) -> None:
    assert claims(text) == ()
