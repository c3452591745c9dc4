"""Why a link would be of its type, in one sentence that quotes both notes. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import sqrt

from tools.text.idf import idf
from tools.text.markdown.sentences import sentences
from tools.text.tokens import stems_in

LONGEST_QUOTE = 12
"""Words of a quote; of a longer sentence a clause is quoted, or as much around what is shared."""
_REASONS: Mapping[str, str] = {
    "supports": "“{a}” speaks for what the other says: “{b}”.",
    "contradicts": "“{a}” does not go together with what the other says: “{b}”.",
    "elaborates": "“{a}” goes into detail where the other says: “{b}”.",
    "analogous_to": "“{a}” is much like what the other says of something else: “{b}”.",
    "generalizes": "“{a}” says in general what the other has a case of: “{b}”.",
    "specializes": "“{a}” is a case of what the other says: “{b}”.",
    "influences": "“{a}” had a part in what the other tells: “{b}”.",
}
_READ = 20
"""Sentences of each text that are looked at."""
_FEW = 6
"""Words of a sentence that hardly says anything, as "see also" does with a name."""
_UNQUOTABLE = re.compile(r"\[\[|\]\]|\]\(|\]\[|::|<[A-Za-z/!?]|%%|`|(?:^|\s)[#^]\w")
"""What means something where the sentence is written as the context of a link."""
_CLAUSE = re.compile(r"(?<=[,;:–—])\s+")
_MARKS = " ,;:–—"


def reason(relation: str, a: str, b: str) -> str | None:
    """A sentence that says why ``a`` is what ``relation`` says to ``b``, with a quote of each.

    The quotes are those that have most in common. None where a text has no sentence to quote.
    """
    quoted_a, quoted_b = [*_quotable(a)], [*_quotable(b)]
    if not (quoted_a and quoted_b):
        return None
    words = {text: frozenset(stems_in(text)) for text in (*quoted_a, *quoted_b)}
    rarity = idf(frozenset[str]().union(*words.values()), [*words.values()])

    def in_common(pair: tuple[str, str]) -> float:
        one, other = words[pair[0]], words[pair[1]]
        shared = sum(rarity[word] for word in sorted(one & other))
        told = min(len(one), _FEW) + min(len(other), _FEW)
        return shared / sqrt(max(_FEW, len(one)) * max(_FEW, len(other))) + told / (2 * _FEW)

    one, other = max(product(quoted_a, quoted_b), key=in_common)
    shared = words[one] & words[other]
    return _REASONS[relation].format(a=_shortened(one, shared), b=_shortened(other, shared))


def _quotable(text: str) -> Iterator[str]:
    """The sentences of a text without its markup; headings where there is nothing else."""
    read = sentences(text)[:_READ]
    prose = [one for one in read if one.kind != "heading"] or read
    for one in prose:
        said = " ".join(one.text.split()).rstrip(" .")
        if said and not _UNQUOTABLE.search(said):
            yield said


def _shortened(sentence: str, shared: frozenset[str]) -> str:
    """A sentence, or what of it is around the most of the ``shared`` stems, in whole clauses."""
    if len(sentence.split()) <= LONGEST_QUOTE:
        return sentence.rstrip(_MARKS)
    clauses = _CLAUSE.split(sentence)
    best = max(
        range(len(clauses)),
        key=lambda at: (len(shared.intersection(stems_in(clauses[at]))), -at),
    )
    end = best + 1
    while end < len(clauses) and len(" ".join(clauses[best : end + 1]).split()) <= LONGEST_QUOTE:
        end += 1
    words = " ".join(clauses[best:end]).split()
    first = _densest(words, shared)
    said = " ".join(words[first : first + LONGEST_QUOTE]).rstrip(_MARKS)
    before = "…" if best or first else ""
    after = "" if end == len(clauses) and first + LONGEST_QUOTE >= len(words) else "…"
    return f"{before}{said}{after}"


def _densest(words: Sequence[str], shared: frozenset[str]) -> int:
    """Where the most ``shared`` stems stand among as many words as a quote has; the first place."""
    starts = range(max(1, len(words) - LONGEST_QUOTE + 1))
    told = [len(shared.intersection(stems_in(word))) for word in words]
    return max(starts, key=lambda at: (sum(told[at : at + LONGEST_QUOTE]), -at))
