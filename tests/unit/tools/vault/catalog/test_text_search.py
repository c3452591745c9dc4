"""Ranked text search on a small catalog written by the real parser."""

import string
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.vaults.catalogs import written_catalog
from tools.base.domain import Hit
from tools.text.normalize import fold
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.records import Passage
from tools.vault.catalog.text import search_text, text_query

MOMENT = datetime(2024, 5, 20, tzinfo=UTC)

NOTES = {
    "notes/Zettelkasten.md": (
        "---\naliases: [slip box method]\n---\n# Zettelkasten\n\n## Purpose\n\n"
        "A collection of short linked notes that grows into arguments. ^purpose\n"
    ),
    "notes/Spaced repetition.md": (
        "# Spaced repetition\n\nReviewing at growing intervals. The deck holds forty cards.\n"
    ),
    "notes/Cramming.md": (
        "# Cramming\n\nThe repetition is not spaced: everything is read on one evening.\n"
    ),
    "notes/Basil.md": "# Basil\n\nBasil wants a weak nutrient solution in summer.\n",
    "notes/Tomato.md": "# Tomato\n\nTomatoes want a strong solution in summer.\n",
    "notes/Iğdır gezisi.md": "# Iğdır gezisi\n\nAğrı Dağı'nı gördük, kayısı çok güzeldi.\n",
    "notes/Operators.md": "# Operators\n\nA query may say NEAR, NOT, AND or OR: beware.\n",
    "notes/Empty.md": "",
    "notes/Diary.md": "# Diary\n\n"
    + "".join(
        f"## Day {number}\n\n{'logbook ' * (3 if number == 4 else 1)}of day {number}.\n\n"
        for number in range(6)
    ),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    catalog = written_catalog(tmp_path_factory.mktemp("data"), NOTES, saved=MOMENT)
    yield catalog
    catalog.close()


def search(
    library: Catalog,
    question: str,
    concepts: tuple[str, ...] = (),
    *,
    names: tuple[str, ...] = (),
    limit: int = 10,
) -> list[Hit]:
    return search_text(library, text_query(question, concepts), names=names, limit=limit)


def paths(hits: list[Hit]) -> list[str]:
    return [hit.note_path for hit in hits]


# --- the query -----------------------------------------------------------------------------


def test_small_words_of_a_question_are_left_out() -> None:
    assert text_query("What is the purpose of a Zettelkasten?").words == ("purpose", "zettelkasten")


def test_turkish_question_words_are_left_out() -> None:
    assert text_query("Iğdır nerede?").words == ("igdir",)


def test_a_digit_tells_what_is_meant_and_a_letter_does_not() -> None:
    assert text_query("Who is in room 7 b?").words == ("room", "7")


def test_a_concept_of_several_words_is_a_phrase_and_one_word_is_not() -> None:
    query = text_query("Why use it?", ["spaced repetition", "Basil"])
    assert query.phrases == ("spaced repetition",)
    assert set(query.words) == {"spaced", "repetition", "basil"}


def test_a_question_of_small_words_only_is_searched_by_them() -> None:
    assert text_query("who is it").words == ("who", "is", "it")


@pytest.mark.parametrize("question", ["", "   ", "?!…", '"" * ( ) : -', "🙂"])
def test_a_question_without_a_word_finds_nothing(library: Catalog, question: str) -> None:
    assert text_query(question).words == ()
    assert search(library, question) == []


@given(st.text(max_size=600), st.lists(st.text(max_size=40), max_size=3))
def test_words_are_folded_distinct_and_few(question: str, concepts: list[str]) -> None:
    words = text_query(question, concepts).words
    assert len(words) == len(set(words)) <= 24
    assert all(word == fold(word) and word for word in words)


# --- what is found -------------------------------------------------------------------------


def test_a_hit_quotes_the_passage_with_its_place(library: Catalog) -> None:
    hit = search(library, "linked notes that grow into arguments")[0]
    assert (hit.source, hit.note_path, hit.match_type) == ("text", "notes/Zettelkasten.md", "text")
    quoted = hit.excerpts[0]
    assert "grows into arguments" in quoted.text
    lines = NOTES[hit.note_path].split("\n")
    assert quoted.text in "\n".join(lines[quoted.line_start - 1 : quoted.line_end])
    assert (quoted.heading, quoted.block_id) == ("Purpose", "purpose")


def test_an_exact_phrase_stands_before_the_same_words_apart(library: Catalog) -> None:
    hits = search(library, "Tell me about it", ("spaced repetition",))
    assert paths(hits)[:2] == ["notes/Spaced repetition.md", "notes/Cramming.md"]
    assert [hit.match_type for hit in hits[:2]] == ["exact_phrase", "text"]


def test_the_note_with_more_of_the_words_stands_first(library: Catalog) -> None:
    hits = search(library, "weak nutrient solution in summer")
    assert paths(hits) == ["notes/Basil.md", "notes/Tomato.md"]
    assert hits[0].score > hits[1].score > 0


def test_a_phrase_is_worth_more_than_its_words(library: Catalog) -> None:
    question = "spaced repetition of a forty-card deck every summer"
    (with_phrase, *_), (without, *_) = (
        search(library, question, ("spaced repetition",)),
        search(library, question),
    )
    assert with_phrase.note_path == without.note_path == "notes/Spaced repetition.md"
    assert with_phrase.score > without.score


def test_a_long_note_is_quoted_by_its_three_best_passages(library: Catalog) -> None:
    (hit,) = search(library, "logbook")
    assert len(hit.excerpts) == 3
    assert "logbook logbook logbook" in hit.excerpts[0].text


def test_a_long_question_is_searched_by_its_first_words() -> None:
    words = text_query(" ".join(f"word{number}" for number in range(90))).words
    assert words == tuple(f"word{number}" for number in range(64))


@pytest.mark.parametrize("name", ["slip box method", "SLIP BOX METHOD", "zettelkasten"])
def test_a_note_leads_by_its_title_and_by_its_alias(library: Catalog, name: str) -> None:
    hit = search(library, "linked notes", names=(name,))[0]
    assert (hit.note_path, hit.match_type) == ("notes/Zettelkasten.md", "title")
    assert hit.score >= 0.95


def test_a_named_note_is_found_though_no_word_matches(library: Catalog) -> None:
    hits = search(library, "strong nutrient solution", names=("Iğdır gezisi",))
    assert paths(hits)[0] == "notes/Iğdır gezisi.md"
    assert (hits[0].match_type, hits[0].score) == ("title", 0.95)
    assert "Ağrı Dağı" in hits[0].excerpts[0].text


def test_a_named_note_without_a_line_to_quote_is_no_hit(library: Catalog) -> None:
    assert search(library, "empty", names=("Empty",)) == []


def test_an_unknown_name_changes_nothing(library: Catalog) -> None:
    question = "weak nutrient solution"
    assert search(library, question, names=("Nobody",)) == search(library, question)


@pytest.mark.parametrize("word", ["Iğdır", "IĞDIR", "ığdır", "igdir", "AĞRI", "kayısı", "KAYISI"])
def test_turkish_letters_match_in_any_spelling(library: Catalog, word: str) -> None:
    assert paths(search(library, word)) == ["notes/Iğdır gezisi.md"]


def test_an_english_ending_does_not_matter(library: Catalog) -> None:
    assert paths(search(library, "argument")) == ["notes/Zettelkasten.md"]
    (whole,) = search(library, "arguments")
    (stem,) = search(library, "argument")
    assert whole.score == pytest.approx(stem.score)


# --- operators of the index ----------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "basil AND tomato",
        "basil OR (tomato",
        "NEAR(basil tomato, 2)",
        'basil " tomato',
        "basil* tomato:",
        "title:basil -tomato",
        "^basil + tomato",
        "{basil tomato}: x",
        "basil'); DROP TABLE words; -- tomato",
    ],
)
def test_what_means_something_to_the_index_is_a_plain_character(
    library: Catalog, question: str
) -> None:
    found = paths(search(library, question, (question,)))
    assert {"notes/Basil.md", "notes/Tomato.md"} <= set(found)


