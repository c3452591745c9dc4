"""From passages to the words worth quoting, and proof that they stand in the file. Pure."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from string import ascii_letters, digits

from tools.candidates import Candidate, with_reasons
from tools.candidates import candidates as candidates_of
from tools.day_links import with_day_links
from tools.domain import Excerpt, Result, Tense
from tools.folding import fold, word_finder
from tools.line_dates import tells_time
from tools.prose import leaves_open, unlinked
from tools.quoting import LONGEST, quote
from tools.rarity import rarity
from tools.reasons import gives_reason
from tools.tense import against, agrees
from tools.utterances import REPLY, speakers, stem, stems, stems_in, utterances, words_of
from tools.words import GRAMMAR, STOP, TURKISH_STOP

_words = word_finder(ascii_letters + digits, beyond_ascii=re.compile(r"[^\W_]+"))
_QUOTES_PER_NOTE = 2
_SECOND_QUOTE = 0.6
"""Share of the best sentence's weight that a second one must have to be quoted too."""
_LINKS_ALONE = 0.15
_OPEN = 0.3
"""A question has the asked words but never answers; what ends in a colon only announces."""
_SOMETHING = 0.3
"""Weight of a sentence without any asked word: more than a heading with one."""
_FIELD_ASKED = 2.0
"""A field whose key is asked for: "status:: done" where the status is."""
_ASKS = STOP | TURKISH_STOP
_ASKING = 0.5
"""What a word counts that only asks: "What EC does basil need?" is about EC and basil."""
_OPENING, _ABOUT = 3, 1.25
"""A sentence with an asked word among its first three is about it, and worth more."""
_OVER = 0.5
"""What a title or the heading of a section or column holds counts for so much of what is below."""
_TIMED = 1.5
"""A sentence that tells a time is worth this much more where a time is asked for."""
_REASONED = 1.5
"""A sentence that joins an effect and its reason is, where a cause is asked for."""
_OTHER_TENSE = 0.9
"""What a plan counts for of its outcome, where that is asked for, and an outcome of its plan."""
# What a sentence is worth by where it stands: a heading or a bare link says little by itself.
_KINDS: Mapping[str, float] = {
    "prose": 1.0,
    "item": 0.9,
    "cell": 0.7,
    "task": 0.6,
    "field": 0.1,
    "heading": 0.1,
}


def focus(
    results: Sequence[Result],
    words: Sequence[str],
    *,
    question: str = "",
    without: Sequence[str] = (),
    timed: bool = False,
    asked: Tense = "",
    why: bool = False,
) -> tuple[Result, ...]:
    """Replace each result's passages by the one or two sentences that say most about ``words``.

    A word counts by its rarity among all the passages, so what every note says decides nothing.
    Where a speaker is named in ``question``, what tells of that person counts in full and the rest
    by how far it does. ``timed``: when is asked, so that of the first result a sentence that tells
    a time is preferred. ``asked``: whether what happened is asked for or what is to come. ``why``:
    a cause is asked for, so that a sentence that gives a reason is preferred, and read with what
    stands before it where it begins with "so". What speaks of a topic in ``without`` is quoted only
    where a note says nothing else.
    """
    wanted = stems(words)
    said = [utterances(result) for result in results]
    people = speakers(part for own in said for part in own)
    persons = frozenset(words_of(question)) & people.keys()
    ruled_out = [frozenset(map(stem, words_of(topic))) for topic in without]
    found = [
        candidates_of(own, persons, title=result.note_title, wanted=wanted)
        for result, own in zip(results, said, strict=True)
    ]
    candidates = [_allowed(with_reasons(own) if why else own, ruled_out) for own in found]
    weights = rarity(wanted, [one.held | one.over for own in candidates for one in own])
    for start in wanted - stems([word for word in words if word not in _ASKS]):
        weights[start] *= _ASKING
    return tuple(
        replace(
            result, excerpts=_quotes(own, weights, timed=timed and at == 0, asked=asked, why=why)
        )
        for at, (result, own) in enumerate(zip(results, candidates, strict=True))
    )


def coverage(text: str, words: Sequence[str]) -> float:
    """Share of ``words`` (folded) that the text has, from 0 to 1."""
    return covering(words)(text)


def covering(words: Sequence[str]) -> Callable[[str], float]:
    """``coverage`` of the same words for many texts."""
    wanted = stems(words)

    def covered(text: str) -> float:
        present = wanted.intersection(_said(text))
        return len(present) / len(wanted) if wanted else 0.0

    return covered


def _said(text: str) -> Iterable[str]:
    """The stems of a text, whose words end at an apostrophe."""
    if text.isascii() and "'" not in text:
        return stems_in(text)
    return map(stem, _words(fold(text)))


def verify(excerpt: Excerpt, lines: Sequence[str]) -> Excerpt | None:
    """Return the excerpt as it stands in the file now, moved if its lines moved, or None.

    ``lines`` are the file's present lines. White space is not compared.
    """
    wanted = _squeezed(excerpt.text)
    if not wanted:
        return None
    here = _squeezed("\n".join(lines[excerpt.line_start - 1 : excerpt.line_end]))
    if wanted in here:
        return excerpt
    height = excerpt.line_end - excerpt.line_start + 1
    for start in range(len(lines) - height + 1):
        if wanted in _squeezed("\n".join(lines[start : start + height])):
            return replace(excerpt, line_start=start + 1, line_end=start + height)
    return None


