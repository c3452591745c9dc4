"""Whether two claims are about different things of a kind: invoices 112 and 113. Pure."""

import re
from itertools import pairwise

from tools.claims import units
from tools.claims.forms import ClaimForm

_LONGEST_LABEL = 3
_DATED = re.compile(r"\d{1,2}:\d\d|(?:1[5-9]|20)\d\d")
_NUMBERED = frozenset(("numarali", "nolu", "no'lu", "sayili"))
"""Turkish words behind the number that a thing has."""


def labels_differ(a: ClaimForm, b: ClaimForm) -> bool:
    """Whether the subjects have different numbers, places in a row or short names (S and XL).

    A subject that has none may be any of them.
    """
    if _ordinals(a) != _ordinals(b):
        return True
    one, other = _labels(a), _labels(b)
    return not (one <= other or other <= one)


def _labels(form: ClaimForm) -> frozenset[str]:
    """The numbers behind a noun of the subject, and its words of a few capitals."""
    if form.turkish:
        together = pairwise(form.tokens)
        return frozenset(number.word for number, token in together if token.word in _NUMBERED)
    inside = [token for token in form.tokens if token.in_subject]
    numbers = (
        token.word
        for noun, token in pairwise(inside)
        if noun.weight and (token.text[:1].isdigit() or token.word in units.ONES)
    )
    # The 8:15 and the 9:15, the wine of 2019 and that of 2021.
    dated = (token.word for token in inside if _DATED.fullmatch(token.word))
    return frozenset(
        (*numbers, *dated, *(token.word for token in inside if _few_capitals(token.text)))
    )


def _few_capitals(word: str) -> bool:
    return word.isalpha() and word.isupper() and len(word) <= _LONGEST_LABEL and word not in "IA"


def _ordinals(form: ClaimForm) -> frozenset[float]:
    return frozenset(
        quantity.low
        for quantity in form.quantities
        if quantity.unit.startswith("ordinal") and form.tokens[quantity.place].in_subject
    )
