"""What a question leaves out: "except Y", "but not Y", "Y hariç".

A stretch that excludes is found once, so that neither the concepts nor the subjects hold it.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from agents.reading.closeness import closeness
from agents.reading.wording import SET_OFF, Part, Span, Wording, read_wording
from agents.turkish_endings import GENITIVE, INSTRUMENTAL
from tools.guards import concept as clean


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Where the question excludes, word of exclusion included, and what it excludes."""

    span: Span
    phrases: tuple[str, ...]


def exclusions(wording: Wording) -> tuple[Exclusion, ...]:
    """Every exclusion in the question, in order."""
    find = _turkish if wording.turkish else _english
    found: list[Exclusion] = []
    for exclusion in find(wording):
        if not found or found[-1].span[1] <= exclusion.span[0]:
            found.append(exclusion)
    return tuple(found)


def read_without_excluded(
    question: str, *, dates: Span | None, names: Set[str], hidden: Sequence[Span] = ()
) -> tuple[Wording, tuple[Exclusion, ...]]:
    """The question taken apart as if it did not mention what it excludes, and the exclusions.

    Nor does it mention how close a note must be.
    """
    return _read_without_excluded(question, dates, frozenset(names), tuple(hidden))


@lru_cache(maxsize=4)  # the subjects and the exclusions of a question are asked for in turn
def _read_without_excluded(
    question: str, dates: Span | None, names: frozenset[str], hidden: tuple[Span, ...]
) -> tuple[Wording, tuple[Exclusion, ...]]:
    close = closeness(question)
    if close and close.span:
        hidden = (*hidden, close.span)
    wording = read_wording(question, dates=dates, names=names, hidden=hidden)
    found = exclusions(wording)
    if not found:
        return wording, ()
    apart = (*hidden, *(exclusion.span for exclusion in found))
    return read_wording(question, dates=dates, names=names, hidden=apart), found


# --- English -------------------------------------------------------------------------------

_NOTES = (
    r"(?:notes?|things?|stuff|parts?|ones|pages?|entries|files?|documents?|articles?|thoughts?"
    r"|material|content|topics?|anything|everything|something|mentions?)"
)
_ABOUT = (
    r"(?:about|on|regarding|concerning|mentioning|covering|involving|dealing with|to do with"
    r"|(?:closely )?(?:related|connected|linked) to)"
)
_IS_NOT = r"(?:(?:(?:is|are|was|were) )?not|(?:is|are|was|were)n'?t)"
_SPEAKS_NOT = (
    r"(?:(?:(?:do|does|did) not|(?:do|does|did)n'?t) (?:mention|discuss|cover|include|contain"
    r"|involve|concern|talk about|refer to|deal with|speak of)|(?:has|have) nothing to do with)"
)
_ENGLISH = re.compile(
    r"\b(?:but|and|just|though)? ?\b(?:except(?: for)?|excepting|excluding|exclude|leaving out"
    r"|leave out|leaving aside|leave aside|aside from|other than|not counting|not including"
    r"|with the exception of|ignoring|ignore)\b"
    r"|(?<!\bsets )(?<!\btells )(?<!\btell )(?<!\bset )\bapart from\b"
    r"|\b(?:but|and) not\b|,\s*not\b|\b(?:but )?(?:without|minus)\b"
    rf"|\b(?:(?:that|which) {_IS_NOT}|that's not) {_ABOUT}\b|\b(?:that|which) {_SPEAKS_NOT}\b"
    rf"|\b(?:not|nothing) {_ABOUT}\b"
)
_OPENERS = frozenset(
    {"except", "excepting", "excluding", "exclude", "ignoring", "ignore", "without", "minus", "not"}
)
# Except anything about it, except my notes on it: what holds it is no part of it.
_HOLDER = re.compile(
    rf"(?: (?:any|all|the|my|our|those|these|that (?:is|are)|that's|written|{_NOTES}))* {_ABOUT}\b"
)
_OF_NOTES = re.compile(rf"\b{_NOTES}\b")
_NOT_OF = re.compile(rf"(?:^|,|\b(?:but|and|please|{_NOTES}))\s*$")
_NOTHING = re.compile(r"(?:\b(?:but|and)|,)\s*$")
_ASKS_FOR_ELSE = re.compile(r"[^.?!:;]*(?:,|\b(?:just|only|but)\b)")
_STARTS_NO_PHRASE = re.compile(
    r"\s*(?:only|just|sure|so|as|because|too|very|yet|all|that|to|if|when|how|why|what"
    r"|the other way"
    r"|necessarily|really|always|in|\w+ing\b)\b"
)
_WITHOUT = re.compile(r"without|minus")
# "Why does bread rise without yeast" asks about rising without it.
_ASKS_ABOUT_LACK = re.compile(
    r"\b(?:why|how|happens?|can|could|do|does|did|will|would|is|are|was|were|if|live|living)\b"
)
_APART = re.compile(r"\b(?:sets?|tells?|keeps?|told|kept|far|from|how)\b[^,;:?]*$")
_LEADING: frozenset[Part] = frozenset({"determiner", "preposition", "condition", "adverb"})
_INSIDE: frozenset[Part] = frozenset(
    {"noun", "name", "gerund", "of", "determiner", "predicate", "comparative"}
)


