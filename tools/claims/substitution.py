"""Two claims that are one but for a phrase: what stands in its place, and whether both can hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.base.domain import ContradictionType
from tools.claims import units
from tools.claims.forms import ClaimForm, Token, exemplified
from tools.claims.kinds import antonyms, compatible, rivals
from tools.claims.meanings import PEOPLE, exclusive, opposite
from tools.claims.single_valued import single_valued, turkish_single_valued

_LONGEST = 3
"""Words of a phrase."""
_COMMON = 3
"""Words that English claims must share; Turkish ones say as much in one fewer."""
_VALUES: ContradictionType = "conflicting_values"
_ARTICLES = frozenset(("a", "an"))


@dataclass(frozen=True, slots=True)
class Substitution:
    """Phrases that stand in each other's place, as they are written."""

    one: str
    other: str
    type: ContradictionType


def substitution(a: ClaimForm, b: ClaimForm, *, timed: bool = False) -> Substitution | None:
    """The phrases in which alone two claims differ, if not both can hold.

    With ``timed`` they may also differ in when they hold and in their tense.
    """
    if a.turkish != b.turkish:
        return None
    one, other = _apart(a.tokens, b.tokens, timed=timed, common=_COMMON - a.turkish)
    if one and other and a.turkish:
        clash = turkish_single_valued(a, one) and turkish_single_valued(b, other)
        return Substitution(_written(one), _written(other), _VALUES) if clash else None
    if not (0 < len(one) <= _LONGEST and 0 < len(other) <= _LONGEST):
        return None
    half = "half" in _before(a, one)  # full and empty
    if half or exemplified(a, one[0]) or exemplified(b, other[0]):
        return None
    clash = _clash(a, one, other)
    if clash and _of_one_thing(a, one) and _of_one_thing(b, other):
        return Substitution(_written(one), _written(other), clash)
    both = compatible(_phrase(one), _phrase(other))
    if not both and single_valued(a, one) and single_valued(b, other):
        return Substitution(_written(one), _written(other), _VALUES)
    return None


def _clash(
    form: ClaimForm, one: Sequence[Token], other: Sequence[Token]
) -> ContradictionType | None:
    denied = any(token.negated for token in (*one, *other))
    ranks = _ordinal(one), _ordinal(other)
    if None not in ranks:
        return "conflicting_values" if ranks[0] != ranks[1] and not denied else None
    if _opposed(one, other):
        return "opposing_sentiment"
    # What came neither from Lisbon nor from Oslo came from elsewhere.
    clash = not denied and _rivals(one, other) and _specific(form, one)
    return "semantic_conflict" if clash else None


def _apart(
    a: Sequence[Token], b: Sequence[Token], *, timed: bool, common: int
) -> tuple[list[Token], list[Token]]:
    """What is left of both without what they begin and end with; articles do not count."""

    def told(tokens: Sequence[Token]) -> list[Token]:
        kept = [token for token in tokens if token.word not in _ARTICLES]
        return [token for token in kept if not token.timed and token.word != ","] if timed else kept

    def differ(left: Token, right: Token) -> bool:
        return left.stem != right.stem if timed else left.word != right.word

    one, other = told(a), told(b)
    shortest = min(len(one), len(other))
    head = next((n for n in range(shortest) if differ(one[n], other[n])), shortest)
    tail = next(
        (n for n in range(shortest - head) if differ(one[-1 - n], other[-1 - n])),
        shortest - head,
    )
    if head + tail < common:
        return [], []
    return one[head : len(one) - tail], other[head : len(other) - tail]


def _opposed(one: Sequence[Token], other: Sequence[Token]) -> bool:
    if len(one) == len(other) == 1:
        inside = one[0].in_subject or other[0].in_subject
        opposed = opposite(one[0].stem, other[0].stem) or antonyms(one[0].word, other[0].word)
        return opposed and not inside
    sides = _phrase(one), _phrase(other)
    return sides in _PHRASES or sides[::-1] in _PHRASES


def _rivals(one: Sequence[Token], other: Sequence[Token]) -> bool:
    if exclusive(_stems(one), _stems(other)):
        return True
    return rivals(_phrase(one), _phrase(other)) is not None


_NEAR = ("near", "close to", "next to", "beside")
_FAR = ("far from", "far away from", "away from")
_PHRASES = frozenset((
    *((near, far) for near in _NEAR for far in _FAR),
    ("behind", "in front of"),
    ("inside", "outside of"),
    ("inside of", "outside of"),
    ("on top of", "under"),
    ("on top of", "below"),
))  # fmt: skip
"""Prepositions of several words that exclude each other."""


def _specific(form: ClaimForm, phrase: Sequence[Token]) -> bool:
    """Whether the claim is about one occasion or one thing, of which one of a kind is true.

    Who likes, uses or contains one thing may do so with another.
    """
    words = [token.word for token in form.tokens]
    return (
        not form.subject
        or bool({"is", "are", "was", "were", "there"} & set(words))
        or bool(_before(form, phrase) & {"in", "at", "of", "from", "on"})
        or (_person(form) and not form.tokens[0].weight)
    )


def _person(form: ClaimForm) -> bool:
    """Whether the subject is a person, or some."""
    head = _head(form)
    return head is not None and head.stem in PEOPLE


def _head(form: ClaimForm) -> Token | None:
    inside = [token for token in form.tokens if token.in_subject and token.weight]
    return inside[-1] if inside else None


def _before(form: ClaimForm, phrase: Sequence[Token]) -> frozenset[str]:
    at = next(at for at, token in enumerate(form.tokens) if token is phrase[0])
    return frozenset(token.word for token in form.tokens[max(0, at - 2) : at])


def _of_one_thing(form: ClaimForm, phrase: Sequence[Token]) -> bool:
    """Whether the claim stays about the same thing when the phrase is another.

    Behind the verb it does. What describes the subject tells things apart, but for a person who is
    spoken of as one.
    """
    there = form.tokens[0].word == "there"
    if there or not any(token.in_subject for token in phrase):
        return True
    return _person(form) and not any(token is _head(form) for token in phrase)


def _ordinal(phrase: Sequence[Token]) -> float | None:
    if len(phrase) != 1:
        return None
    token = phrase[0]
    if token.text.endswith(("st", "nd", "rd", "th")) and token.text[:-2].isdigit():
        return float(token.text[:-2])
    return units.ORDINALS.get(token.word)


def _stems(phrase: Sequence[Token]) -> str:
    return " ".join(token.stem for token in phrase)


def _phrase(phrase: Sequence[Token]) -> str:
    return " ".join(token.word for token in phrase)


def _written(phrase: Sequence[Token]) -> str:
    return " ".join(token.text for token in phrase)