def test_a_star_does_not_match_beginnings(library: Catalog) -> None:
    assert search(library, "cramm*") == []


@pytest.mark.parametrize("word", ["NEAR", "NOT", "AND", "OR"])
def test_an_operator_can_be_looked_for_as_a_word(library: Catalog, word: str) -> None:
    assert "notes/Operators.md" in paths(search(library, word))


asked = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            [*'"*():-^+{}[]', "AND", "OR", "NOT", "NEAR", "basil", "spaced", "repetition", "ığdır"]
        ),
        max_size=8,
    ).map(" ".join),
    st.text(alphabet=string.punctuation + " basil", max_size=30),
)
named = st.lists(st.sampled_from([*(path[6:-3] for path in NOTES), "Nobody", ""]), max_size=3)


@given(asked, named, st.integers(1, 4))
def test_hits_are_scored_ordered_and_at_most_as_many_as_asked(
    library: Catalog, question: str, names: list[str], limit: int
) -> None:
    hits = search(library, question, (question, "spaced repetition"), names=tuple(names))
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.note_path))
    assert len(set(paths(hits))) == len(hits)
    assert all(hit.excerpts and len(hit.excerpts) <= 3 for hit in hits)
    fewer = search(
        library, question, (question, "spaced repetition"), names=tuple(names), limit=limit
    )
    assert fewer == hits[:limit]


def test_a_note_written_again_while_it_is_searched_costs_no_other(
    library: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(*, chunk_ids: Iterable[int]) -> dict[int, Passage]:
        return {row: one for row, one in passages(chunk_ids=chunk_ids).items() if row != first}

    passages = library.passages
    first = library.words.match('"summer"', limit=1)[0][0]
    monkeypatch.setattr(library, "passages", half)
    assert len(search_text(library, text_query("summer"), limit=10)) == 1
