"""A name in the form that a question gives it: a plural, or a Turkish case."""

from collections.abc import Iterator, Set
from itertools import takewhile

from agents.interpreter.turkish.suffixes import noun_endings, stems
from tools.text.normalize import flatten, fold_name
from tools.text.stemming import turkish_lower

_SHORTEST = 3
"""Letters that are left of a name at least."""
_PLURALS = ("lar", "ler")


def as_named(phrase: str, names: Set[str], *, turkish: bool) -> str:
    """The phrase with its last word in the form of a name, where ``names`` have it but for that.

    ``names`` are as ``fold_name`` writes them.
    """
    before, space, last = phrase.rpartition(" ")
    if not last or fold_name(phrase) in names:
        return phrase
    forms = _turkish_forms(last) if turkish else _english_forms(last)
    named = (f"{before}{space}{form}" for form in forms if len(form) >= _SHORTEST)
    return next((name for name in named if fold_name(name) in names), phrase)


def _english_forms(word: str) -> Iterator[str]:
    if word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
        if word.endswith("es"):
            yield word[:-2]
        if word.endswith("ies"):
            yield f"{word[:-3]}y"
    yield f"{word}s"


def _turkish_forms(word: str) -> Iterator[str]:
    """What is left of a noun without its endings, and its plural.

    No noun but a short one ends in a soft letter.
    """
    lower = turkish_lower(word)
    yield from (f"{word}{plural}" for plural in _PLURALS)
    for stem, ending, _ in stems(lower):
        if ending and noun_endings(flatten(ending)) is not None:
            form = f"{stem[:-1]}ç" if stem[-1] == "c" else stem
            same = sum(1 for _ in takewhile(bool, map(str.__eq__, form, lower)))
            bare = word[:same] + form[same:]
            if len(bare) >= _SHORTEST:
                yield from (bare, *(f"{bare}{plural}" for plural in _PLURALS))
