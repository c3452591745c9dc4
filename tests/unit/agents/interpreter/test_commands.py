"""What a typed line is: a command, a question of its own, or the name that was asked for."""

from datetime import UTC, datetime

import pytest

from agents.interpreter.commands import is_question, named_things, require_question, why_unusable
from tests.support.questions.reading import interpreted
from tools.base.domain import QueryPlan
from tools.base.errors import InputError
from tools.text.voice import use_language


def asked(question: str) -> QueryPlan:
    return interpreted(question, now=datetime(2025, 6, 18, tzinfo=UTC))


ENGLISH = asked("Compare Zettelkasten")
TURKISH = asked("Zettelkasten'i karşılaştır")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("*query", "*query needs something"),
        ("*QUERY ?", "*query needs something"),
        ("*temporal-query", "*temporal-query needs something"),
        ("/compare", "*compare needs something"),
        ("*help", "`brain chat` only"),
        ("*YOLO now", "`brain chat` only"),
        ("*nonsense foo", "no command *nonsense"),
        ("*query-all foo", "no command *query-all"),
        ("?", "Nothing was asked"),
        ("--", "Nothing was asked"),
        ("*", "Nothing was asked"),
        ("\u200b\u2060", "Nothing was asked"),
        ("", "Nothing was asked"),
    ],
)
def test_what_asks_nothing_is_refused_in_one_line(line: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        require_question(line)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        "*query what is sleep",
        "*Compare: PARA and GTD",
        "*important* notes on sleep",
        "*very important* notes",
        "**PARA** method",
        "* sleep",
        "/etc/hosts notes",
        "☕",
        "PARA",
    ],
)
def test_what_asks_something_passes(line: str) -> None:
    require_question(line)


@pytest.mark.parametrize(
    "line",
    [
        "PARA?",
        "what is sleep",
        "What's sleep",
        "how to sleep better",
        "why PARA works",
        "is it good for sleep",
        "tell me about sleep",
        "compare PARA and GTD",
        "and what is sleep",
        "uyku nedir",
        "neden uyuruz",
        "uyku önemli mi",
        "uykuyu anlat",
    ],
)
def test_a_plain_question(line: str) -> None:
    assert is_question(line)


@pytest.mark.parametrize(
    "line",
    [
        "PARA",
        "Thai basil",
        "with PARA",
        "what about PARA?",
        "compare it with PARA",
        "Why We Sleep",
        "How to Take Smart Notes",
        "Show Your Work",
        "Kim Scott",
        "Neden Uyuruz",
        "PARA ile",
        "2",
    ],
)
def test_a_name_is_no_question(line: str) -> None:
    assert not is_question(line)


@pytest.mark.parametrize(
    ("plan", "reply", "things"),
    [
        (ENGLISH, "PARA", ("PARA",)),
        (ENGLISH, "PARA and Johnny Decimal", ("PARA", "Johnny Decimal")),
        (ENGLISH, "PARA, GTD, Johnny Decimal", ("PARA", "GTD", "Johnny Decimal")),
        (ENGLISH, "PARA ve GTD", ("PARA", "GTD")),
        (ENGLISH, "PARA AND The GTD", ("PARA", "GTD")),
        (ENGLISH, "both tea & coffee", ("tea", "coffee")),
        (ENGLISH, "tea as well as coffee", ("tea", "coffee")),
        (ENGLISH, "walnut/maple", ("walnut", "maple")),
        (TURKISH, "PARA, GTD ve bağlam", ("PARA", "GTD", "bağlam")),
        (TURKISH, "PARA and GTD", ("PARA", "GTD")),
        (TURKISH, "PARA ile", ("PARA",)),
        (ENGLISH, "Zettelkasten and PARA", ("PARA",)),
        (ENGLISH, "with the PARA method", ("PARA method",)),
        (ENGLISH, "what about PARA?", ("PARA",)),
        (ENGLISH, "Why We Sleep", ("Why We Sleep",)),
        (ENGLISH, "Against the Grain", ("Against the Grain",)),
        (ENGLISH, "research and development", ("research and development",)),
        (asked("Compare 2023"), "2024", ("2024",)),
    ],
)
def test_a_reply_names_one_thing_or_several(
    plan: QueryPlan, reply: str, things: tuple[str, ...]
) -> None:
    names = frozenset({"research and development"})
    assert why_unusable(plan, reply, names=names) is None
    assert named_things(plan, reply, names=names) == things


@pytest.mark.parametrize(
    ("plan", "reply", "said"),
    [
        (ENGLISH, "", "names nothing"),
        (ENGLISH, "[]", "names nothing"),
        (ENGLISH, "2", "number"),
        (ENGLISH, "a zettelkasten", "same as Zettelkasten"),
        (ENGLISH, "what is sleep?", "question of its own"),
        (ENGLISH, "x" * 101, "100 characters"),
        (ENGLISH, "ant, bat, cup, dog, elk, fox, gnu, hen", "At most 8"),
        (TURKISH, "zettelkasten", "Bu da Zettelkasten"),
        (TURKISH, "2", "Sayı"),
    ],
)
def test_why_a_reply_cannot_be_used(plan: QueryPlan, reply: str, said: str) -> None:
    with use_language(plan.reading.language):
        why = why_unusable(plan, reply)
    assert why is not None
    assert said in why
    assert len(why) < 100


@pytest.mark.parametrize("reply", ["2", "What is sleep"])
def test_a_note_may_be_called_by_a_number_or_a_question(reply: str) -> None:
    assert why_unusable(ENGLISH, reply, names=frozenset({reply.lower()})) is None
