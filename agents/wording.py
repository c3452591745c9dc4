"""A question taken apart for reading: its words, each with the part it plays.

The parts are told by word lists and neighbours, not by a model: enough to see where a noun phrase
begins and ends, in well under a millisecond.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

from tools.folding import flatten, fold_name
from tools.grammar import (
    ADVERBS,
    AUXILIARIES,
    COMPARATIVES,
    CONDITIONS,
    CONNECTIVES,
    COPULAS,
    DEGREES,
    DETERMINERS,
    DO_SUPPORT,
    DOUBTFUL_VERBS,
    IMPERATIVES,
    MOSTLY_NOUNS,
    NUMBERED,
    POSSESSIVES,
    PREDICATES,
    PREPOSITIONS,
    PRONOUNS,
    SUBJECT_PRONOUNS,
    TURKISH_BREAKS,
    TURKISH_PARTICLE,
    TURKISH_TRAITS,
    VERBS,
)
from tools.words import ENGLISH_ONLY, STOP, TURKISH_ONLY, TURKISH_STOP

MAX_NAME_WORDS = 8

type Span = tuple[int, int]
type Part = Literal[
    "name",  # kept whole: quoted, linked, or a note's name
    "noun",
    "gerund",
    "of",
    "determiner",
    "preposition",
    "condition",  # opens a condition: for, when, according to
    "comparative",
    "adverb",
    "predicate",  # an adjective after its noun
    "verb",
    "break",  # pronoun, auxiliary, question word, conjunction
    "mark",
]


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a sign, or a name kept whole; ``word`` is flattened and empty for a name."""

    word: str
    start: int
    end: int
    part: Part


@dataclass(frozen=True, slots=True)
class Wording:
    """``text`` and its flattened twin have the same length; tokens point into both."""

    text: str
    flat: str
    turkish: bool
    tokens: tuple[Token, ...]

    def first_from(self, position: int) -> int:
        """The number of the first token that starts at ``position`` or later."""
        return next((i for i, t in enumerate(self.tokens) if t.start >= position), len(self.tokens))

    def phrase(self, first: int, last: int) -> str:
        """The text of the tokens ``first`` up to but not including ``last``."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]


def read_wording(
    question: str,
    *,
    dates: Span | None = None,
    names: Set[str] = frozenset(),
    hidden: Sequence[Span] = (),
) -> Wording:
    """Take ``question`` apart; ``dates`` and ``hidden`` stretches are read as commas.

    ``names`` are note names as ``fold_name`` writes them.
    """
    text = question
    apart = () if dates is None or _belongs_to_name(question, dates) else (dates,)
    for start, end in (*hidden, *apart):
        text = text[:start] + "," * (end - start) + text[end:]
    flat = flatten(text)
    turkish = is_turkish(question)
    whole = _whole_names(text, names)
    spans, words = _pieces(flat, whole)
    if turkish:
        parts = _turkish_parts(words, named=_named(text, spans))
    else:
        parts = _english_parts(words, named=_named(text, spans))
    tokens = tuple(
        Token(word, start, end, part)
        for word, (start, end), part in zip(words, spans, parts, strict=True)
    )
    return Wording(text, flat, turkish, tokens)


_YEAR = re.compile(r"\d{4}$")
_BEFORE_YEAR = re.compile(r"\b(?:of|the|my|our|a) $")


def _belongs_to_name(question: str, dates: Span) -> bool:
    """Whether a year is part of a name: the 2019 budget, the harvest of 2020."""
    year = _YEAR.match(question[slice(*dates)])
    before = _BEFORE_YEAR.search(flatten(question[: dates[0]]))
    return bool(year and before) and (
        before is not None
        and before[0] == "of "
        or question[dates[1] : dates[1] + 2].strip().isalpha()
    )


def is_turkish(text: str) -> bool:
    """Whether the question is asked in Turkish, by its letters and small words."""
    words = set(_WORD.findall(flatten(text)))
    english = ENGLISH_ONLY.intersection(_WORD.findall(text.lower()))  # "iş" is no "is"
    letters = bool(_TURKISH_LETTERS.search(text))
    return len(words & (TURKISH_ONLY | TURKISH_TRAITS)) + letters > len(english)


# --- pieces --------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_][\w+#]*(?:[-'./&][\w+#]+)*")
_SHORT = r"[^\W_]{1,3}/[^\W_]{1,3}(?!\w)"  # TCP/IP is one word, oak/walnut are two
_PIECE = re.compile(rf"\d+(?:[:.]\d+)+|{_SHORT}|[^\W_][\w+#]*(?:[-'.&][\w+#]+)*|[,;:?!.()/&=–—+-]")
_TURKISH_LETTERS = re.compile("[ğışĞİŞ]")
_MARKED = re.compile(r"\[\[[^\[\]]+\]\]|\"[^\"]+\"|“[^”]+”|`[^`]+`|(?<!\w)#[\w/-]+")
_ABBREVIATION = re.compile(r"(?:dr|mr|mrs|ms|st|prof|no|vs|v|[a-z])$")


def _pieces(flat: str, whole: Sequence[Span]) -> tuple[list[Span], list[str]]:
    spans: list[Span] = []
    words: list[str] = []
    names = iter(whole)
    name = next(names, None)
    for match in _PIECE.finditer(flat):
        start, end = match.span()
        while name and name[1] <= start:
            spans.append(name)
            words.append("")
            name = next(names, None)
        if name and start < name[1] and name[0] < end:
            continue
        if match[0] == "." and words and _ABBREVIATION.match(words[-1]) and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
            continue
        spans.append((start, end))
        words.append(match[0])
    while name:
        spans.append(name)
        words.append("")
        name = next(names, None)
    return spans, words


def _whole_names(text: str, names: Set[str]) -> list[Span]:
    """Stretches that must stay whole: quoted or linked ones, tags, and names that are known."""
    found = [match.span() for match in _MARKED.finditer(text)]
    words = [match.span() for match in _WORD.finditer(text)] if names else []
    first = 0
    while first < len(words):
        for last in range(min(first + MAX_NAME_WORDS, len(words)), first, -1):
            span = words[first][0], words[last - 1][1]
            if fold_name(text[slice(*span)]) in names and not _overlaps(span, found):
                # One common word may be a note's name and still be no more than a word here.
                if last - first > 1 or flatten(text[slice(*span)]) not in STOP | TURKISH_STOP:
                    found.append(span)
                    first = last - 1
                break
        first += 1
    return sorted(found)


def _overlaps(span: Span, others: list[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _named(text: str, spans: Sequence[Span]) -> list[bool]:
    """Which words have a capital inside a sentence that is not all capitals."""
    shouted = text.isupper()
    opening = True
    found: list[bool] = []
    for start, end in spans:
        found.append(not (opening or shouted) and text[start].isupper())
        opening = end - start == 1 and text[start] in ".?!:"
    return found


# --- parts ---------------------------------------------------------------------------------


def _english_parts(words: Sequence[str], *, named: Sequence[bool]) -> list[Part]:
    """The part of each word; ``named`` says which have a capital where none is needed."""
    parts: list[Part] = []
    asked = copula = False
    for i, word in enumerate(words):
        if word in (".", "?", "!", ";"):
            asked = copula = False
        place = _Place(
            last=parts[-1] if parts else "mark",
            previous=words[i - 1] if i else ".",
            after=words[i + 1] if i + 1 < len(words) else ".",
            asks_for_verb=asked,
            copula=copula,
        )
        part = _english_part(word, place, named=named[i])
        asked = (asked or word in DO_SUPPORT or word == "come") and part != "verb"
        copula = copula or word in COPULAS
        parts.append(part)
    return parts


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands around a word: the part and the word before, the word after, the clause so far.

    ``asks_for_verb``: after "does" or "will", until the verb has come.
    """

    last: Part
    previous: str
    after: str
    asks_for_verb: bool
    copula: bool


