"""Who says each part of a passage: the turns of a conversation, the sentences of all else. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import takewhile
from string import ascii_letters, digits
from typing import NamedTuple

from tools.claims.sentences import Sentence, sentences
from tools.claims.stems import english_stem
from tools.domain import Excerpt, Result
from tools.folding import fold, word_finder
from tools.tables import columns_by_row, heads
from tools.words import word_set

_LABEL = re.compile(
    r"^[ \t]*(?:[-*+>][ \t]+)?(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]+)?(?:\*\*)?"
    r"(?P<who>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,2})(?:\*\*)?"
    r"(?: \([^()\n]{1,20}\))?:(?:\*\*)?[ \t]+(?=\S)",
    re.MULTILINE,
)
"""``**Ada**: …``, ``- Ada: …``, ``[10:05] Ada: …``; what is no conversation has such labels."""
_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_CLOSING = "\"'”’)*_ "
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_plain_words = word_finder(ascii_letters + digits, beyond_ascii=_WORD)
# Chosen by hand. How far a line tells of a person: their own turn of themselves, of neither, to
# somebody else; another's turn that says "you did", "I did, and you?", the name, none of these.
_SAYS_I, _SAYS_PLAINLY, _SAYS_YOU = 1.0, 0.8, 0.5
_IS_TOLD, _IS_TOLD_BY_I, _IS_NAMED, _IS_ABSENT = 0.8, 0.3, 0.25, 0.1
REPLY = 0.9
"""A reply holds what the question before it holds, almost as if it said so itself."""
_NARRATED = 0.5
"""A line that nobody says and that does not name the person."""

_I = word_set("i i'm i've i'd i'll me my mine myself we we're we've we'll us our ben benim biz")
_YOU = word_set("you you're you've you'd you'll your yours yourself sen senin siz sizin")


class Utterance(NamedTuple):
    """A turn of a conversation, a row of a table, or one sentence of anything else.

    ``speaker`` is the name as written, None outside conversations; ``words`` are folded, without
    the speaker's label and without the 's of a genitive; those of a row end with the headings of
    its ``columns``. ``stems`` are those of the words. ``replies``: the turn before is a question,
    and another's. A named tuple is made in a fifth of the time of a dataclass.
    """

    excerpt: Excerpt
    speaker: str | None
    sentences: tuple[Sentence, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    asks: bool
    replies: bool
    columns: tuple[str, ...] = ()


class Spoken(NamedTuple):
    """What a sentence of a conversation is read under, and the name of who says it."""

    lead: str
    speaker: str


def utterances(result: Result) -> tuple[Utterance, ...]:
    """What the passages of a note say, each part once, in the order of the passages."""
    labels = {id(e): [*_LABEL.finditer(e.text)] if ":" in e.text else [] for e in result.excerpts}
    spoken = _is_conversation([fold(m["who"]) for found in labels.values() for m in found])
    seen: set[tuple[int, str]] = set()
    parts: list[Utterance] = []
    for excerpt in result.excerpts:
        before: Utterance | None = None
        text = excerpt.text
        lines = text.split("\n") if "|" in text else []
        columns_at = _columns(excerpt, lines)
        at = begun = 0
        for label, said in _turns(text, labels[id(excerpt)] if spoken else ()):
            at += text.count("\n", begun, said[0].start)
            begun = said[0].start
            row = label is None and said[0].kind == "cell"
            if row and heads(lines, at) and at + 2 < len(lines):
                continue  # what the columns are called says something in each row below
            columns = columns_at.get(at, ()) if row else ()
            before = _utterance(excerpt, label, said, before, columns)
            place = excerpt.line_start + at, said[0].text
            if place not in seen:
                seen.add(place)
                parts.append(before)
    return tuple(parts)


def spoken(text: str) -> Mapping[int, Spoken]:
    """Who says each sentence of a conversation, by the character it begins at.

    A reply is read under the question before it, and what follows a turn's first sentence under
    who speaks. What is no conversation has none.
    """
    labels = [*_LABEL.finditer(text)] if ":" in text else []
    if not _is_conversation([fold(one["who"]) for one in labels]):
        return {}
    found: dict[int, Spoken] = {}
    asker, question = "", ""
    for label, said in _turns(text, labels):
        who = label["who"] if label else ""
        asked = question if who and who != asker else ""
        for at, one in enumerate(said):
            lead = " ".join(filter(None, (asked, f"{who}:" if who and at else "")))
            found[one.start] = Spoken(lead=lead, speaker=who)
        questions = [one.text for one in said if one.text.rstrip(_CLOSING).endswith("?")]
        asker, question = who, questions[-1] if who and questions else ""
    return found


@lru_cache(maxsize=2048)
def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a text in order, without the 's of a genitive."""
    folded = fold(text)
    if "'" in folded:
        return tuple(word.removesuffix("'s") for word in _WORD.findall(folded))
    return tuple(_plain_words(folded))


