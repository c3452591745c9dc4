"""Who says each sentence of a conversation, and how far it tells of a person. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from tools.text.markdown.sentences import Sentence, sentences
from tools.text.normalize import fold
from tools.text.stopwords import word_set

_LABEL = re.compile(
    r"^[ \t]*(?:[-*+>][ \t]+)?(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]+)?(?:\*\*)?"
    r"(?P<who>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,2})(?:\*\*)?"
    r"(?: \([^()\n]{1,20}\))?:(?:\*\*)?[ \t]+(?=\S)",
    re.MULTILINE,
)
"""``**Ada**: …``, ``- Ada: …``, ``[10:05] Ada: …``; what is no conversation has such labels."""
_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_CLOSING = "\"'”’)*_ "
# Chosen by hand. How far a line tells of a person: their own turn of themselves, of neither, to
# somebody else; another's turn that says "you did", "I did, and you?", the name, none of these.
_SAYS_I, _SAYS_PLAINLY, _SAYS_YOU = 1.0, 0.8, 0.5
_IS_TOLD, _IS_TOLD_BY_I, _IS_NAMED, _IS_ABSENT = 0.8, 0.3, 0.25, 0.1
_NARRATED = 0.5
"""A line that nobody says and that does not name the person."""

_I = word_set("i i'm i've i'd i'll me my mine myself we we're we've we'll us our ben benim biz")
_YOU = word_set("you you're you've you'd you'll your yours yourself sen senin siz sizin")


class SpeakerContext(NamedTuple):
    """What a sentence of a conversation is read under, and the name of who says it."""

    lead: str
    speaker: str


def is_conversation(texts: Iterable[str]) -> bool:
    """Whether people speak in turns in what texts of one note say."""
    labels = (label for text in texts if ":" in text for label in _LABEL.finditer(text))
    return _takes_turns(fold(label["who"]) for label in labels)


def speakers_by_sentence(text: str) -> Mapping[int, SpeakerContext]:
    """Who says each sentence of a conversation, by the character it begins at.

    A reply is read under the question before it, and what follows a turn's first sentence under
    who speaks. What is no conversation has none.
    """
    if not is_conversation((text,)):
        return {}
    labels = [*_LABEL.finditer(text)]
    found: dict[int, SpeakerContext] = {}
    asker, question = "", ""
    for label, said in _turns(text, labels):
        who = label["who"] if label else ""
        asked = question if who and who != asker else ""
        for at, one in enumerate(said):
            lead = " ".join(filter(None, (asked, f"{who}:" if who and at else "")))
            found[one.start] = SpeakerContext(lead=lead, speaker=who)
        questions = [one.text for one in said if one.text.rstrip(_CLOSING).endswith("?")]
        asker, question = who, questions[-1] if who and questions else ""
    return found


def speaker_match(speaker: str | None, words: Set[str], person: str) -> float:
    """How far such words tell of a person, a folded first name, if the ``speaker`` says them."""
    named = person in words
    if not speaker:
        return 1.0 if named else _NARRATED
    of_itself, to_another = bool(words & _I), bool(words & _YOU)
    if first_name(speaker) == person:
        return _SAYS_I if of_itself else _SAYS_YOU if to_another else _SAYS_PLAINLY
    told = (_IS_TOLD_BY_I if of_itself else _IS_TOLD) if to_another else _IS_ABSENT
    return max(told, _IS_NAMED) if named else told


def first_name(speaker: str) -> str:
    """How a question would name who speaks."""
    return fold(speaker.split(maxsplit=1)[0])


def _takes_turns(labels: Iterable[str]) -> bool:
    """Whether somebody speaks again after another did: a list of fields names each but once."""
    spoke: set[str] = set()
    before = ""
    for label in labels:
        if label in spoke and label != before:
            return True
        spoke.add(label)
        before = label
    return False


def _turns(
    text: str, labels: Sequence[re.Match[str]]
) -> Iterator[tuple[re.Match[str] | None, tuple[Sentence, ...]]]:
    """The sentences of each turn with its label; all others by themselves."""
    starts: list[tuple[int, re.Match[str] | None]] = [
        *((one.start(), one) for one in labels),
        *((one.start(), None) for one in _HEADING.finditer(text)),
    ]
    starts.sort(key=lambda start: start[0])
    turn: list[Sentence] = []
    label: re.Match[str] | None = None
    at = 0
    for sentence in sentences(text):
        begins = False
        while at < len(starts) and starts[at][0] < sentence.end:
            if turn:
                yield label, tuple(turn)
                turn = []
            label = starts[at][1]
            begins = True
            at += 1
        if label is None:
            yield None, (sentence,)
        elif begins or turn:
            turn.append(sentence)
    if turn:
        yield label, tuple(turn)