def _english(wording: Wording) -> Iterator[Exclusion]:
    for match in _ENGLISH.finditer(wording.flat):
        word = match[0].strip(" ,")
        before = wording.flat[: match.start()]
        sentence = re.split(r"[.?!:;]", before)[-1]
        if _WITHOUT.search(word) and (not sentence.strip() or _ASKS_ABOUT_LACK.search(sentence)):
            continue
        if not _is_said_of_notes(word, sentence, wording.flat[match.end() :]):
            continue
        if word == "apart from" and _APART.search(sentence.rpartition(",")[2]):
            continue
        if word.endswith("and not") and re.search(r"\bwhy\b|\bwould\b", sentence):
            continue
        if word.endswith("not") and _STARTS_NO_PHRASE.match(wording.flat, match.end()):
            continue
        phrases, end = _listed(wording, match.end())
        if phrases:
            yield Exclusion((match.start(), end), phrases)


def _is_said_of_notes(word: str, before: str, after: str) -> bool:
    """Whether "not about" and its like say which notes are meant, or True for another word.

    "It is not about money" and "why is there nothing about money" exclude none.
    """
    if word.startswith("nothing "):
        return bool(_NOTHING.search(before) or (not before.strip() and _ASKS_FOR_ELSE.match(after)))
    if word.startswith("not ") and word not in ("not counting", "not including"):
        return bool(_NOT_OF.search(before))
    if _SPEAKS.match(word):
        return bool(_OF_NOTES.search(before))
    return True


_SPEAKS = re.compile(rf"(?:that|which) {_SPEAKS_NOT}$")


def _listed(wording: Wording, position: int) -> tuple[tuple[str, ...], int]:
    """The phrases joined by "and" or "or" that start at ``position``, and where they end."""
    tokens = wording.tokens
    phrases: list[str] = []
    end = position
    at = _past_holder(wording, position)
    while at < len(tokens):
        while at < len(tokens) and tokens[at].part in _LEADING:
            at += 1
        first = at
        while at < len(tokens) and tokens[at].part in _INSIDE and tokens[at].word not in _OPENERS:
            at += 1
        if at == first:
            break
        phrases.append(clean(wording.phrase(first, at)))
        end = tokens[at - 1].end
        if at == len(tokens) or tokens[at].word not in ("and", "or", "nor"):
            break
        if at + 1 < len(tokens) and tokens[at + 1].word in _OPENERS:
            break
        at = _past_holder(wording, tokens[at].end)
    return tuple(phrases), end


def _past_holder(wording: Wording, position: int) -> int:
    """The number of the first token after ``position`` and after "anything about" there."""
    holder = _HOLDER.match(wording.flat, position)
    return wording.first_from(holder.end() if holder else position)


# --- Turkish -------------------------------------------------------------------------------

_TURKISH = re.compile(
    r"\b(?:(?:(?:ile )?(?:ilgili|iliskili|alakali|baglantili)|hakkinda|uzerine|konulu)"
    r" (?:olmayan\w*|olmasin|degil)"
    r"|(?:bahset|soz et)me(?:yen\w*|sin)|(?:icer|gec)meyen\w*"
    r"|haric(?:inde)?|disinda(?:ki)?|degil(?:se)?|olmasin|olmadan|disarida birak\w*)\b"
    r"|(?<!\bneden )(?<!\bondan )(?<!\bbundan )(?<!nlardan )(?<=[dt][ae]n )baska\b(?! bir\b)"
    r"|\bolmayan(?= not(?:lar\w*)?\b)"
)
_NO_EXCLUSION = re.compile(r"\s*(?:mi\b|mu\b|miydi|de\b|da\b)")
_JOINS = frozenset({"ve", "ile", "veya"})


def _turkish(wording: Wording) -> Iterator[Exclusion]:
    tokens = wording.tokens
    for match in _TURKISH.finditer(wording.flat):
        at = wording.first_from(match.start())
        if at == 0 or (
            match[0].endswith("degil") and _NO_EXCLUSION.match(wording.flat, match.end())
        ):
            continue
        first = at
        while first > 0 and tokens[first - 1].part in ("noun", "name"):
            first -= 1
        opened = first == 0 or tokens[first - 1].part == "mark" or tokens[first - 1].word == "ama"
        place = match[0].startswith("disinda") and _GENITIVE.search(tokens[at - 1].word)
        says_no = match[0] == "degil" and (not opened or (first == 0 and at == len(tokens) - 1))
        if first == at or place or says_no:
            continue
        start = first - 1 if first and tokens[first - 1].word == "ama" else first
        phrases = [clean(_without_case(wording.phrase(first, at), match[0]))]
        while start > 1 and tokens[start - 1].word in _JOINS and tokens[start - 2].part == "noun":
            start -= 2
            phrases.insert(0, clean(wording.phrase(start, start + 1)))
        yield Exclusion((tokens[start].start, match.end()), tuple(phrases))


def _without_case(phrase: str, word: str) -> str:
    """The phrase without the case that a word of exclusion asks for: "işle ilgili olmayan"."""
    for asks, case in _CASES:
        if asks.match(word):
            return case.sub("", SET_OFF.sub("", phrase))
    return SET_OFF.sub("", phrase)


_CASES = (
    (
        re.compile(r"(?:ilgili|iliskili|alakali|baglantili)"),
        re.compile(rf"(?<=\w\w){INSTRUMENTAL}$"),
    ),
    (
        re.compile(r"(?:bahset|soz et|baska)"),
        re.compile(r"(?<=\w\w)(?:(?<=[^aeıioöuü][iıuü])n)?[dt][ae]n$"),
    ),
)
_GENITIVE = re.compile(rf"\w{GENITIVE}$")
