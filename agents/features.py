"""A question's wording as a sparse vector: signals, shape, and hashed words and letters."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from agents.signals import DATE, SIGNALS, comparable

BUCKETS = 2**14
"""Hashed n-grams share this many places (Weinberger et al. 2009); a clash costs little."""

_SIGNAL_VALUE = 0.5
_LONGEST = 240
"""Characters of the end of a long question that are read: people put there what they ask."""

_WORD = re.compile(rf"[\w']+|[?!,:;{DATE}]")
_SHAPES = ("question mark", "one word", "two words", "up to four", "up to seven", "long", "colon")
SIZE = BUCKETS + len(SIGNALS) + len(_SHAPES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Sparse features of one question: ``values[i]`` at ``places[i]``, each place below SIZE once.

    ``signals`` are the names of the marks found in it.
    """

    places: tuple[int, ...]
    values: tuple[float, ...]
    signals: tuple[str, ...]


def read_features(question: str, *, date_span: tuple[int, int] | None = None) -> Features:
    """Read the features off; ``date_span`` is where a date was found in the question."""
    text = comparable(question, date_span=date_span)
    found = [number for number, signal in enumerate(SIGNALS) if signal.found_in(text)]
    features = dict.fromkeys((BUCKETS + number for number in found), _SIGNAL_VALUE)
    for number in _shape(text):
        features[BUCKETS + len(SIGNALS) + number] = _SIGNAL_VALUE
    end = text[-_LONGEST:]
    for kind in (_words(end), _letters(end)):
        counts = Counter(kind)
        # Every kind has length one, so that a long question does not shout.
        length = sum(count * count for count in counts.values()) ** 0.5
        for place, count in counts.items():
            features[place] = features.get(place, 0.0) + count / length
    return Features(
        places=tuple(features),
        values=tuple(features.values()),
        signals=tuple(SIGNALS[number].name for number in found),
    )


def _shape(text: str) -> Iterator[int]:
    words = len(_WORD.findall(text.replace("?", "")))
    if "?" in text:
        yield 0
    yield next(i for i, most in enumerate((1, 2, 4, 7, 10_000), 1) if words <= most)
    if ":" in text:
        yield 6


def _words(text: str) -> Iterator[int]:
    """One to three words in a row; the first and the last are marked by the question's borders."""
    words = ["<", *_WORD.findall(text), ">"]
    for count in (1, 2, 3):
        for start in range(len(words) - count + 1):
            yield _bucket(" ".join(words[start : start + count]))


def _letters(text: str) -> Iterator[int]:
    """Three to five letters in a row: they find a word again behind a typo or an ending."""
    for count in (3, 4, 5):
        for start in range(len(text) - count + 1):
            yield _bucket(f"#{text[start : start + count]}")


def _bucket(ngram: str) -> int:
    return zlib.crc32(ngram.encode("utf-8", "replace")) % BUCKETS
