"""Questions that a vault answers by how it is made, with their evidence: nobody has to write them.

A title or an alias leads to its note, a heading to its section, what is said beside a link to its
line or the note that it leads to, a name that stands in one line to that line, a day to the notes
of that day, a follow-up to a section of the note that the question before it named, and what a note
lists to that list. They are worded in the language of the note.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, groupby, islice, zip_longest
from typing import NamedTuple

from evals.datasets.evidence import AnswerCase, Place
from tools.base.domain import Heading, Note
from tools.evidence.spans import Span, spans_of
from tools.text.language import is_turkish
from tools.text.markdown.sentences import split
from tools.text.normalize import fold

_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")
_NAME = re.compile(r"(?<=[a-zçğıöşü,] )[A-ZÇĞİÖŞÜ][\w-]{3,}")
_LINK = re.compile(r"\[\[([^\]|#^\n]+)[^\]\n]*\]\]")
_LEAST_WORDS = 2
"""Of a heading: "Notes" and "Links" ask for nothing."""
_BESIDE = 5
"""Words beside a link at least; of a section whose heading asks for it, on one of its lines."""
_LEAST_ITEMS = 3
_INTRODUCING = 10
"""Words of a line at most that introduces a list, for a question to name it."""
_POOL = 20
"""Times as many questions of a kind as are asked, of notes in random order, are drawn from."""
_READ = 600
"""Characters of a note that tell its language."""
_TURKISH_MONTHS = "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"


class _Question(NamedTuple):
    """A question, the places that answer it, and the question that it follows, if it does."""

    text: str
    gold: tuple[Place, ...]
    after: str = ""


type _Made = Iterator[_Question]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """How a kind of question is made, and in words what it asks and what answers it."""

    make: Callable[[Sequence[Note]], _Made]
    explained: str


def self_questions(notes: Sequence[Note], *, each: int, seed: int = 1) -> list[AnswerCase]:
    """At most ``each`` questions of every kind, drawn at random; of a kind a vault lacks none."""
    rng = random.Random(seed)
    shuffled = rng.sample(sorted(notes, key=lambda note: note.path), len(notes))
    made: list[AnswerCase] = []
    for name, kind in _KINDS.items():
        pool = [
            AnswerCase(q=one.text, kind=name, gold=one.gold, after=one.after)
            for one in islice(kind.make(shuffled), each * _POOL)
        ]
        made += rng.sample(pool, min(each, len(pool)))
    return made


def in_turns(cases: Sequence[AnswerCase]) -> list[AnswerCase]:
    """One question of each kind after another, so that the first few already speak for all."""
    kinds = [list(own) for _, own in groupby(cases, key=lambda case: case.kind)]
    return [case for case in chain.from_iterable(zip_longest(*kinds)) if case is not None]


def _in_language(note: Note, english: str, turkish: str) -> str:
    """The wording in the language of the note."""
    return turkish if is_turkish("\n".join(_body(note))[:_READ]) else english


def _lines(note: Note) -> list[str]:
    return note.text.split("\n")


def _body(note: Note) -> list[str]:
    return _lines(note)[note.body_line - 1 :]


def _whole(note: Note) -> Place:
    return Place(path=note.path, lines=(1, note.text.count("\n") + 1))


def _named(notes: Sequence[Note]) -> dict[str, list[Note]]:
    """The notes that carry each name, as title or alias."""
    named: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        for name in {fold(one) for one in (note.title, *note.aliases)}:
            named[name].append(note)
    return named


def _called_alone(notes: Sequence[Note]) -> Iterator[Note]:
    """The notes whose title is no other's name, and that have a text to quote."""
    named = _named(notes)
    for note in notes:
        alone = len(named[fold(note.title)]) == 1 and _WORD.search(note.title)
        if alone and _text(_body(note)):
            yield note


def _text(lines: Sequence[str]) -> list[str]:
    """The lines with words that are no headings."""
    return [line for line in lines if _WORD.search(line) and not line.startswith("#")]


def _text_under(note: Note, heading: Heading) -> list[str]:
    return _text(_lines(note)[heading.line : _section(note, heading).lines[1]])


def _titles(notes: Sequence[Note]) -> _Made:
    for note in _called_alone(notes):
        yield _Question(note.title, (_whole(note),))


def _definitions(notes: Sequence[Note]) -> _Made:
    for note in _called_alone(notes):
        yield _Question(_what_is(note), (_whole(note),))


def _what_is(note: Note) -> str:
    return _in_language(note, "What is {}?", "{} nedir?").format(note.title)


def _aliases(notes: Sequence[Note]) -> _Made:
    named = _named(notes)
    for note in notes:
        for alias in note.aliases:
            if (
                named[fold(alias)] == [note]
                and fold(alias) != fold(note.title)
                and _text(_body(note))
            ):
                yield _Question(alias, (_whole(note),))


def _sections(notes: Sequence[Note]) -> _Made:
    count = Counter(fold(one.text) for note in notes for one in note.headings)
    titles = _named(notes)
    for note in notes:
        for heading in note.headings:
            name = fold(heading.text)
            if (
                count[name] == 1
                and name not in titles
                and len(name.split()) >= _LEAST_WORDS
                and _text_under(note, heading)
            ):
                yield _Question(heading.text, (_section(note, heading),))


def _section(note: Note, heading: Heading) -> Place:
    """The heading and all that stands under it."""
    after = (
        one.line - 1
        for one in note.headings
        if one.line > heading.line and one.level <= heading.level
    )
    last = note.text.count("\n") + 1
    return Place(path=note.path, lines=(heading.line, next(after, last)))