def speakers(parts: Iterable[Utterance]) -> Mapping[str, str]:
    """Who speaks: first names as written, by the folded word that a question would use."""
    names = {part.speaker.split()[0] for part in parts if part.speaker}
    return {fold(name): name for name in names}


def said_by(part: Utterance, person: str) -> bool:
    """Whether the person, a folded first name, says it."""
    return part.speaker is not None and first_name(part.speaker) == person


def tells_of(part: Utterance, person: str) -> float:
    """How far an utterance tells of a person, by who says it and how."""
    return telling(part.speaker, frozenset(part.words), person)


def telling(speaker: str | None, words: Set[str], person: str) -> float:
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


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The first five letters of a word's stem: ``improves`` and ``improvement`` are one word."""
    return english_stem(word)[:5]


@lru_cache(maxsize=2048)
def stems_in(text: str) -> tuple[str, ...]:
    """The stem of each of ``words_of`` a text, in order."""
    return tuple(map(stem, words_of(text)))


def stems(words: Sequence[str]) -> frozenset[str]:
    """Of compound words (self-control) the stem of each part, as texts are read too."""
    return frozenset(stem(part) for word in words for part in words_of(word))


def _columns(excerpt: Excerpt, lines: Sequence[str]) -> Mapping[int, tuple[str, ...]]:
    """The headings over each line that is a row of a table, as far as they are known."""
    begun = sum(1 for _ in takewhile(lambda line: "|" in line, lines))
    return dict.fromkeys(range(begun), excerpt.columns) | columns_by_row(lines)


def _is_conversation(labels: Iterable[str]) -> bool:
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
    """The sentences of each turn with its label, the cells of a row; all others by themselves."""
    starts: list[tuple[int, re.Match[str] | None]] = [(m.start(), m) for m in labels]
    if starts:
        starts += [(m.start(), None) for m in _HEADING.finditer(text)]
        starts.sort(key=lambda start: start[0])
    turn: list[Sentence] = []
    row: list[Sentence] = []
    label: re.Match[str] | None = None
    at = 0
    for sentence in sentences(text):
        if row and (sentence.kind != "cell" or "\n" in text[row[-1].end : sentence.start]):
            yield None, tuple(row)
            row = []
        begins = False
        while at < len(starts) and starts[at][0] < sentence.end:
            if turn:
                yield label, tuple(turn)
                turn = []
            label = starts[at][1]
            begins = True
            at += 1
        if label is None and sentence.kind == "cell":
            row.append(sentence)
        elif label is None:
            yield None, (sentence,)
        elif begins or turn:
            turn.append(sentence)
    if row:
        yield None, tuple(row)
    if turn:
        yield label, tuple(turn)


def _utterance(
    excerpt: Excerpt,
    label: re.Match[str] | None,
    said: tuple[Sentence, ...],
    before: Utterance | None,
    columns: tuple[str, ...],
) -> Utterance:
    alone = len(said) == 1 and not columns
    text = said[0].text if alone else " ".join((*(one.text for one in said), *columns))
    labelled = len(words_of(label[0])) if label else 0
    speaker = label["who"] if label else None
    return Utterance(
        excerpt=excerpt,
        speaker=speaker,
        sentences=said,
        words=words_of(text)[labelled:],
        stems=stems_in(text)[labelled:],
        asks=said[-1].text.rstrip(_CLOSING).endswith("?"),
        replies=before is not None
        and before.asks
        and speaker is not None
        and before.speaker not in (None, speaker),
        columns=columns,
    )
