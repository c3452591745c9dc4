"""How English sentences compare: one rule for each way, the surest first."""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from agents.reading.grammar import COPULAS, DEGREES, DO, DO_SUPPORT
from agents.reading.noun_phrases import (
    LISTING,
    Range,
    Sentence,
    list_after,
    list_before,
    phrase_after,
    phrase_before,
)

type Find = Callable[[Sentence], list[Range]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to compare: ``find`` gives the ranges of what is compared, or none."""

    find: Find
    settles: bool = False
    """Whether one thing found is all there is: "compare the two offers by price and place"."""


_JOINS = LISTING | frozenset({"vs", "vs.", "versus", "v", "from", "with", "to", "against"})
_VERSUS = frozenset({"vs", "vs.", "versus", "v"})


def _after(pattern: str, joins: Set[str] = _JOINS) -> Find:
    """The list that follows a match."""
    compiled = re.compile(pattern)

    def find(sentence: Sentence) -> list[Range]:
        longest: list[Range] = []
        for match in compiled.finditer(sentence.flat):
            found = list_after(sentence, sentence.number_at(match.end()), joins)
            longest = max(longest, found, key=len)
        return longest

    return find


def _around(pattern: str, joins: Set[str] = LISTING) -> Find:
    """The lists on both sides of a match."""
    compiled = re.compile(pattern)

    def find(sentence: Sentence) -> list[Range]:
        for match in compiled.finditer(sentence.flat):
            start, end = sentence.number_at(match.start()), sentence.number_at(match.end())
            right = list_after(sentence, end, joins)
            left = list_before(sentence, _over_comma(sentence, start), joins)
            if left and right:
                left[-1] = _past_same_place(sentence, left[-1], end)
                return [*_parallel(sentence, left, right), *right]
        return []

    return find


def _past_same_place(sentence: Sentence, left: Range, at: int) -> Range:
    """The left side from its "at", where the right side starts with one: "X at A versus at B"."""
    for i in range(*left):
        if sentence.part(i) == "preposition" and sentence.word(i) == sentence.word(at):
            return phrase_after(sentence, i + 1)[0], left[1]
    return left


def _over_comma(sentence: Sentence, at: int) -> int:
    while sentence.word(at - 1) == ",":
        at -= 1
    return at


def _parallel(sentence: Sentence, left: list[Range], right: list[Range]) -> list[Range]:
    """The left side with its verb, where the right side has one: "mend it or buy a new one"."""
    if sentence.part(right[0][0]) != "verb":
        return left
    first, last = left[0]
    start = first
    while sentence.part(start - 1) == "determiner":
        start -= 1
    if sentence.part(start - 1) == "verb":
        return [(start - 1, last), *left[1:]]
    return left


def _said_of(pattern: str) -> Find:
    """What a predicate says something of, and what it names: "X differs from Y"."""
    compiled = re.compile(pattern)

    def find(sentence: Sentence) -> list[Range]:
        for match in compiled.finditer(sentence.flat):
            at, end = sentence.number_at(match.start()), sentence.number_at(match.end())
            left = _subject_before(sentence, at)
            right = list_after(sentence, end)
            if left and right:
                return [*left, *right]
        return []

    return find


def _subject_before(sentence: Sentence, at: int) -> list[Range]:
    """The nearest list before ``at``, over verbs and small words, not over marks."""
    while at > sentence.first:
        found = list_before(sentence, at)
        if found:
            return found
        if sentence.part(at - 1) == "mark" and sentence.word(at - 1) != ",":
            return []
        at -= 1
    return []


def _than(sentence: Sentence) -> list[Range]:
    """As in "Is X cheaper than Y": X before the comparative, or between it and "than"."""
    match = re.search(r"\b(?:than|then)\b|\bas\b(?! (?:opposed|well as))", sentence.flat)
    if match is None:
        return []
    at = sentence.number_at(match.start())
    right = list_after(sentence, sentence.number_at(match.end()))
    if match[0] == "as":
        again = re.compile(r"\bas\b").search(sentence.flat, match.end())
        if again is None:
            return []
        right = list_after(sentence, sentence.number_at(again.end()))
    comparative = at
    for i in range(at - 1, sentence.first - 1, -1):
        if sentence.part(i) == "comparative" or sentence.word(i).endswith("er"):
            comparative = i
            break
    left = _thing_before(sentence, comparative)
    between = phrase_after(sentence, comparative + 1)
    if (
        not left
        and sentence.part(at - 1) != "comparative"
        and between[0] < between[1] <= at
        and sentence.word(comparative) not in DEGREES
    ):
        left = [between]
    elif not left:
        left = _subject_between(sentence, comparative, at)
    return [*left, *right] if left and right else []


def _subject_between(sentence: Sentence, first: int, last: int) -> list[Range]:
    """The thing after an auxiliary between two places: "how much faster is X than"."""
    for i in range(first, last):
        if sentence.word(i) in _ASKING:
            found = phrase_after(sentence, i + 1)
            if found[0] < found[1]:
                return [found]
    return []


_ASKING = COPULAS | DO_SUPPORT


def _thing_before(sentence: Sentence, at: int) -> list[Range]:
    """What a comparative speaks of, without the verb that stands between: "cats sleep more"."""
    found = _subject_before(sentence, at)
    if not found:
        return []
    first, last = found[-1]
    asked = any(sentence.word(i) in DO for i in range(sentence.first, first))
    if asked and last - first > 1 and last == at and sentence.part(last - 1) == "noun":
        found[-1] = first, last - 1
    return found


def _listed_after_colon(sentence: Sentence) -> list[Range]:
    """As in "Which is densest: gold, lead or platinum"."""
    for i in range(sentence.first, sentence.last):
        if sentence.word(i) in (":", "—", "–"):
            named_before = any(sentence.word(j) in ("and", "or") for j in range(sentence.first, i))
            if named_before and "or" not in map(sentence.word, range(i, sentence.last)):
                return []
            found = list_after(sentence, i + 1, LISTING | _VERSUS)
            if len(found) > 1:
                return found
    return []


def _listed_first(sentence: Sentence) -> list[Range]:
    """As in "Bear, Craft and Logseq: which …"."""
    for i in range(sentence.first, sentence.last):
        if sentence.part(i) in ("noun", "name", "gerund"):
            return list_after(sentence, i)
    return []


def _slash(sentence: Sentence) -> list[Range]:
    for i in range(sentence.first + 1, sentence.last):
        if sentence.word(i) in ("/", "-", "–", "—"):
            left, right = phrase_before(sentence, i), phrase_after(sentence, i + 1)
            if left[0] < left[1] and right[0] < right[1]:
                return [left, right]
    return []


def _more_on(sentence: Sentence) -> list[Range]:
    """As in "More on X than on Y": the same small word leads both."""
    match = re.search(r"\bthan ([a-z]+)\b", sentence.flat)
    if match is None or sentence.part(sentence.number_at(match.start(1))) != "preposition":
        return []
    at = sentence.number_at(match.start())
    for i in range(at - 1, sentence.first, -1):
        if sentence.word(i) == match[1]:
            left, right = phrase_after(sentence, i + 1), phrase_after(sentence, at + 1)
            return [left, right]
    return []


def _lacks(sentence: Sentence) -> list[Range]:
    """As in "What does X do that Y doesn't", "can X do what Y does"."""
    match = re.search(
        r"\b(?:that|what)\b(?= .*\b(?:does|do|did|is|has|can|could|have)"
        r"(?:n't|nt|not| not|'t|t)?\W*$)",
        sentence.flat[1:],
    )
    if match is None:
        return []
    left = _subject_before(sentence, sentence.number_at(match.start() + 1))
    right = phrase_after(sentence, sentence.number_at(match.end() + 1))
    return [left[-1], right] if left and right[0] < right[1] else []


def _names(sentence: Sentence) -> list[Range]:
    """Quoted or linked names, or names of notes: what stands out so is what is compared."""
    return [(i, i + 1) for i in range(sentence.first, sentence.last) if sentence.part(i) == "name"]


_COMPARE = (
    r"\b(?:co[mn]+a?p[a-z]*r(?:e|ing)|comparison (?:of|between)|contrast(?:ing)?"
    r"|distinguish(?:ing|es)?|differentiate|weigh(?:ing)?(?: up)?|rank|line up|lined up|pit"
    r"|juxtapose|untangle|mix(?:ing)? up|confus(?:e|ing)|separates?|sets?"
    r"|choos(?:e|ing) (?:from|among)"
    r"|(?:pros and cons|advantages?|benefits?|merits|drawbacks|similarit\w+|strengths) of"
    r"|dif\w+ of|put|lay|match|stack|which (?:one )?of)\b(?: (?:and|&) contrast\b)?"
)
_DIFFERS = (
    r"\b(?:dif\w*r\w*|distinct|diverge\w*|depart\w*|deviate\w*|apart|drift\w*)(?: \w+ly)?"
    r" (?:from|than|to|frm)\b|\bcompar(?:e|es|ed) (?:to|with|against)\b"
    r"|\b(?:stack|measure|line|size|hold|held)(?:s|d|ed)? up"
    r" (?:against|to|with|alongside|beside)\b"
    r"|\b(?:do|does|fare|rate|perform)(?:s|d|ed)? (?:against|beside|alongside)\b"
    r"|\b(?:in common|square|squares|overlaps?|agree|agrees|clash\w*|conflicts?|at odds) with\b"
    r"|\b(?:the )?(?:very )?(?:same(?: thing)?|exact same) as\b"
    r"|\b(?:similar|equivalent|identical|close|closer|closest|nearest) to\b"
    r"|\b(?:superior|inferior|preferable) to\b"
    r"|\bas good as\b|\bjust (?=a |an |big|small)|\bahead of\b|\bnot like\b|\bunlike\b"
    r"|\b(?:contradicts?|resembles?|beats?|outperforms?|outlasts?|outlasting|outdo|outdoes|outruns?|mirrors?)\b"
    r"|\bas well as\b|\b(?:have|has|had|got|hold|holds|worth|worth it) over\b"
)

_SHARED = r"same|alike|in common|share|differ|similar|agree|interchangeable|overlap|apart"
_HOW_CLOSE = r"\bhow (?:close|near|similar|alike|different|far(?: apart)?) (?:is|are|was|were)\b"
_ALL_OF = r"\b(?:compar(?:e|ing)|contrast|rank|weigh(?:ing)?(?: up)?)"

ENGLISH: tuple[Rule, ...] = (
    Rule(_after(r"\b(?:between|betwe+n|betwen|btwn|btw)\b")),  # between X and Y
    Rule(_around(r"(?<![\w'])(?:vs|versus|v)\b\.?", LISTING | _VERSUS)),  # X versus Y
    Rule(_listed_after_colon),  # …: X, Y or Z
    Rule(_around(r"\b(?:next to|alongside|beside|side by side with)\b")),  # X next to Y
    Rule(_said_of(_DIFFERS)),  # X differs from Y
    Rule(_around(r"\b(?:instead of|rather than|as opposed to|in place of)\b")),  # X instead of Y
    Rule(_more_on),  # more on X than on Y
    Rule(_than),  # X is better than Y
    Rule(_after(_HOW_CLOSE, LISTING | {"to", "from"})),  # how close X is to Y
    Rule(_after(r"\bprefer\w*\b", {"to"})),  # prefer X to Y
    # compare the two X
    Rule(
        _after(rf"{_ALL_OF} (?=(?:\w+ )?(?:two|three|four|both)\b)"),
        settles=True,
    ),
    Rule(_after(_COMPARE)),  # compare X and Y
    Rule(_after(r"\b(?:tell|telling|knows?|knew|say)\b", {"from"})),  # tell X from Y
    Rule(_after(r"\b(?:going|go|went|moving|move|switch\w*) from\b", {"to"})),  # go from X to Y
    Rule(_around(r"\b(?:over|against|compared (?:to|with)|and not|but not)\b")),  # X over Y
    # swap X for Y
    Rule(_after(r"\b(?:swap\w*|switch\w*|replac\w*|substitut\w*)\b", {"for", "with"})),
    Rule(_lacks),  # what X does and Y does not
    Rule(_names),  # two names
    Rule(_around(rf"\b(?:and|n)\b(?=.*\b(?:{_SHARED})\b)")),  # X and Y are the same
    Rule(_around(r"\bor\b(?! (?:not|are|is|do|does|should|would|was|were)\b)")),  # X or Y
    Rule(_around(r"\band\b|\bn\b|&")),  # X and Y alike
    Rule(_slash),  # X / Y
    Rule(_listed_first),  # compare X
)
