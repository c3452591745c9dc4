"""Questions that a vault answers by how it is made, with their evidence: nobody has to write them.

A title or an alias leads to its note, a heading to its section, what is said beside a link to its
line or the note that it leads to, a name that stands in one line to that line, a day to the notes
of that day.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from evals.answers import AnswerCase, Place
from tools.domain import Note
from tools.text.normalize import fold
from tools.text.sentences import split

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<=[a-zçğıöşü,] )[A-ZÇĞİÖŞÜ][\w-]{3,}")
_LINK = re.compile(r"\[\[([^\]|#^\n]+)[^\]\n]*\]\]")
_LEAST_WORDS = 2
"""Of a heading: "Notes" and "Links" ask for nothing."""
_BESIDE = 5
"""Words beside a link at least."""


def self_questions(notes: Sequence[Note], *, each: int, seed: int = 1) -> list[AnswerCase]:
    """At most ``each`` questions of every kind, drawn at random; of a kind a vault lacks none."""
    rng = random.Random(seed)
    made: list[AnswerCase] = []
    for kind, make in _KINDS.items():
        all_of_kind = [
            AnswerCase(q=question, kind=kind, gold=gold) for question, gold in make(notes)
        ]
        made += rng.sample(all_of_kind, min(each, len(all_of_kind)))
    return made


type _Made = Iterator[tuple[str, tuple[Place, ...]]]


def _whole(note: Note) -> Place:
    return Place(path=note.path, lines=(1, note.text.count("\n") + 1))


def _named(notes: Sequence[Note]) -> dict[str, list[Note]]:
    """The notes that carry each name, as title or alias."""
    named: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        for name in {fold(one) for one in (note.title, *note.aliases)}:
            named[name].append(note)
    return named


def _titles(notes: Sequence[Note]) -> _Made:
    named = _named(notes)
    for note in notes:
        if len(named[fold(note.title)]) == 1 and _WORD.search(note.title):
            yield note.title, (_whole(note),)


def _definitions(notes: Sequence[Note]) -> _Made:
    for title, gold in _titles(notes):
        yield f"What is {title}?", gold


def _aliases(notes: Sequence[Note]) -> _Made:
    named = _named(notes)
    for note in notes:
        for alias in note.aliases:
            if named[fold(alias)] == [note] and fold(alias) != fold(note.title):
                yield alias, (_whole(note),)


def _sections(notes: Sequence[Note]) -> _Made:
    count = Counter(fold(one.text) for note in notes for one in note.headings)
    titles = _named(notes)
    for note in notes:
        last = note.text.count("\n") + 1
        for at, heading in enumerate(note.headings):
            name = fold(heading.text)
            if count[name] == 1 and name not in titles and len(name.split()) >= _LEAST_WORDS:
                after = (o.line - 1 for o in note.headings[at + 1 :] if o.level <= heading.level)
                yield (
                    heading.text,
                    (Place(path=note.path, lines=(heading.line, next(after, last))),),
                )


def _linked(notes: Sequence[Note]) -> _Made:
    named = _named(notes)
    for note in notes:
        for number, line in enumerate(note.text.split("\n"), 1):
            links = _LINK.findall(line)
            around = _LINK.sub(" ", line).strip(" -*>")
            if len(links) == 1 and len(_WORD.findall(around)) >= _BESIDE:
                target = named.get(fold(links[0].rsplit("/", 1)[-1].strip()), [])
                if len(target) == 1 and target[0] is not note:
                    # Its own line names the note, so it answers as well.
                    own = Place(path=note.path, lines=(number, number))
                    yield " ".join(around.split()), (own, _whole(target[0]))


def _rare_names(notes: Sequence[Note]) -> _Made:
    lines: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for note in notes:
        for number, line in enumerate(note.text.split("\n"), 1):
            for word in _WORD.findall(line):
                lines[fold(word)].add((note.path, number))
    for note in notes:
        for sentence in split(note.text):
            for name in _NAME.findall(sentence.text):
                places = lines.get(fold(name), set())
                if len(places) == 1:
                    ((path, number),) = places
                    yield f"What about {name}?", (Place(path=path, lines=(number, number)),)


def _days(notes: Sequence[Note]) -> _Made:
    days: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        if note.stated_created is not None:
            day = note.stated_created
            days[f"{day.day} {day:%B %Y}"].append(note)
    for day, own in days.items():
        yield f"What did I write on {day}?", tuple(map(_whole, own))


_KINDS: Mapping[str, Callable[[Sequence[Note]], _Made]] = {
    "title": _titles,
    "what is title": _definitions,
    "alias": _aliases,
    "heading": _sections,
    "beside a link": _linked,
    "rare name": _rare_names,
    "day": _days,
}
