"""The dates that a question sets side by side: sleep in 2023 and sleep in 2024, now versus then."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tools.temporal.periods.bounds import CLOSED, Governed, counts, joined, listed
from tools.temporal.periods.periods import NOW, Mention
from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import WORD


def sides(text: str, dates: Sequence[Governed]) -> Sequence[Governed]:
    """The first dates in flattened ``text``, two or more, that belong to one period; else none."""
    chain: list[Governed] = []
    for one in dates:
        if chain and _belong(text, chain[-1], one):
            chain.append(one)
        elif len(chain) > 1:
            break
        elif _may_be_side(one) or not chain or not _may_be_side(chain[0]):
            chain = [one]
    return chain if len(chain) > 1 else ()


def _may_be_side(one: Governed) -> bool:
    return counts(one) or one.mention.unit == NOW


def _belong(text: str, first: Governed, second: Governed) -> bool:
    return beside(text, first, second) or _apart(text, first, second)


def beside(text: str, first: Governed, second: Governed) -> bool:
    """Whether nothing but a word that joins stands between the two: "from May to August"."""
    gap = text[first.mention.end : second.mention.start]
    return joined(first, gap, second) or listed(first, gap, second)


def is_range(text: str, first: Governed, second: Governed) -> bool:
    """Whether the two are the ends of one period: "from … to", "between … and"."""
    return joined(first, text[first.mention.end : second.mention.start], second)


def in_order(text: str, first: Governed, second: Governed) -> bool:
    """Whether the words say which of the two comes first: "from … to", but not "between"."""
    return is_range(text, first, second) and "between" not in {first.bound, second.bound}


_LAST = re.compile(r"(?:last|past|previous|gecen|gectigimiz|onceki)\s")
_THIS = re.compile(r"(?:this|current|bu)\s")


def disambiguated_years(text: str, chain: Sequence[Governed]) -> list[Mention]:
    """The mentions; "last spring" beside "this spring" is the one before it, even in summer."""
    found = [one.mention for one in chain]
    now = [one for one in found if _THIS.match(text, one.start)]
    for place, one in enumerate(found):
        if one.year is None or not _LAST.match(text, one.start):
            continue
        if any(one.year == other.year and _same_words(text, one, other) for other in now):
            found[place] = replace(one, year=one.year - 1)
    return found


def _same_words(text: str, one: Mention, other: Mention) -> bool:
    first, second = (text[each.start : each.end].split(None, 1)[1] for each in (one, other))
    return first.startswith(second) or second.startswith(first)


def phrase_of(text: str, chain: Sequence[Governed]) -> tuple[int, int]:
    """Where the dates stand, from the first as far as no word between them has its own meaning."""
    start, end = chain[0].start, chain[0].end
    for first, second in pairwise(chain):
        gap = text[first.end : second.start]
        if not beside(text, first, second) and (_SETS_APART.search(gap) or not _is_empty(gap)):
            break
        end = second.end
    return start, end


def _is_empty(gap: str) -> bool:
    return STOP.union(TURKISH_STOP).issuperset(WORD.findall(gap))


# --- sides with other words between them ---------------------------------------------------

_COMPARING = re.compile(
    r"\b(?:compar|contrast|differ|similar|versus|vs\b|karsilastir|kiyas|mukayese|fark|gore\b)"
)
_VERSUS = re.compile(
    r"\b(?:versus|vs|compared?|than|unlike|opposed\s+to|next\s+to|differ(?:s|ed|ent)?\s+(?:from|to)"
    r"|gore|kiyasla|oranla|nazaran)\b"
)
_SETS_APART = re.compile(rf"{_COMPARING.pattern}|{_VERSUS.pattern}")
"""What a reader of the whole question needs to see that it compares."""
_WITH = re.compile(r"\b(?:and|or|with|to|from|against|ve|veya|ile|\w+l[ae])\b|,")
_AND = re.compile(r"\b(?:and|ve)\b")
_SENTENCE = re.compile(r"[.?!]\s")
_REACH = 80


def comparing(text: str) -> bool:
    """Whether the question says that it compares."""
    return _COMPARING.search(text) is not None


def precedes_question(text: str, end: int) -> bool:
    """Whether a date that ends there is only told, before the sentence that asks."""
    return _SENTENCE.search(text.rstrip(), end) is not None


def compared(text: str, first: Governed, second: Governed) -> bool:
    """Whether a word between the two sets one against the other: versus, than, göre."""
    return _VERSUS.search(text, first.mention.end, second.mention.start) is not None


def _apart(text: str, first: Governed, second: Governed) -> bool:
    start, end = first.mention.end, second.mention.start
    if end - start > _REACH or _SENTENCE.search(text, start, end):
        return False
    if not (_may_be_side(first) and _may_be_side(second) and (counts(first) or counts(second))):
        return False
    if compared(text, first, second):
        return True
    if _WITH.search(text, start, end) and comparing(text):
        return True
    return _AND.search(text, start, end) is not None and _alike(text, first, second)


def _alike(text: str, first: Governed, second: Governed) -> bool:
    """Whether the two are said in the same way: sleep in 2023 and mood in 2024; then and now."""
    if first.bound not in CLOSED or second.bound not in CLOSED:
        return False
    if NOW in {first.mention.unit, second.mention.unit}:
        return True
    same = first.mention.unit == second.mention.unit and first.bound == second.bound
    return same and (bool(first.bound) or _words_before(text, first) == _words_before(text, second))


def _words_before(text: str, one: Governed) -> list[str]:
    return text[max(0, one.start - _REACH) : one.start].split()[-2:]
