import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.results import a_result
from tools.domain import Excerpt, Result
from tools.evidence import Places, focus, verify
from tools.prose import unlinked
from tools.utterances import words_of

PASSAGE = Excerpt(
    text=(
        "## Dosing\n\nFertiliser is mixed on Sundays. The solution should be kept at an EC of "
        "1.2 mS/cm for basil.\n\nTomatoes want more light than basil does in winter."
    ),
    line_start=7,
    line_end=11,
    heading="Dosing",
)
WORDS = ("ec", "basil", "solution")


def result(*passages: Excerpt) -> Result:
    return a_result(excerpts=passages)


def test_links_leave_no_rests() -> None:
    text = "[Go](https://e.org/Go_(game)) x [![a](b)](c) y [[n|[[ z ![p](q 'r')"
    assert unlinked(text).split() == ["x", "y", "[[n|[[", "z"]


def test_the_sentence_with_most_of_the_words_is_quoted_with_its_line() -> None:
    (focused,) = focus([result(PASSAGE)], WORDS)
    first = focused.excerpts[0]
    assert first.text == "The solution should be kept at an EC of 1.2 mS/cm for basil."
    assert (first.line_start, first.line_end, first.heading) == (9, 9, "Dosing")


def test_of_sentences_worth_the_same_the_first_lines_are_quoted_wherever_they_were_found() -> None:
    lines = ("Basil grows.", "Basil sells.", "Basil smells.")
    passages = [Excerpt(text=lines[at], line_start=at + 1, line_end=at + 1) for at in (2, 0, 1)]
    (focused,) = focus([result(*passages)], ["basil"])
    assert [one.line_start for one in focused.excerpts] == [1, 2]


def test_a_long_sentence_stands_where_its_quoted_part_does() -> None:
    """It is worth as much as the other, begins before it, and is quoted from behind it on."""
    text = f"{'other words\n' * 80}basil {'more words ' * 60}"
    long = Excerpt(text=text, line_start=1, line_end=81)
    short = Excerpt(text="Of all the herbs, basil.", line_start=40, line_end=40)
    (focused,) = focus([result(long, short)], ["basil"])
    assert focused.excerpts[0].line_start == 40


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Half-done: 3 of 4_5!", ("half", "done", "3", "of", "4", "5")),
        ("Ada’s don't 'quote' x''y Bens' 's", ("ada", "don't", "quote", "x", "y", "bens", "s")),
        ("Çay, İzmir'de ÜÇ kez; ½ ß", ("cay", "izmir'de", "uc", "kez", "1", "2", "ss")),
        ("", ()),
    ],
)
def test_words_end_where_no_letter_or_number_stands(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    "poor", ["## Basil solution EC", "- [[Basil solution EC]]", "about:: [[Basil solution EC]]"]
)
def test_headings_bare_links_and_fields_are_quoted_only_when_nothing_else_is_there(
    poor: str,
) -> None:
    prose = "Basil likes a weak solution."
    one = Excerpt(text=f"{poor}\n\n{prose}", line_start=1, line_end=3)
    (focused,) = focus([result(one)], WORDS)
    assert focused.excerpts[0].text == prose
    (alone,) = focus([result(Excerpt(text=poor, line_start=1, line_end=1))], WORDS)
    assert "Basil solution EC" in alone.excerpts[0].text


def test_a_passage_without_words_has_no_quotation() -> None:
    (focused,) = focus([result(Excerpt(text="---\n\n|---|---|", line_start=1, line_end=3))], WORDS)
    assert focused.excerpts == ()


@given(st.text(max_size=300))
def test_what_is_quoted_stands_in_its_lines(text: str) -> None:
    lines = text.split("\n")
    passage = Excerpt(text=text, line_start=1, line_end=len(lines))
    (focused,) = focus([result(passage)], WORDS)
    assert all(verify(excerpt, lines) == excerpt for excerpt in focused.excerpts)


def test_a_quotation_that_stands_is_kept() -> None:
    lines = ["# Title", "", "One sentence.", "Another."]
    quoted = Excerpt(text="One sentence.", line_start=3, line_end=3)
    assert verify(quoted, lines) == quoted


def test_a_quotation_whose_line_moved_is_moved() -> None:
    lines = ["# Title", "", "New line.", "", "One sentence."]
    quoted = Excerpt(text="One sentence.", line_start=3, line_end=3)
    moved = verify(quoted, lines)
    assert moved is not None
    assert (moved.line_start, moved.line_end) == (5, 5)


def test_a_quotation_that_is_gone_is_dropped() -> None:
    quoted = Excerpt(text="One sentence.", line_start=1, line_end=1)
    assert verify(quoted, ["Another one."]) is None
    assert verify(quoted, []) is None


