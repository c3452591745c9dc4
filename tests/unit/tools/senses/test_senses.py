"""Names of several senses: what is mentioned, which notes are one thing, when it is asked back."""

import pytest

from agents.interpreter.clarification import clarification
from agents.interpreter.sense_choice import searched_all
from graphs.query.replies import chosen
from tests.support.values.results import a_plan
from tools.base.domain import AmbiguousName, Sense
from tools.senses.decision import Fit, Named, Senses, disambiguator, most_open
from tools.senses.mentions import MOST_NAMES, Mention, find_mentions, left_over, written_as
from tools.senses.notes import NamedNote

NAMES = frozenset(
    {"kafka", "franz kafka", "jordan okafor", "jordan 2022", "leo's python", "python", "peppers"}
)
KAFKA = AmbiguousName(
    name="Kafka",
    senses=tuple(
        Sense(title=title, notes=(f"{about}/{title}.md",), about=about)
        for title, about in (("Kafka", "work"), ("Franz Kafka", "books"))
    ),
)


def note(path: str, text: str = "") -> NamedNote:
    *folders, file = path.split("/")
    title = file.removesuffix(".md")
    return NamedNote(
        path=path,
        title=title,
        names=frozenset({title.lower()}),
        text=text,
        folder_information=tuple(float(at) for at, _ in enumerate(folders, 1)),
    )


def named(name: str, *notes: NamedNote, rest: tuple[str, ...] = (), says: str = "") -> Named:
    """A name beside other words of a question, of which the note at ``says`` has all."""
    mention = Mention(tuple(name.split()), tuple(one.title.lower() for one in notes))
    fits = {one.path: Fit(words=0.6 * (one.path == says)) for one in notes}
    return Named(mention=mention, notes=notes, rest=rest, fits=fits, explores=0.3)


BROKER = note("work/Kafka.md", "Event backbone, three brokers, retention is 7 days.")
AUTHOR = note("books/Franz Kafka.md", "Born in Prague in 1883, wrote The Castle.")
BOILER = note("home/Boiler.md", "The boiler is a combi; pressure and service in the book.")
SERVICE = note("home/Boiler service 2023.md", "The boiler had its service, the pressure was low.")
MEETING = note("work/2024-03-05 Kafka.md", "Talked about the brokers and retention with Priya.")


def senses_of(found: Named) -> Senses | None:
    return disambiguator().senses(found)


@pytest.mark.parametrize(
    ("question", "mentioned"),
    [
        ("What is Kafka?", {"kafka": {"kafka", "franz kafka"}}),
        ("Who was Franz Kafka?", {"franz kafka": {"franz kafka"}}),
        ("Jordan'ı anlat", {"jordan": {"jordan okafor", "jordan 2022"}}),
        ("notes on pepper", {"pepper": {"peppers"}}),
        ("tell me about pythons", {"python": {"leo's python", "python"}}),
        ("What do my notes say?", {}),
        ("", {}),
    ],
)
def test_a_question_mentions_the_longest_names(
    question: str, mentioned: dict[str, set[str]]
) -> None:
    found = {one.name: set(one.names) for one in find_mentions(question, NAMES)}
    assert found == mentioned


def test_a_word_of_many_names_is_none() -> None:
    names = {f"meeting {number}" for number in range(MOST_NAMES + 1)}
    assert find_mentions("the meeting", names) == []


def test_what_a_question_says_beside_a_name() -> None:
    (mention,) = find_mentions("When was the last lag of Kafka's topics?", NAMES)
    assert left_over("When was the last lag of Kafka's topics?", mention) == ("lag",)
    assert written_as(mention, "Franz KAFKA") == "KAFKA"


def test_unrelated_notes_are_senses_and_are_asked_back() -> None:
    senses = senses_of(named("kafka", BROKER, AUTHOR))
    assert senses is not None
    assert {sense[0].path for sense in senses.senses} == {BROKER.path, AUTHOR.path}
    assert senses.is_open()
    assert most_open([senses]) is senses


def test_a_note_that_goes_on_with_another_is_no_sense() -> None:
    assert senses_of(named("boiler", BOILER, SERVICE)) is None


def test_a_dated_note_is_of_the_sense_it_is_likest() -> None:
    senses = senses_of(named("kafka", BROKER, AUTHOR, MEETING))
    assert senses is not None
    assert {tuple(one.path for one in sense) for sense in senses.senses} == {
        (BROKER.path, MEETING.path),
        (AUTHOR.path,),
    }


def test_words_that_only_one_sense_has_decide() -> None:
    asked = named("kafka", BROKER, AUTHOR, rest=("novel", "unfinished"), says=AUTHOR.path)
    senses = senses_of(asked)
    assert senses is not None
    assert not senses.is_open()
    assert senses.senses[0] == (AUTHOR,)
    assert most_open([senses]) is None


def test_the_question_back_has_one_option_a_sense_and_one_for_all() -> None:
    plan = a_plan(query="What is Kafka?", ambiguous=KAFKA, confidence=0.4)
    asked = clarification(plan)
    assert asked is not None
    labels = [option.label for option in asked.options]
    assert labels == ["Kafka – work", "Franz Kafka – books", "All of them"]
    meant, every = chosen(plan, asked, "2"), chosen(plan, asked, "3")
    assert meant is not None
    assert every is not None
    assert (meant.sense, meant.ambiguous) == (KAFKA.senses[1], None)
    assert (every.sense, every.ambiguous) == (None, None)
    assert clarification(meant) is clarification(every) is None
    assert chosen(plan, asked, "4") is None


def test_at_most_four_senses_are_offered() -> None:
    many = tuple(Sense(title=f"Kafka {n}", notes=(f"{n}.md",)) for n in range(9))
    asked = clarification(a_plan(ambiguous=AmbiguousName(name="Kafka", senses=many)))
    assert asked is not None
    assert [option.number for option in asked.options] == [1, 2, 3, 4, 5]


def test_where_nobody_is_asked_every_sense_is_named() -> None:
    assert "Kafka – work; Franz Kafka – books." in searched_all(KAFKA)