_GERUND = re.compile(r"\w\w+ing$")
_PARTICIPLE = re.compile(r"\w{2,}?(?:ed|built|held|paid|taken|written|made|sent|lost)$")
_ALWAYS: tuple[tuple[Set[str], Part], ...] = (
    (DETERMINERS, "determiner"),
    (CONDITIONS, "condition"),
    (AUXILIARIES | CONNECTIVES, "break"),
    (PREPOSITIONS, "preposition"),
)
_NOUN_PHRASE_ENDS: frozenset[Part] = frozenset({"noun", "name", "gerund"})
_NO_VERB_AFTER: frozenset[Part] = frozenset({"determiner", "of", "comparative"})


def _english_part(word: str, place: _Place, *, named: bool) -> Part:
    fixed = _fixed_part(word, place)
    if fixed and not (named and word in ("may", "a")):
        return fixed
    if named:
        return "noun"
    if word in ADVERBS:
        return "adverb"
    if word in COMPARATIVES:
        return "comparative"
    if _is_verb(word, place):
        return "verb"
    if _is_predicate(word, place):
        return "predicate"
    # In "machine learning" it is a noun like the one before it.
    return "gerund" if _GERUND.match(word) and place.last not in _NOUN_PHRASE_ENDS else "noun"


def _fixed_part(word: str, place: _Place) -> Part | None:
    """The part of a word that has but one, whatever its case."""
    if not word:
        return "name"
    if not word[0].isalnum():
        return "mark"
    if word == "of":
        return "of"
    if word == "i" and place.previous in NUMBERED:
        return "noun"
    if word == "may" and place.previous in ("in", "last", "this", "since", "of", "until"):
        return "noun"
    if word in ("one", "ones") and place.last in ("determiner", "noun", "comparative"):
        return "noun"
    if word in PRONOUNS:
        return "break"
    return next((part for words, part in _ALWAYS if word in words), None)


