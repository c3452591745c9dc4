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
    ARTICLES,
    AUXILIARIES,
    COMPARATIVES,
    CONDITIONS,
    CONNECTIVES,
    COPULAS,
    DEGREES,
    DETERMINERS,
    DO_SUPPORT,
    DOUBTFUL_VERBS,
    POSSESSIVES,
    PREDICATES,
    PREPOSITIONS,
    PRONOUNS,
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
    for start, end in (*hidden, *((dates,) if dates else ())):
        text = text[:start] + "," * (end - start) + text[end:]
    flat = flatten(text)
    turkish = is_turkish(question)
    whole = _whole_names(text, names)
    spans, words = _pieces(flat, whole)
    parts = _turkish_parts(words) if turkish else _english_parts(words)
    tokens = tuple(
        Token(word, start, end, part)
        for word, (start, end), part in zip(words, spans, parts, strict=True)
    )
    return Wording(text, flat, turkish, tokens)


def is_turkish(text: str) -> bool:
    """Whether the question is asked in Turkish, by its letters and small words."""
    words = set(_WORD.findall(flatten(text)))
    letters = bool(_TURKISH_LETTERS.search(text))
    return len(words & TURKISH_ONLY) + letters > len(words & ENGLISH_ONLY)


# --- pieces --------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_][\w+#]*(?:[-'./&][\w+#]+)*")
_PIECE = re.compile(rf"{_WORD.pattern}|[,;:?!.()/&=–—+-]")
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


# --- parts ---------------------------------------------------------------------------------


def _english_parts(words: Sequence[str]) -> list[Part]:
    parts: list[Part] = []
    do_support = copula = False
    for i, word in enumerate(words):
        if word in ".?!;":
            do_support = copula = False
        do_support = do_support or word in DO_SUPPORT
        copula = copula or word in COPULAS
        after = words[i + 1] if i + 1 < len(words) else "."
        parts.append(_english_part(word, parts, words[i - 1] if i else ".", after, do_support))
    return parts


_GERUND = re.compile(r"\w\w+ing$")
_PLAIN: tuple[tuple[Set[str], Part], ...] = (
    (DETERMINERS, "determiner"),
    (CONDITIONS, "condition"),
    (AUXILIARIES | CONNECTIVES, "break"),
    (PREPOSITIONS, "preposition"),
    (ADVERBS, "adverb"),
)
_NOUN_PHRASE_ENDS: frozenset[Part] = frozenset({"noun", "name", "gerund"})


def _english_part(  # noqa: C901, PLR0912  # one question after the other, in order of certainty
    word: str, before: Sequence[Part], previous: str, after: str, do_support: bool
) -> Part:
    last: Part = before[-1] if before else "mark"
    if not word:
        return "name"
    if not (word[0].isalnum()):
        return "mark"
    if word == "of":
        return "of"
    if word in ("one", "ones", "mine", "ours") and last in ("determiner", "noun", "comparative"):
        return "noun"
    if word in PRONOUNS:
        return "break"
    for words, part in _PLAIN:
        if word in words:
            return part
    if word in COMPARATIVES:
        return "comparative" if word in DEGREES or last != "determiner" else "comparative"
    if word in VERBS and last not in ("determiner", "of") and previous not in POSSESSIVES:
        return "verb"
    if word in DOUBTFUL_VERBS and _asks_for_verb(last, previous, after, do_support):
        return "verb"
    if word in PREDICATES and _ends_clause(after):
        return "predicate"
    return "gerund" if _GERUND.match(word) else "noun"


def _asks_for_verb(last: Part, previous: str, after: str, do_support: bool) -> bool:
    """Whether a word that may be a verb stands where one is needed."""
    if last in ("determiner", "of", "preposition", "condition", "comparative", "gerund"):
        return previous == "to"
    if previous in PRONOUNS - {"what", "which", "one"}:
        return True
    ended = last in _NOUN_PHRASE_ENDS
    object_follows = after in ARTICLES | POSSESSIVES | COMPARATIVES or after in PRONOUNS
    return ended and (object_follows or (do_support and _ends_clause(after)))


def _ends_clause(after: str) -> bool:
    return (
        not after[:1].isalnum()
        or after in PREPOSITIONS
        or after in CONDITIONS
        or after in CONNECTIVES
        or after in ADVERBS
        or after in COMPARATIVES
        or after in ("the", "a", "an", "of")
    ) and after != ""


_TURKISH_VERB = re.compile(
    r"\w\w(?:[dt][iu][mkn]?|[dt][iu]niz|[iu]yor\w*|m[iu]s(?:[iu]m|[iu]z|t[iu]\w*)?|[ae]c[ae][gk]\w*"
    r"|[ae]l[iu]m|[ae]y[iu]m|m[ae]l[iu](?:y[iu][mz])?|l[iu]y[iu]m|[ae]bilir\w*|m[ae]z)$"
)


def _turkish_parts(words: Sequence[str]) -> list[Part]:
    return [
        _turkish_part(word, words[i + 1] if i + 1 < len(words) else "?", first=i == 0)
        for i, word in enumerate(words)
    ]


def _turkish_part(word: str, after: str, *, first: bool) -> Part:
    if not word:
        return "name"
    if not word[0].isalnum():
        return "mark"
    if word in TURKISH_BREAKS or TURKISH_PARTICLE.match(word):
        return "break"
    if word in TURKISH_TRAITS:
        return "predicate"
    ends = not after[:1].isalnum() or TURKISH_PARTICLE.match(after) or after in TURKISH_BREAKS
    if ends and not first and after and _TURKISH_VERB.match(word):
        return "verb"
    return "noun"


_CASE_ENDING = re.compile(
    r"['’](?:[ntdys]?[aeıiuüoö]?[nk]?(?:[ıiuü]n)?|l[ae]|yl[ae]|[td][ae]n?|[td][ae]ki|s)$",
    re.IGNORECASE,
)


def strip_ending(phrase: str) -> str:
    """Without the case ending an apostrophe sets off: Zettelkasten'in, Ada's."""
    return _CASE_ENDING.sub("", phrase)
