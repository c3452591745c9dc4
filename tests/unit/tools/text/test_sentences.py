"""Where a sentence of a note ends, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.text.markdown.sentences import sentences


def texts(markdown: str) -> list[str]:
    return [sentence.text for sentence in sentences(markdown)]


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
