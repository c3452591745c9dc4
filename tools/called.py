"""Notes called after what is asked about, before the same words of something else. Pure."""

from collections.abc import Iterable, Sequence, Set
from pathlib import PurePosixPath

from tools.domain import Result
from tools.utterances import stem, words_of
from tools.words import META, STOP, TURKISH_STOP

_SMALL = STOP | TURKISH_STOP | META
_ENOUGH = 0.5
"""Share of what another's line holds that a line on what is named must hold."""


def as_called_first(
    results: Sequence[Result], question: str, *, passages: Sequence[Result]
) -> tuple[Result, ...]:
    """The results, where the first speaks of something else, one on what is named before it.

    "Python 3.8" is named by the note of that title more closely than by "Python 3.10", whose line
    comes second where both hold as much of the rest. A note that is not called after anything
    asked, and nowhere speaks of what another is called after, comes behind any that does.
    ``passages`` are the results with all that was found of each.
    """
    given = tuple(results)
    asked = _stems(question)
    titles = [asked & _title(one) for one in given]
    if not given:
        return ()
    found = {one.note_path: one for one in passages}
    named = asked & frozenset[str]().union(*titles)
    rest = asked - named
    if not named or not rest or given[0].superseded:
        return given
    said = rest & _line(given[0])
    spoken = titles[0] | named & _line(given[0])
    whole = frozenset[str]().union(*(_names(one, asked) for one in given))
    another = not titles[0] and whole and whole.isdisjoint(_found(found[given[0].note_path]))
    for one, title in zip(given[1:], titles[1:], strict=True):
        held = rest & _line(one)
        closer = title > spoken and bool(held) and held >= said
        enough = another and bool(held) and len(held) >= _ENOUGH * len(said)
        speaks = enough and whole <= _found(found[one.note_path])
        if not one.superseded and (closer or speaks):
            return (one, *(other for other in given if other is not one))
    return given


def _names(result: Result, asked: Set[str]) -> frozenset[str]:
    """The words of the note's names of which the question has all."""
    names = map(_stems, _called(result))
    return frozenset[str]().union(*(name for name in names if name <= asked))


def _title(result: Result) -> frozenset[str]:
    return _stems(*_called(result))


def _called(result: Result) -> Iterable[str]:
    return result.note_title, PurePosixPath(result.note_path).stem


def _line(result: Result) -> frozenset[str]:
    """What the line that is quoted first says, and what stands over it."""
    return _stems(
        *(part for e in result.excerpts[:1] for part in (e.heading or "", *e.columns, e.text))
    )


def _found(result: Result) -> frozenset[str]:
    return _title(result) | _stems(*(excerpt.text for excerpt in result.excerpts))


def _stems(*texts: str) -> frozenset[str]:
    """The stems of the words that say something, without what follows an apostrophe."""
    words = (word.partition("'")[0] for text in texts for word in words_of(text))
    return frozenset(stem(word) for word in words if word not in _SMALL)