@given(st.lists(st.text(alphabet="ab c\t", min_size=1), min_size=1, max_size=8), st.data())
def test_whatever_stands_in_the_lines_is_verified(lines: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(1, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    quoted = Excerpt(text="\n".join(lines[start - 1 : end]), line_start=start, line_end=end)
    found = verify(quoted, lines)
    if quoted.text.strip():
        assert found == quoted
    else:
        assert found is None


def test_words_are_located_where_they_begin_over_lines_and_nearest() -> None:
    lines = [
        "# T",
        "",
        "So it is. Low EC",
        "makes leaves yellow.",
        "",
        "Low EC makes",
        "leaves  yellow.",
    ]
    places = Places(lines)
    assert places.locate("Low EC makes leaves yellow.", near=1) == 3
    assert places.locate("Low EC makes leaves yellow.", near=7) == 6
    assert places.locate("High EC", near=1) is None
    assert places.locate(" ", near=1) is None


def test_of_sentences_on_the_same_thing_one_that_tells_a_time_answers_when() -> None:
    said = Excerpt(
        text="The charity race is fun.\n\nI ran the charity race last Saturday in the rain.",
        line_start=1, line_end=3,
    )  # fmt: skip
    found = [a_result(excerpts=(said,))]
    words = ("charity", "race")
    assert focus(found, words)[0].excerpts[0].text.startswith("The charity")
    assert focus(found, words, timed=True)[0].excerpts[0].text.startswith("I ran")


# --- whose line, and which ------------------------------------------------------------------


def quoted(question: str, text: str, *words: str, title: str = "Diary") -> str:
    """The first words quoted of one passage."""
    passage = Excerpt(text=text, line_start=1, line_end=text.count("\n") + 1)
    (focused,) = focus([a_result(f"{title}.md", excerpts=(passage,))], words, question=question)
    return focused.excerpts[0].text


def test_a_field_whose_key_is_asked_for_is_quoted_before_prose() -> None:
    text = "status:: in service\ncolour:: grey\n\nThe kiln stands beside the door."
    assert (
        quoted("What is the status of the kiln?", text, "status", "kiln") == "status:: in service"
    )


@pytest.mark.parametrize("mark", ["**", ""])
def test_of_lines_that_are_keys_and_values_the_asked_one_is_quoted_alone(mark: str) -> None:
    keys = {"Stopcock": "under the sink", "Doctor": "Kim Lee, Elm Road", "Meter": "hall"}
    text = "\n".join(f"{mark}{key}:{mark} {value}" for key, value in keys.items())
    asked = quoted("Who is the doctor?", f"For sitters.\n\n{text}", "doctor")
    assert asked == f"{mark}Doctor:{mark} Kim Lee, Elm Road"


def test_a_sentence_over_lines_stays_whole() -> None:
    text = "Note: the doctor is\nin on Mondays and the\npharmacy on Fridays."
    assert quoted("When is the doctor in?", text, "doctor").split() == text.split()


def test_a_field_that_is_not_asked_for_stays_behind() -> None:
    text = "status:: in service\n\nThe lid of the kiln cracked in May."
    assert "cracked" in quoted("When did the lid crack?", text, "lid", "crack")


@pytest.mark.parametrize(
    ("question", "words", "said"),
    [
        (
            "What is Maria Lopez allergic to?",
            ("maria", "lopez", "allergic"),
            "Allergic to walnuts.",
        ),
        ("Where did Maria Lopez study?", ("maria", "lopez", "study"), "Studied in Graz."),
        ("Maria Lopez'in alerjisi ne?", ("maria", "lopez'in", "alerjisi"), "Fıstığa alerjisi var."),
    ],
)
def test_a_short_line_of_a_note_on_what_is_asked_beats_one_that_repeats_its_name(
    question: str, words: tuple[str, ...], said: str
) -> None:
    text = (
        "She works at the port.\n\nAllergic to walnuts.\n\nStudied in Graz.\n\n"
        "Fıstığa alerjisi var.\n\nMaria Lopez came with a friend and we talked all night.\n"
    )
    assert quoted(question, text, *words, title="Maria Lopez") == said


@pytest.mark.parametrize(
    "links", ["[[Poor recall]], the cautionary tale", "see [[Poor recall]] and [[Old recall]]"]
)
def test_a_line_of_links_is_not_quoted_as_an_answer(links: str) -> None:
    text = f"- {links}\n- It fell by half when the recall was tested only once."
    assert "fell by half" in quoted("What is poor recall?", text, "recall")


def test_a_link_to_a_day_is_its_date_and_not_what_a_line_points_to() -> None:
    text = "- Repotted the basil on [[2024-06-02]]\n- A second sowing of basil."
    assert "Repotted" in quoted("When did I repot the basil?", text, "repot", "basil")


def test_of_two_speakers_the_one_who_is_asked_about_is_quoted() -> None:
    text = (
        "**Ines**: I bought a red bicycle.\n\n**Tobias**: I bought a blue bicycle.\n\n"
        "**Ines**: Which one is faster?\n"
    )
    assert "blue" in quoted("What bicycle did Tobias buy?", text, "bicycle", "tobias", "buy")
    assert "red" in quoted("What bicycle did Ines buy?", text, "bicycle", "ines", "buy")


def test_the_reply_is_quoted_rather_than_the_question() -> None:
    text = (
        "**Ines**: Tobias, what broke the kettle?\n\n**Tobias**: The switch had melted.\n\n"
        "**Ines**: Oh dear.\n"
    )
    asked = "What broke Tobias's kettle?"
    assert "switch" in quoted(asked, text, "broke", "kettle")


def test_what_is_ruled_out_is_quoted_only_where_a_note_says_nothing_else() -> None:
    text = "Matcha is the best green tea.\n\nSome tea wants cooler water."
    both = result(Excerpt(text=text, line_start=1, line_end=3))
    alone = result(Excerpt(text="Matcha is the best green tea.", line_start=1, line_end=1))
    (other, only) = focus([both, alone], ("tea",), without=("matcha",))
    assert [e.text for e in other.excerpts] == ["Some tea wants cooler water."]
    assert [e.text for e in only.excerpts] == ["Matcha is the best green tea."]
