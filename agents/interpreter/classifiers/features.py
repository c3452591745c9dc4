"""A question's wording as a sparse vector: its shape, and hashed words and letters.

What stands at which place is part of the trained weights: a change here asks for new ones
(``python -m evals.training.intents`` and ``evals.training.answer_kinds``).
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from agents.interpreter.wording.spelling import corrected
from tools.text.language import is_turkish
from tools.text.normalize import QUOTED, flatten

BUCKETS = 2**14
"""Hashed n-grams share this many places (Weinberger et al. 2009); a clash costs little."""

_SHOWN = 0.5
"""Value of what is true of a question's shape."""
LONGEST = 240
"""Characters of the end of a long question that are read: people put there what they ask."""

_OF_LETTERS = zlib.crc32(b"#")
"""What a hash of letters begins with, so that a short word is not the same as its letters."""

_DATE = "§"
_WORD = re.compile(rf"[\w']+|[?!,:;{_DATE}]")
_POLITE = re.compile(
    r"^(?:(?:please|lutfen|hey|hi|ok|so|and|but|well|also)\b[,\s]*|(?:can|could|would|will) you"
    r" (?:please )?(?=tell|show|explain|give|list|find|compare|define|describe|summar)"
    r"|(?:i want to know|i'd like to know|i would like to know|i wonder|i need to know|remind me"
    r"|do you know|tell me|(?:can|could) you tell me)\s+"
    r"(?=what|who|where|when|why|how|which|if|whether))+"
)


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


SIZE = BUCKETS + len(_shape(""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Sparse: ``values[i]`` at ``places[i]``, each place below SIZE once."""

    places: tuple[int, ...]
    values: tuple[float, ...]


@lru_cache(maxsize=64)  # several classifiers read the same question
def read_features(question: str, *, date_span: tuple[int, int] | None = None) -> Features:
    """Read the features off; ``date_span`` is where a date was found in the question."""
    text = _comparable(question, date_span=date_span)
    features = {place: _SHOWN for place, shown in enumerate(_shape(text), BUCKETS) if shown}
    end = text[-LONGEST:]
    for kind in (_words(end), _letters(end)):
        counts = Counter(kind)
        # Every kind has length one, so that a long question does not shout.
        length = sum(count * count for count in counts.values()) ** 0.5
        for place, count in counts.items():
            features[place] = features.get(place, 0.0) + count / length
    return Features(places=tuple(features), values=tuple(features.values()))


def _comparable(question: str, *, date_span: tuple[int, int] | None = None) -> str:
    """The question's wording, folded: slips put right, the date at ``date_span`` one sign.

    What is quoted is emptied, and polite openings are gone.
    """
    if date_span is not None:
        question = f"{question[: date_span[0]]} {_DATE} {question[date_span[1] :]}"
    spelled = question if is_turkish(question) else corrected(question)
    text = QUOTED.sub(" it ", flatten(spelled))
    return _POLITE.sub("", " ".join(text.split()))


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
