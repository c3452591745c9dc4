"""A question's wording as a sparse vector: signals, shape, and hashed words and letters.

What stands at which place is part of the trained weights: a change here or in ``agents.signals``
asks for new ones (``python -m evals.train_intents``).
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from agents.signals import DATE, SIGNALS, comparable

BUCKETS = 2**14
"""Hashed n-grams share this many places (Weinberger et al. 2009); a clash costs little."""

_SIGNAL_VALUE = 0.5
_LONGEST = 240
"""Characters of the end of a long question that are read: people put there what they ask."""

_OF_LETTERS = zlib.crc32(b"#")
"""What a hash of letters begins with, so that a short word is not the same as its letters."""

_WORD = re.compile(rf"[\w']+|[?!,:;{DATE}]")


def _shape(text: str) -> tuple[bool, ...]:
    """What is true of the question as a whole, one place each."""
    words = len(_WORD.findall(text.replace("?", "")))
    return (
        "?" in text,
        words <= 1,
        words == 2,
        2 < words <= 4,
        4 < words <= 7,
        words > 7,
        ":" in text,
    )


SIZE = BUCKETS + len(SIGNALS) + len(_shape(""))


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
    for place, shown in enumerate(_shape(text), BUCKETS + len(SIGNALS)):
        if shown:
            features[place] = _SIGNAL_VALUE
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


def _words(text: str) -> Iterator[int]:
    """One to three words in a row; the first and the last are marked by the question's borders."""
    words = ["<", *_WORD.findall(text), ">"]
    for count in (1, 2, 3):
        for start in range(len(words) - count + 1):
            yield _bucket(" ".join(words[start : start + count]))


def _letters(text: str) -> Iterator[int]:
    """Three to five letters in a row: they find a word again behind a typo or an ending."""
    letters = [letter.encode("utf-8", "replace") for letter in text]
    borders = [0, *accumulate(map(len, letters))]
    written = b"".join(letters)
    for count in (3, 4, 5):
        for start, end in zip(borders, borders[count:], strict=False):
            yield zlib.crc32(written[start:end], _OF_LETTERS) % BUCKETS


def _bucket(words: str) -> int:
    return zlib.crc32(words.encode("utf-8", "replace")) % BUCKETS
