"""Which chains of causes belong to a question, and which sentences of notes do."""

from dataclasses import replace

import pytest

from agents.answerer.causal_narrative import narrative
from tests.support.values.results import a_reading, a_relation, a_result
from tools.base.domain import Excerpt, GraphRelation, Result
from tools.graph.causal_chains import closed, maximal_chains, without_irrelevant_chains
from tools.text.causal_markers import gives_reason

FROST = a_relation("Frost", "CAUSES", "Dead tomatoes")


def a_chain(*sources: str, step: GraphRelation = FROST) -> Result:
    return a_result(f"{step.source_title}.md", chain=(step,), sources=sources)


def says(path: str, text: str) -> Result:
    excerpt = Excerpt(text=text, line_start=9, line_end=9, heading=None, block_id=None)
    return a_result(path, excerpts=(excerpt,))


def test_a_chain_through_what_is_named_or_meant_stays() -> None:
    assert without_irrelevant_chains([a_chain("graph")], ["tomatoes"])[0].chain
    assert without_irrelevant_chains([a_chain("graph", "semantic")], ["plants"])[0].chain


def test_what_is_prevented_causes_nothing() -> None:
    steps = (
        a_relation("Running", "PREVENTS", "Stress"),
        a_relation("Stress", "CAUSES", "Bad sleep"),
    )
    chains = maximal_chains([a_result("Running.md", chain=steps)])
    assert set(chains) == {steps[:1], steps[1:]}


def test_a_chain_from_a_mere_guess_goes_and_its_note_stays() -> None:
    (left,) = without_irrelevant_chains([a_chain("graph", "text")], ["frost", "berlin", "move"])
    assert (left.note_path, left.chain) == ("Frost.md", ())


def test_a_sentence_that_says_why_is_told_before_one_that_shares_a_word() -> None:
    told = narrative(
        [
            says("Garden.md", "The tomatoes wilted because of the frost in May."),
            says("Kitchen.md", "Ada: tomatoes go into the lower drawer of the kitchen."),
        ],
        a_reading("Why did the tomatoes wilt?"),
        ["tomatoes"],
    )
    assert [one.text for one in told] == ["The tomatoes wilted because of the frost in May."]


def test_where_nothing_says_why_a_sentence_with_the_words_asked_is_told() -> None:
    told = narrative(
        [says("Garden.md", "All the tomatoes wilted in May.")],
        a_reading("Why did the tomatoes wilt?"),
        ["tomatoes"],
    )
    assert [one.citations[0].line for one in told] == [9]


# --- reasons in a note's own words, and circles ---------------------------------------------

KNEE = "I stopped running because my knee hurt."
RUN = a_relation("Marathon", "CAUSES", "Running")


@pytest.mark.parametrize(
    "reason",
    [
        KNEE,
        "My knee hurt, so I stopped running.",
        "My knee hurt. That is why I stopped running.",
        "Thanks to my knee I stopped running.",
    ],
)
def test_a_reason_in_a_notes_own_words_is_told_before_the_chains(reason: str) -> None:
    chained = replace(says("Running.md", "Running is a sport that people do."), chain=(RUN,))
    weak = replace(says("Diary.md", reason), tier="low_relevance")
    told = narrative([chained, weak], a_reading("Why did I stop running?"), ["running"])
    assert [one.text for one in told][:2] == [reason, "Marathon causes Running."]


@pytest.mark.parametrize(
    "text",
    [
        "Dizim ağrıyordu, bu yüzden koşmayı bıraktım.",
        "Dizim ağrıyordu. O yüzden bıraktım.",
        "Dizim bu nedenle ağrıyor.",
        "Dizim ağrıdığı için bıraktım.",
        "Bıraktım çünkü dizim ağrıyordu.",
        "My knee hurt, so I stopped.",
    ],
)
def test_words_that_give_a_reason(text: str) -> None:
    assert gives_reason(text)


@pytest.mark.parametrize("text", ["I ran so far today.", "It is so nice.", "Bu kitap güzel."])
def test_words_that_give_none(text: str) -> None:
    assert not gives_reason(text)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Does coffee ruin sleep?", "Coffee does not ruin my sleep."),
        ("Does coffee cause poor sleep?", "Coffee does not ruin my sleep."),
        ("Is coffee bad for my sleep?", "Coffee does not ruin my sleep."),
        ("Kahve uykumu bozar mı?", "Kahve uykumu bozmuyor."),
    ],
)
def test_yes_or_no_is_answered_by_what_says_so(question: str, line: str) -> None:
    chain = (a_relation("Coffee", "CAUSES", "Sleep"), a_relation("Sleep", "CAUSES", "Uyku"))
    chained = replace(says("Coffee.md", line), chain=chain)
    other = says("Sleep.md", "Poor sleep makes a day long.")
    told = narrative([other, chained], a_reading(question), [])
    assert told[0].text == line


def test_a_circle_is_told_once_and_called_one() -> None:
    steps = (
        a_relation("Stress", "CAUSES", "Bad sleep"),
        a_relation("Bad sleep", "CAUSES", "Stress"),
    )
    results = [
        a_result("Stress.md", chain=steps),
        a_result("Bad sleep.md", chain=steps[::-1]),
        a_result("Night.md", chain=steps[:1]),
    ]
    assert [one.text for one in narrative(results, a_reading("Why stress?"), ["stress"])] == [
        "Stress causes Bad sleep.",
        "Bad sleep, in turn, causes Stress.",
        "That leads back to Stress: a circle.",
    ]


def test_what_leads_into_a_circle_is_told_with_it() -> None:
    into = a_relation("Coffee", "CAUSES", "Bad sleep")
    there, back = (
        a_relation("Bad sleep", "CAUSES", "Stress"),
        a_relation("Stress", "CAUSES", "Bad sleep"),
    )
    assert closed([(into, there), (back, there)]) == [(into, there, back), (back, there)]
    assert closed([(into, there)]) == [(into, there)]