class Places:
    """Where words stand in a file, given its present lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    @cached_property
    def _squeezed(self) -> tuple[str, list[int]]:
        """All of it without white space, and where in that each line begins."""
        squeezed = [_squeezed(line) for line in self._lines]
        return "".join(squeezed), list(accumulate(map(len, squeezed), initial=0))

    def locate(self, text: str, *, near: int) -> int | None:
        """Line at which the words begin, the one nearest to ``near``, or None.

        They may run over several lines; white space is not compared.
        """
        wanted = _squeezed(text)
        whole, starts = self._squeezed
        found: list[int] = []
        at = whole.find(wanted) if wanted else -1
        while at >= 0:
            found.append(bisect_right(starts, at))
            at = whole.find(wanted, at + 1)
        return min(found, key=lambda line: abs(line - near), default=None)


def _allowed(found: list[Candidate], ruled_out: Sequence[Set[str]]) -> list[Candidate]:
    topics = [topic for topic in ruled_out if topic]
    if not topics:
        return found
    return [one for one in found if not any(topic <= {*one.words} for topic in topics)] or found


def _quotes(
    candidates: Sequence[Candidate],
    weights: Mapping[str, float],
    *,
    timed: bool,
    asked: Tense,
    why: bool,
) -> tuple[Excerpt, ...]:
    values = [_value(found, weights, why=why) for found in candidates]
    most = max(values, default=0.0)
    # Reading for reasons and for dates is slow: only where it could decide.
    if why:
        least = _SECOND_QUOTE * most / _REASONED
        values = [
            value * _REASONED if value > least and gives_reason(found.sentence.text) else value
            for value, found in zip(values, candidates, strict=True)
        ]
        most = max(values, default=0.0)
    if timed:
        least = most / _TIMED
        values = [
            value * _TIMED if value > least and tells_time(found.sentence.text) else value
            for value, found in zip(values, candidates, strict=True)
        ]
    values = _in_tense(candidates, values, weights, asked=asked)
    least = _SECOND_QUOTE * max(values, default=0.0)
    near = [at for at, value in enumerate(values) if value > least]
    near.sort(key=lambda at: (-values[at], _first_line(candidates[at], weights)))
    return tuple(dict.fromkeys(_quoted(candidates[at], weights) for at in near[:_QUOTES_PER_NOTE]))


def _quoted(found: Candidate, weights: Mapping[str, float]) -> Excerpt:
    return quote(found.passage, found.sentence, columns=found.columns, weights=weights)


def _first_line(found: Candidate, weights: Mapping[str, float]) -> int:
    """The line at which its quotation begins: its own, but where it is too long to be quoted."""
    passage, sentence = found.passage, found.sentence
    if sentence.end - sentence.start > LONGEST:
        return _quoted(found, weights).line_start
    return passage.line_start + passage.text.count("\n", 0, sentence.start)


def _in_tense(
    candidates: Sequence[Candidate],
    values: list[float],
    weights: Mapping[str, float],
    *,
    asked: Tense,
) -> list[float]:
    """The values, where the best sentence is a plan and the outcome is asked for, with that ahead.

    It must hold the asked words that the plan does.
    """
    best = max(range(len(values)), key=values.__getitem__, default=None)
    if best is None or not against(candidates[best].sentence.text, asked):
        return values
    held = candidates[best].held
    if len(held) < min(2, len(weights)):  # a plan for something else
        return values
    for at, found in enumerate(candidates):
        if held <= found.held and agrees(found.sentence.text, asked):
            values[at] = values[best] / _OTHER_TENSE
            break
    return values


def _value(found: Candidate, weights: Mapping[str, float], *, why: bool) -> float:
    """Weigh the asked words in a sentence by its kind; one without any is worth a little.

    A reply is worth almost as much as if it held the words of its question. A field whose key is
    asked for is the answer itself, but to ``why``; what little stands beside links introduces them.
    """
    sentence, passage = found.sentence, found.passage
    worth = _KINDS[sentence.kind]
    if sentence.kind == "field":
        key, _, value = passage.text[sentence.start : sentence.end].partition("::")
        if value.strip() and not why and any(stem(word) in weights for word in words_of(key)):
            worth = _FIELD_ASKED
    elif sentence.kind != "cell" and _links_alone(passage.text[sentence.start : sentence.end]):
        worth = min(worth, _LINKS_ALONE)
    if leaves_open(sentence.text):
        worth *= _OPEN
    said = _sum(weights, found.held) + _OVER * _sum(weights, found.over - found.held)
    if found.asked:
        said = max(said, REPLY * _sum(weights, found.held.union(found.asked)))
    if found.held and not found.held.isdisjoint(found.words[:_OPENING]):
        said *= _ABOUT
    return worth * found.tells * (said + _SOMETHING)


def _sum(weights: Mapping[str, float], stems: Set[str]) -> float:
    return sum(weight for word, weight in weights.items() if word in stems) if stems else 0.0


def _links_alone(text: str) -> bool:
    """Whether a text is links with hardly a word beside them; those to days may be its dates."""
    beside = unlinked(text)
    if beside == text:
        return False
    dated = with_day_links(text)
    least = 1 if unlinked(dated) == dated else 3
    return sum(word not in GRAMMAR for word in words_of(beside)) < least


def _squeezed(text: str) -> str:
    return "".join(text.split())
