"""What a question is about, what it compares and what it excludes, in its own words.

The built-in encoder with thin changes (``tools.semantic.phrase_tagger``) gives logits to each piece
of a question; here they become tags of its words, the likeliest row of them (a linear chain:
Lafferty et al. 2001). ``evals/training/phrase_tagger.py`` learns both. Without logits, where the
semantic server does not answer, a question is about all words that do more than ask.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.interpreter.wording.name_forms import as_named
from agents.interpreter.wording.question_words import Span, Word, unmarked, words_of
from tools.base.guards import concept as clean
from tools.semantic.phrase_tagger import OF_PHRASES, TAGS
from tools.text.language import is_turkish
from tools.text.normalize import distinct, fold_name
from tools.text.stopwords import LOOSE_REQUESTS, STOP, TURKISH_STOP

MAX_CONCEPTS = 8
WEIGHTS = Path(__file__).with_name("phrase_tags.npz")
"""``steps`` (tags × tags): from a word's tag to that of the next; ``kinds`` (3 KINDS × tags): of
what is seen of the word before, of the word itself, and of the one after."""

type Layer = Literal["concepts", "subjects", "excluded"]
type Phrase = tuple[str, int]
"""As it stands in a question, and how many letters of its end are no part of it."""
type Array = NDArray[np.float32]
type Places = NDArray[np.int64]

LAYERS: Mapping[Layer, slice] = {
    "concepts": slice(0, 3),
    "subjects": slice(3, 6),
    "excluded": slice(6, 10),
}
"""Where the tags of each layer are: outside of its phrases, the first word of one, a word inside of
one; of what is excluded also a word that says that it is."""
OUTSIDE, FIRST, INSIDE, SAYS_SO = range(4)
"""The tags of a layer in their order."""
KINDS = 7
"""What is seen of a word: nothing, a name kept whole, a sign, a number, a capital where none is
needed, a capital at the beginning, a place in a date."""
_LEFT = 2
"""Letters of a word that stay at least."""


class Phrases(NamedTuple):
    """``concepts`` are asked about, ``subjects`` compared, ``excluded`` not wanted.

    ``wanted`` is the question without the words that exclude.
    """

    concepts: tuple[str, ...]
    subjects: tuple[str, ...]
    excluded: tuple[str, ...]
    wanted: str


def read_phrases(
    question: str,
    logits: Array | None,
    *,
    dates: Span | None = None,
    names: Set[str] = frozenset(),
) -> Phrases:
    """Read the phrases off the tagger's ``logits`` for the question.

    ``dates`` is where in it a date stands. ``names`` are note names as ``fold_name`` writes them:
    one that stands in the question is kept whole, and one of several words is always asked about,
    as is what is quoted, unless it is excluded. A date alone is compared at most.
    """
    turkish = is_turkish(question)

    def named(phrases: Iterator[Phrase]) -> tuple[str, ...]:
        return distinct(_named(*one, names, turkish=turkish) for one in phrases)

    words = words_of(question, names=names)
    if logits is None:
        about = named(_beyond_asking(question, words, dates))[:MAX_CONCEPTS]
        return Phrases(about, (), (), question)
    words, first, last = pieces_of(words, logits[:, :2].astype(np.int64))
    scores = logits[first, 2 : 2 + TAGS] + seen(question, words, dates) @ _weights()["kinds"]
    cuts = logits[last, 2 + TAGS : 2 + OF_PHRASES].argmax(1).tolist()
    steps = _weights()["steps"]
    tags = {layer: likeliest(scores[:, own], steps[own, own]) for layer, own in LAYERS.items()}
    stretches = list(_excluding(tags["excluded"]))

    def phrases(found: Iterable[Span]) -> Iterator[Phrase]:
        for start, end in _apart(words, found):
            word = words[end - 1]
            ending = min(cuts[end - 1], word.end - word.start - _LEFT) if word.text else 0
            yield question[words[start].start : word.end], max(0, ending)

    inside = {at for start, end in stretches for at in range(start, end)}
    unwanted = [run for run in runs(tags["excluded"]) if run[0] in inside]
    excluded = named(phrases(unwanted))[:MAX_CONCEPTS]
    without = set(map(fold_name, excluded))

    def wanted(found: Iterable[Span]) -> tuple[str, ...]:
        return tuple(one for one in named(phrases(found)) if fold_name(one) not in without)

    asked = [
        tag or (FIRST if at not in inside and _is_name(question, words[at], dates) else OUTSIDE)
        for at, tag in enumerate(tags["concepts"])
    ]
    about = (run for run in runs(asked) if not all(_within(words[at], dates) for at in range(*run)))
    return Phrases(
        concepts=wanted(about)[:MAX_CONCEPTS],
        subjects=wanted(runs(tags["subjects"])),
        excluded=excluded,
        wanted=_without(question, words, stretches),
    )


def _is_name(question: str, word: Word, dates: Span | None) -> bool:
    """Whether a word is a name of several words, or quoted, and no date."""
    written = question[word.start : word.end]
    named = not word.text and (" " in written or not written[0].isalnum())
    return named and not _within(word, dates)


def _apart(words: Sequence[Word], found: Iterable[Span]) -> Iterator[Span]:
    """The phrases without signs at their ends; a stroke between two words divides."""
    for start, end in found:
        strokes = (at for at in range(start, end) if words[at].text == "/")
        for part in pairwise([start - 1, *strokes, end]):
            said = [at for at in range(part[0] + 1, part[1]) if not _is_sign(words[at])]
            if said:
                yield said[0], said[-1] + 1


def _is_sign(word: Word) -> bool:
    return bool(word.text) and not word.text[0].isalnum()


def _excluding(tags: Sequence[int]) -> Iterator[Span]:
    """The stretches that exclude: words that say so beside what they exclude."""
    for start, end in runs([tag and INSIDE for tag in tags]):
        own = tags[start:end]
        if SAYS_SO in own and (FIRST in own or INSIDE in own):
            yield start, end


def _named(phrase: str, ending: int, names: Set[str], *, turkish: bool) -> str:
    """The name that a phrase is a form of, else the phrase without so many letters of its end."""
    whole = as_named(clean(unmarked(phrase)), names, turkish=turkish)
    if fold_name(whole) in names or not ending:
        return whole
    return as_named(clean(unmarked(phrase[:-ending])), names, turkish=turkish)


def pieces_of(words: Sequence[Word], pieces: Places) -> tuple[list[Word], Places, Places]:
    """The words that have pieces (start, end), and the first and last piece of each.

    Of a long question only the end has any.
    """
    start, end = pieces.T
    overlap = [np.flatnonzero((start < one.end) & (end > one.start)) for one in words]
    read = [(word, own) for word, own in zip(words, overlap, strict=True) if len(own)]
    first = np.array([own[0] for _, own in read], np.int64)
    last = np.array([own[-1] for _, own in read], np.int64)
    return [word for word, _ in read], first, last


def seen(question: str, words: Sequence[Word], dates: Span | None) -> Array:
    """What is seen of each word and its neighbours: words × 3 KINDS, each place 0 or 1."""
    kinds = [0, *_kinds(question, words, dates), 0]
    eye = np.eye(KINDS, dtype=np.float32)
    rows = [np.concatenate(eye[kinds[at : at + 3]]) for at in range(len(words))]
    return np.array(rows, np.float32).reshape(len(words), 3 * KINDS)


def _kinds(question: str, words: Sequence[Word], dates: Span | None) -> Iterator[int]:
    shouted, opening = question.isupper(), True
    for word in words:
        written = question[word.start : word.end]
        if not word.text:
            yield 1
        elif _within(word, dates):
            yield 6
        elif _is_sign(word):
            yield 2
        elif written[0].isdigit():
            yield 3
        elif written[0].isupper() and not shouted:
            acronym = len(written) > 1 and written.isupper()
            yield 5 if opening and not acronym else 4
        else:
            yield 0
        opening = written in (".", "?", "!", ":")


def likeliest(scores: NDArray[np.floating], steps: Array) -> list[int]:
    """The tags with the greatest sum of ``scores`` (words × tags) and ``steps`` (Viterbi 1967)."""
    if not len(scores):
        return []
    best, back = scores[0], list[Places]()
    for own in scores[1:]:
        ways = best[:, None] + steps
        back.append(ways.argmax(0))
        best = ways.max(0) + own
    row = [int(best.argmax())]
    for came in reversed(back):
        row.append(int(came[row[-1]]))
    return row[::-1]


def runs(tags: Sequence[int]) -> Iterator[Span]:
    """The phrases of a row of tags, half-open."""
    begun: int | None = None
    for at, tag in enumerate([*tags, OUTSIDE]):
        if begun is not None and tag != INSIDE:
            yield begun, at
            begun = None
        if tag == FIRST or (tag == INSIDE and begun is None):
            begun = at


def _without(question: str, words: Sequence[Word], stretches: Iterable[Span]) -> str:
    """The question without some stretches; all of it where nothing would be left."""
    kept, at = list[str](), 0
    for start, end in stretches:
        kept.append(question[at : words[start].start])
        at = words[end - 1].end
    left = " ".join(filter(None, map(str.strip, (*kept, question[at:]))))
    return left if kept and any(map(str.isalnum, left)) else question


def _within(word: Word, dates: Span | None) -> bool:
    return dates is not None and dates[0] <= word.start < dates[1]


def _beyond_asking(question: str, words: Sequence[Word], dates: Span | None) -> Iterator[Phrase]:
    """Words beside each other that do more than ask, and name no date."""
    asks = STOP | TURKISH_STOP | LOOSE_REQUESTS

    def says(word: Word) -> bool:
        tells = word.text[:1].isalnum() and word.text not in asks and not _within(word, dates)
        return tells or not word.text

    for start, end in runs([INSIDE if says(word) else OUTSIDE for word in words]):
        yield question[words[start].start : words[end - 1].end], 0


@cache
def _weights() -> Mapping[str, Array]:
    with np.load(WEIGHTS) as kept:
        return dict(kept)