def _linked(notes: Sequence[Note]) -> _Made:
    named = _named(notes)
    said: dict[str, list[Place]] = defaultdict(list)
    for note in notes:
        for number, line in enumerate(_lines(note), 1):
            links = _LINK.findall(line)
            around = _LINK.sub(" ", line).strip(" -*>")
            if len(links) == 1 and len(_WORD.findall(around)) >= _BESIDE:
                target = named.get(fold(links[0].rsplit("/", 1)[-1].strip()), [])
                if len(target) == 1 and target[0] is not note:
                    # Its own line names the note, so it answers as well.
                    own = Place(path=note.path, lines=(number, number))
                    said[" ".join(around.split())] += own, _whole(target[0])
    for words, places in said.items():
        yield _Question(words, tuple(places))


def _rare_names(notes: Sequence[Note]) -> _Made:
    lines: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for note in notes:
        for number, line in enumerate(_lines(note), 1):
            for word in _WORD.findall(line):
                lines[fold(word)].add((note.path, number))
    for note in notes:
        for sentence in split(note.text):
            # In a heading any word may have a capital.
            for name in _NAME.findall(sentence.text) if sentence.kind != "heading" else ():
                places = lines.get(fold(name), set())
                if len(places) == 1:
                    ((path, number),) = places
                    asked = _in_language(note, "What about {}?", "{} hakkında ne var?")
                    gold = Place(path=path, lines=(number, number))
                    yield _Question(asked.format(name), (gold,))


def _days(notes: Sequence[Note]) -> _Made:
    days: dict[date, list[Note]] = defaultdict(list)
    for note in notes:
        if note.stated_created is not None:
            days[note.stated_created.date()].append(note)
    months = _TURKISH_MONTHS.split()
    for day, own in days.items():
        english = f"What did I write on {day.day} {day:%B %Y}?"
        turkish = f"{day.day} {months[day.month - 1]} {day.year} günü ne yazdım?"
        yield _Question(_in_language(own[0], english, turkish), tuple(map(_whole, own)))


def _follow_ups(notes: Sequence[Note]) -> _Made:
    """After a question that names a note, one for a section of it by nothing but its heading."""
    titles = _named(notes)
    for note in _called_alone(notes):
        if not _LETTER.search(note.title):  # a day's note is no thing to ask about
            continue
        count = Counter(fold(one.text) for one in note.headings)
        for heading in note.headings:
            name = fold(heading.text)
            if (
                count[name] == 1
                and name not in titles
                and fold(note.title) not in name
                and _LETTER.search(name)
                and any(map(_tells, _text_under(note, heading)))
            ):
                asked = _in_language(note, "And {}?", "Peki {}?")
                text = asked.format(heading.text.rstrip(" ?.:"))
                yield _Question(text, (_section(note, heading),), after=_what_is(note))


def _tells(line: str) -> bool:
    """Whether a line has some words of its own: a row of links has none."""
    return len(_WORD.findall(_LINK.sub(" ", line))) >= _BESIDE


def _lists(notes: Sequence[Note]) -> _Made:
    for note in _called_alone(notes):
        lists: dict[str, list[Span]] = defaultdict(list)
        spans = spans_of(note.text)
        for one in spans:
            label = _label(one, note)
            if one.kind == "list" and label and _has_items(one, spans):
                lists[label].append(one)
        for label, own in lists.items():
            asked = _in_language(
                note, "What does {0} list under {1}?", "{0} notunda {1} başlığı altında neler var?"
            )
            gold = (Place(path=note.path, lines=(one.line_start, one.line_end)) for one in own)
            yield _Question(asked.format(note.title, label), tuple(gold))


def _label(one: Span, note: Note) -> str:
    """What a list goes by: the line that introduces it, where that is short, or its heading."""
    over = [heading for heading in one.headings[-1:] if fold(heading) != fold(note.title)]
    lead = one.lead.rstrip(" :")
    short = 0 < len(_WORD.findall(lead)) <= _INTRODUCING
    return lead if short else next(iter(over), "").rstrip(" :")


def _has_items(whole: Span, spans: Sequence[Span]) -> bool:
    """Whether a list has several items that nobody says in a conversation."""
    items = [
        one
        for one in spans
        if one.kind == "item" and whole.start <= one.start and one.end <= whole.end
    ]
    return len(items) >= _LEAST_ITEMS and not any(one.speaker for one in items)


_KINDS: Mapping[str, _Kind] = {
    "title": _Kind(
        make=_titles,
        explained="The title of a note and nothing else. Any line of that note is right.",
    ),
    "what is title": _Kind(
        make=_definitions,
        explained="“What is …?” with the title of a note. Any line of that note is right.",
    ),
    "alias": _Kind(
        make=_aliases,
        explained="Another name that a note gives itself. Any line of that note is right.",
    ),
    "heading": _Kind(
        make=_sections,
        explained="A heading that stands only once in the vault. Any line of its section is right.",
    ),
    "beside a link": _Kind(
        make=_linked,
        explained="What is said beside a link. That line is right, and any line of the note that "
        "the link leads to.",
    ),
    "rare name": _Kind(
        make=_rare_names,
        explained="A name that stands in a single line of the vault. That line is right.",
    ),
    "day": _Kind(
        make=_days,
        explained="“What did I write on …?” with the date of a note. Any line of a note with that "
        "date is right.",
    ),
    "follow-up": _Kind(
        make=_follow_ups,
        explained="Two questions, one after the other: “What is …?” with the title of a note, then "
        "a heading of it without the note's name. Any line of that section is right.",
    ),
    "list": _Kind(
        make=_lists,
        explained="What a note lists, three items or more, under a heading or behind a line that "
        "introduces it. Any item of that list is right.",
    ),
}

EXPLAINED: Mapping[str, str] = {name: kind.explained for name, kind in _KINDS.items()}
"""What each kind asks and what answers it, for people."""
