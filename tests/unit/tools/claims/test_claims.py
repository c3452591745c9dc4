"""Which sentences are claims, and what is known of each."""

from datetime import UTC, datetime

import pytest

from tools.base.domain import Claim
from tools.claims.assertions import extract_claims
from tools.text.language import is_turkish


def claims(markdown: str, line_start: int = 1) -> tuple[Claim, ...]:
    return extract_claims(markdown, line_start=line_start, note_path="n.md", note_title="n")


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


@pytest.mark.parametrize("text", ["Araba ve deniz.", "Mavi araba", "Araba mavi mi?"])
def test_a_turkish_text_without_a_predicate_is_no_claim(text: str) -> None:
    assert claims(text) == ()


# --- sentences too long for one claim ---


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
