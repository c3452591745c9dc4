"""The sentences and rows of a note that can be quoted. Pure."""

import re
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from tools.claims.sentences import Sentence, sentences
from tools.domain import Excerpt
from tools.reasons import leans
from tools.utterances import Utterance, stems_in, tells_of

_KEY = re.compile(
    r"^[ \t>]*(?:\*\*|__)?[^\W\d_][\w .'’/()-]{0,39}"
    r"(?:(?:\*\*|__)[ \t]*:|:(?:\*\*|__)?)[ \t]+(?=\S)",
    re.MULTILINE,
)
"""A line that begins with a key: ``**Doctor:** Kim``, ``Allergies: none``."""
_KEYS = 2


class Candidate(NamedTuple):
    """A sentence or row of a passage, with the stems of its words, in order.

    ``held``: which of the wanted stems are among them; ``over``: which are among what stands over
    it, its ``columns``, or the title of its note and the heading of its section. ``tells``: how far
    it tells of the person asked about; ``asked``: the stems of the question that it replies to.
    """

    passage: Excerpt
    sentence: Sentence
    words: Sequence[str]
    held: frozenset[str]
    tells: float
    asked: Sequence[str] = ()
    columns: Sequence[str] = ()
    over: frozenset[str] = frozenset()


def candidates(
    said: Sequence[Utterance], persons: Set[str], *, title: str, wanted: frozenset[str]
) -> list[Candidate]:
    """What of a note with a title may be quoted to a question with the ``wanted`` stems."""
    found: list[Candidate] = []
    before: Sequence[str] = ()
    passage: Excerpt | None = None
    titled = wanted.intersection(stems_in(title))
    over = titled
    for part in said:
        tells = max(tells_of(part, person) for person in persons) if persons else 1.0
        if part.speaker is None and part.sentences[0].kind == "cell":
            found.append(_row(part, tells, wanted))
            continue
        if part.excerpt is not passage:
            passage = part.excerpt
            over = titled.union(wanted.intersection(stems_in(passage.heading or "")))
        asked = before if part.replies else ()
        lines = [one for whole in part.sentences for one in _lines(whole, part)]
        alone = part.speaker is None and len(lines) == 1
        for sentence in lines:
            words = part.stems if alone else stems_in(sentence.text)
            held = wanted.intersection(words)
            above: frozenset[str] = frozenset()
            if sentence.kind == "heading":
                over = titled | held
            elif part.speaker is None:
                above = over
            found.append(Candidate(part.excerpt, sentence, words, held, tells, asked, over=above))
        before = part.stems
    # A heading is the place of an answer; it is quoted of a note that says nothing else.
    return [one for one in found if one.sentence.kind != "heading"] or found


def _lines(sentence: Sentence, part: Utterance) -> Sequence[Sentence]:
    """The lines of a sentence by themselves where they are keys and values: "**Doctor:** Kim"."""
    if part.speaker or sentence.kind != "prose":
        return (sentence,)
    said = part.excerpt.text[sentence.start : sentence.end]
    if said.count(":") < _KEYS or len(_KEY.findall(said)) < _KEYS:
        return (sentence,)
    starts = [0, *(found.start() for found in _KEY.finditer(said) if found.start())]
    return [
        one._replace(start=sentence.start + at + one.start, end=sentence.start + at + one.end)
        for at, end in pairwise((*starts, len(said)))
        for one in sentences(said[at:end])
    ]


def with_reasons(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, where one gives the effect of the one before it both of them as one."""
    joined: list[Candidate] = []
    for one in found:
        before = joined[-1] if joined else None
        if before and _follows(one, before) and leans(one.sentence.text):
            start, end = before.sentence.start, one.sentence.end
            text = f"{before.sentence.text} {one.sentence.text}"
            whole = one.sentence._replace(text=text, start=start, end=end)
            words, held = [*before.words, *one.words], before.held | one.held
            joined[-1] = one._replace(sentence=whole, words=words, held=held)
        else:
            joined.append(one)
    return joined


def _follows(one: Candidate, before: Candidate) -> bool:
    """Whether a sentence stands in the same paragraph as the one before it."""
    if one.passage is not before.passage or one.sentence.kind != before.sentence.kind:
        return False
    between = one.passage.text[before.sentence.end : one.sentence.start]
    return not between.strip() and between.count("\n") < 2


def _row(part: Utterance, tells: float, wanted: frozenset[str]) -> Candidate:
    """A row of a table as one sentence: a cell by itself says little."""
    passage, cells = part.excerpt.text, part.sentences
    start = passage.rfind("\n", 0, cells[0].start) + 1
    end = passage.find("\n", cells[-1].end)
    text = " ".join(cell.text for cell in cells)
    whole = Sentence(text, start, len(passage) if end < 0 else end, "cell")
    over = wanted.intersection(stems_in(" ".join(part.columns)))
    words = stems_in(text)
    held = wanted.intersection(words)
    return Candidate(part.excerpt, whole, words, held, tells, columns=part.columns, over=over)
