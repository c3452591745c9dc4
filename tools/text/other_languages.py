"""Which language beside English and Turkish a text is in, told by a trained identifier."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from tools.text.language import is_turkish
from tools.text.normalize import flatten
from tools.text.stopwords import ENGLISH_ONLY

_NAMES: Mapping[str, str] = {
    "ar": "Arabic", "az": "Azerbaijani", "cs": "Czech", "da": "Danish", "de": "German",
    "el": "Greek", "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
"""Those that are told apart, by their ISO 639-1 codes."""
_CERTAIN = 0.95
"""Of the 19,220 English and Turkish questions in ``evals/data/intents`` none passes this bar."""
_FEWEST_WORDS = 3
"""Fewer words in Latin letters are names and topics, which have no language."""

_ALSO_ELSEWHERE = frozenset(
    {"a", "also", "am", "an", "as", "do", "her", "in", "is", "me", "no", "of", "on", "or", "over"}
    | {"so", "to", "up", "via", "was", "we", "will"}
)
"""English words that German, Dutch, Danish, Spanish and others write the same, or often quote."""
_ENGLISH = ENGLISH_ONLY - _ALSO_ELSEWHERE

_WORD = re.compile(r"[^\W\d_]+")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u2c00-\ua6ff\ua960-\ufaff]")


def other_language(text: str) -> str | None:
    """The English name of the language, or None for English, Turkish, or too few words to tell."""
    return _NAMES.get(other_language_code(text) or "")


def other_language_code(text: str) -> str | None:
    """The same as a code (ISO 639-1)."""
    words = _WORD.findall(flatten(text))
    foreign_letters = _OTHER_SCRIPT.search(text) is not None
    if len(words) < _FEWEST_WORDS and not foreign_letters:
        return None
    if not _ENGLISH.isdisjoint(words) or is_turkish(text):
        return None  # before the identifier, which takes a second to load
    language, probability = identifier().classify(text)
    return language if language in _NAMES and probability > _CERTAIN else None


class Identifier(Protocol):
    """The part of the untyped class that we use."""

    def classify(self, text: str, /) -> tuple[str, float]: ...


@cache
def identifier() -> Identifier:
    """What tells languages apart, loaded by its first use in about a second."""
    import numpy as np
    from py3langid import modelio
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    load = cast("Callable[[Path], tuple[Any, ...]]", modelio.load_model)  # pyright: ignore[reportUnknownMemberType]
    scores, priors, labels, moves, rows, output = load(MODEL_DIR / MODEL_FILE)
    known = {"en", "tr", *_NAMES}
    columns = [at for at, label in enumerate(labels) if label in known]
    # Made of these languages alone: one that is restricted to them keeps the table of all 142.
    return LanguageIdentifier(
        np.asarray(scores)[:, columns],
        np.asarray(priors)[columns],
        [labels[at] for at in columns],
        moves,
        output,
        norm_probs=True,
        tk_row=rows,
    )
