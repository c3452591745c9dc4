"""Noun phrases found from a word beside them: grown to either side until something ends them.

All functions take and give numbers of tokens; a ``Range`` is half-open and may be empty.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass

from agents.reading.wording import Part, Token, Wording

type Range = tuple[int, int]

LISTING = frozenset({"and", "or", "nor", "&", "/", "n"})
"""Words that join the last item of a list."""

_NOUN: frozenset[Part] = frozenset({"noun", "name", "gerund"})
_OPENS_NOUN: frozenset[Part] = frozenset({"preposition", "of", "gerund", "verb", "condition"})
_LEADS: frozenset[Part] = frozenset({"determiner", "adverb", "preposition"})
_TRAILS: frozenset[Part] = frozenset({"determiner", "adverb", "preposition", "of", "condition"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens ``first`` up to but not including ``last`` of a question."""

    wording: Wording
    first: int
    last: int

    @property
    def flat(self) -> str:
        """The sentence's text, flattened."""
        if self.first == self.last:
            return ""
        return self.wording.flat[self.offset : self.tokens[self.last - 1].end]

    @property
    def offset(self) -> int:
        """Where in the question ``flat`` begins."""
        return self.tokens[self.first].start

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens of the question, of which numbers are given."""
        return self.wording.tokens

    def number_at(self, position: int) -> int:
        """The number of the first token from ``position`` in ``flat``, within the sentence."""
        return max(self.first, min(self.last, self.wording.first_from(position + self.offset)))

    def part(self, number: int) -> Part:
        """The part of a token; beyond the sentence there is a mark."""
        return self.tokens[number].part if self.first <= number < self.last else "mark"

    def word(self, number: int) -> str:
        """The flattened word of a token; beyond the sentence there is none."""
        return self.tokens[number].word if self.first <= number < self.last else ""


def sentences(wording: Wording) -> Iterator[Sentence]:
    """The sentences with a question mark, then the others, each kind from the last."""
    bounds: list[Range] = []
    first = 0
    for i, token in enumerate(wording.tokens):
        if token.part == "mark" and token.word in ".?!;":
            bounds.append((first, i + 1))
            first = i + 1
    bounds.append((first, len(wording.tokens)))
    asked = [b for b in bounds if b[0] < b[1] and wording.tokens[b[1] - 1].word == "?"]
    told = [b for b in bounds if b[0] < b[1] and b not in asked]
    for first, last in (*reversed(asked), *reversed(told)):
        yield Sentence(wording, first, last)


def phrase_after(sentence: Sentence, at: int, stop: Set[str] = frozenset()) -> Range:
    """The phrase that starts at ``at`` or after small words there; ``stop`` words end it."""
    while at < sentence.last and sentence.part(at) in _LEADS and sentence.word(at) not in stop:
        at += 1
        if sentence.word(at) == "of" and sentence.word(at - 1) in ("that", "those"):
            at += 1  # "those of the second": what it stands for was named before
    end = at
    while end < sentence.last and sentence.word(end) not in stop and _continues(sentence, at, end):
        end += 1
    while end > at and sentence.part(end - 1) in _TRAILS:
        end -= 1
    return at, end


def _continues(sentence: Sentence, first: int, at: int) -> bool:
    """Whether the token ``at`` belongs to the phrase that starts at ``first``."""
    part, last, after = sentence.part(at), sentence.part(at - 1), sentence.part(at + 1)
    opening = at == first
    match part:
        case "name" | "noun" | "gerund":
            return True
        case "of" | "preposition":
            return not opening and (part == "of" or after in _NOUN or after == "determiner")
        case "determiner":
            return not opening and last in _OPENS_NOUN
        case "comparative":
            return after in _NOUN and (opening or last == "determiner")
        case "predicate" | "verb":
            return opening
        case "break":
            return last == "verb" and not opening and sentence.word(at) in ("it", "them")
        case "condition":
            return sentence.word(at - 1) in ("one", "ones") and after == "gerund"
        case _:
            return False


def phrase_before(sentence: Sentence, end: int) -> Range:
    """The phrase that ends right before ``end``."""
    while end > sentence.first and sentence.part(end - 1) in _TRAILS - {"preposition"}:
        end -= 1
    first = end
    while first > sentence.first and _reaches_back(sentence, first - 1, end):
        first -= 1
    while first < end and sentence.part(first) in _TRAILS:
        first += 1
    return first, end


def _reaches_back(sentence: Sentence, at: int, end: int) -> bool:
    """Whether the token ``at`` belongs to the phrase that follows it up to ``end``."""
    before, after = sentence.part(at - 1), sentence.part(at + 1)
    match sentence.part(at):
        case "name" | "noun" | "gerund":
            return True
        case "of" | "preposition":
            return at + 1 < end and before in _NOUN
        case "determiner":
            return at + 1 < end and before in ("preposition", "of", "gerund")
        case "comparative":
            return at + 1 < end and after in _NOUN and before in ("determiner", "mark")
        case "predicate":
            return at + 1 == end and before not in _NOUN
        case _:
            return False


def list_after(sentence: Sentence, at: int, joins: Set[str] = LISTING) -> list[Range]:
    """The phrases of a list that starts at ``at``; ``joins`` set them apart, as commas do."""
    found: list[Range] = []
    closed = False
    while at < sentence.last:
        first, end = phrase_after(sentence, at, joins)
        if first == end:
            break
        found.append((first, end))
        at = end
        comma = sentence.word(at) == ","
        at += comma
        joined = sentence.word(at) in joins
        if closed and not joined:
            break
        closed = closed or joined
        at += joined
        if not (comma or joined):
            break
    return found


def list_before(sentence: Sentence, end: int, joins: Set[str] = LISTING) -> list[Range]:
    """The phrases of a list that ends right before ``end``."""
    found: list[Range] = []
    while end > sentence.first:
        first, last = phrase_before(sentence, end)
        if first == last:
            break
        start = _without_leads(sentence, first)
        before = sentence.word(start - 1)
        if found and not (before in joins or _is_whole_clause(sentence, start)):
            break
        found.insert(0, (first, last))
        if before in joins:
            end = start - 1 - (sentence.word(start - 2) == ",")
        elif before == ",":
            end = start - 1
        else:
            break
    return found


def _without_leads(sentence: Sentence, first: int) -> int:
    while sentence.part(first - 1) == "determiner":
        first -= 1
    return first


_ASKING = frozenset({"which", "what", "who", "whose", "where", "how", "wich"})


def _is_whole_clause(sentence: Sentence, start: int) -> bool:
    """Whether nothing but a list's item stands between a comma and what is before ``start``."""
    if sentence.part(start - 1) == "mark":
        return True
    asked = any(sentence.word(i) in _ASKING for i in range(sentence.first, start))
    return (
        not asked and sentence.part(start - 1) in ("break", "verb") and start - 1 == sentence.first
    )