def _is_verb(word: str, place: _Place) -> bool:
    if place.last in _NO_VERB_AFTER or place.previous in POSSESSIVES:
        return False
    if word in VERBS:
        return True
    if place.previous in SUBJECT_PRONOUNS:
        return True
    if _GERUND.match(word):
        return place.previous == "been"
    if word not in DOUBTFUL_VERBS:
        return False
    if place.last in ("preposition", "condition", "gerund"):
        return place.previous == "to"
    object_follows = place.after in DETERMINERS | COMPARATIVES | PRONOUNS
    if object_follows or place.after == "up":
        return True
    if place.previous in ("what", "who") and word.removesuffix("s") in IMPERATIVES:
        return True
    if place.last == "mark" and word in IMPERATIVES:
        return True
    if place.last not in _NOUN_PHRASE_ENDS or not place.asks_for_verb or place.after == "of":
        return False
    return word not in MOSTLY_NOUNS or _ends_clause(place.after)


def _is_predicate(word: str, place: _Place) -> bool:
    if place.copula and place.previous in DEGREES:
        return True
    if not _ends_clause(place.after):
        return False
    said = place.last in _NOUN_PHRASE_ENDS and _PARTICIPLE.match(word)
    return word in PREDICATES or bool(said and (place.copula or word.endswith("ed")))


def _ends_clause(after: str) -> bool:
    return (
        not after[:1].isalnum()
        or after in PREPOSITIONS
        or after in CONDITIONS
        or after in CONNECTIVES
        or after in ADVERBS
        or after in COMPARATIVES
        or after in DETERMINERS
        or after == "of"
    ) and after != ""


_TURKISH_VERB = re.compile(
    r"\w{2,}?(?:[dt][iu](?:[mkn]|n[iu]z|l[ae]r)?|[iu]yor\w*|m[iu]s(?:[iu]m|[iu]z|t[iu]\w*)?"
    r"|[ae]c[ae][gk]\w*|[ae]l[iu]m|[ae]y[iu]m|m[ae]l[iu](?:y[iu][mz])?|l[iu]y[iu]m|[ae]bilir\w*"
    r"|m[ae]z|[ae]ls[ae][mk]?|[ae]rs[ae]n)$"
)
_TURKISH_SURE_VERB = re.compile(
    r"\w{2,}?(?:[iu]yor\w*|m[iu]st[iu]\w*|m[iu]s[iu]m|[ae]c[ae][gk]\w*|[dt][iu]g[iu]\w*)$"
    r"|(?:karsilastir|kiyasla)\w*$"
)
_TURKISH_AORIST = re.compile(r"\w+[^aeiu][aeiu]r(?:[iu]m)?$")


def _turkish_parts(words: Sequence[str], *, named: Sequence[bool]) -> list[Part]:
    return [_turkish_part(words, i, named=named[i]) for i in range(len(words))]


def _turkish_part(words: Sequence[str], at: int, *, named: bool) -> Part:
    word = words[at]
    after = words[at + 1] if at + 1 < len(words) else "?"
    if not word:
        return "name"
    if not word[0].isalnum():
        return "mark"
    if word in TURKISH_BREAKS or TURKISH_PARTICLE.match(word):
        return "break"
    if _TURKISH_SURE_VERB.match(word) and not named:
        return "verb"
    if word in TURKISH_TRAITS:
        return "predicate"
    if at == 0 or not after or named:
        return "noun"
    graded = words[at - 1] == "daha" or (at > 1 and words[at - 2] == "daha")
    if graded and (words[at - 1] == "daha" or TURKISH_PARTICLE.match(words[at - 1])):
        return "predicate"
    if not after[0].isalnum() and _TURKISH_VERB.match(word):
        return "verb"
    # "zayıflatır mı" ends the question; in "bulgur mu pirinç mi" no verb is asked.
    asked = TURKISH_PARTICLE.match(after) and not any(map(TURKISH_PARTICLE.match, words[:at]))
    ends = at + 2 >= len(words) or not words[at + 2][:1].isalnum()
    if asked and ends and (_TURKISH_AORIST.match(word) or _TURKISH_VERB.match(word)):
        return "verb"
    if ends and not after[0].isalnum() and at > 1 and _TURKISH_AORIST.match(word):
        return "verb"
    return "noun"


_CASE_ENDING = re.compile(
    r"['’](?:[ntdys]?[aeıiuüoö]?[nk]?(?:[ıiuü]n)?|l[ae]|yl[ae]|[td][ae]n?|[td][ae]ki|s)$",
    re.IGNORECASE,
)


def strip_ending(phrase: str) -> str:
    """Without the case ending an apostrophe sets off: Zettelkasten'in, Ada's."""
    return _CASE_ENDING.sub("", phrase)
