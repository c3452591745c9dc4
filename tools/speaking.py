"""Which of the notes found for things that are compared speak of the thing at all. Pure."""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import cached_property

from tools.domain import Result
from tools.text.stemming import english_stem, turkish_stem
from tools.text.stopwords import GRAMMAR, TURKISH_GRAMMAR
from tools.text.tokens import words_of

_SILENT = GRAMMAR | TURKISH_GRAMMAR
_LONGEST_ENDING = 5
"""Letters that Turkish adds to a short word: ``çay``, ``çayından``."""


class _Text:
    """The words that a text says, and their stems; ``turkish`` where they are stemmed as such."""

    def __init__(self, text: str, *, turkish: bool) -> None:
        self.words = frozenset(words_of(text))
        self.turkish = turkish
        self._stem = turkish_stem if turkish else english_stem

    @cached_property
    def stems(self) -> Set[str]:
        return frozenset(map(self._stem, self.words))

    def has(self, word: str) -> bool:
        if word in self.words or self._stem(word) in self.stems:
            return True
        return self.turkish and any(
            said.startswith(word) and len(said) <= len(word) + _LONGEST_ENDING
            for said in self.words
        )

    def has_all(self, words: Set[str]) -> bool:
        return bool(words) and all(map(self.has, words))


def speaking(
    results: Sequence[Result],
    subjects: Sequence[str],
    *,
    called: Mapping[str, Set[str]],
    whole: Callable[[str], str],
    turkish: bool = False,
) -> tuple[Result, ...]:
    """The results without those that speak of another of the subjects and not of their own.

    A note speaks of a subject that has one of the words which tell it from the others; one that
    names none of them was found by its meaning, and stays. ``called`` are the paths of the notes
    that each subject is the name of, ``whole`` gives the text of a note.
    """
    if len(subjects) < 2:
        return tuple(results)
    names = {one: frozenset(words_of(one)) - _SILENT for one in subjects}
    own = {one: _without(names[one], _others(names, one)) for one in subjects}
    texts = {id(r): _Text(_found(r), turkish=turkish) for r in results}
    first: dict[str, _Text] = {}
    for result in results:
        if result.subject in own and texts[id(result)].has_all(own[result.subject]):
            first.setdefault(result.subject, texts[id(result)])
    telling = {
        one: _without(
            own[one],
            {word for word in own[one] for other in subjects
             if other != one and other in first and first[other].has(word)},
        )
        for one in subjects
    }  # fmt: skip

    def speaks(result: Result) -> bool:
        subject, said = result.subject, texts[id(result)]
        if subject not in own or result.note_path in called.get(subject, ()):
            return True
        if any(map(said.has, telling[subject])):
            return True
        of_another = any(said.has_all(own[other]) for other in subjects if other != subject)
        if not of_another:
            return True
        # The passages that were found are not all of the note.
        return any(map(_Text(whole(result.note_path), turkish=turkish).has, telling[subject]))

    return tuple(filter(speaks, results))


def _others(names: Mapping[str, Set[str]], subject: str) -> set[str]:
    return {word for other, words in names.items() if other != subject for word in words}


def _without(words: Set[str], common: Set[str]) -> Set[str]:
    """The words less those that are common; all where nothing would be left."""
    return words - common or words


def _found(result: Result) -> str:
    """What is known of a note: how it is called, since when it is, what was found of it."""
    dated = result.metadata.created_date
    parts = [result.note_path, result.note_title, f"{dated:%Y-%m-%d}" if dated else ""]
    return "\n".join((*parts, *(excerpt.text for excerpt in result.excerpts)))
