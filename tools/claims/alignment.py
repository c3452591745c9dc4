"""Two claims side by side: what they share and where they part. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from string import ascii_letters
from typing import Literal

from tools.claims.forms import ClaimForm, Token
from tools.claims.labels import labels_differ
from tools.claims.meanings import (
    EFFECT_VERBS,
    EFFECTS,
    PEOPLE,
    PERSON,
    exclusive,
    meaning_key,
    opposite,
    synonymous,
)
from tools.claims.quantities import Quantity, conflicting
from tools.text import lexicon
from tools.text.language import is_spelled, is_turkish
from tools.text.normalize import fold, word_finder
from tools.text.stemming import stem

_PLAIN_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)*(?:n't)?")
_runs = word_finder(f"{ascii_letters}-'", beyond_ascii=_PLAIN_WORD)


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words that say something: a cheap view of a claim, to find pairs by."""
    if not is_turkish(text):
        return frozenset(chain.from_iterable(map(_english_keys, _runs(fold(text)))))
    spelled = is_spelled(text)
    keys = {_turkish_key(word, spelled=spelled) for word in _PLAIN_WORD.findall(text)}
    return frozenset(keys - {""})


@lru_cache(maxsize=32768)
def _english_keys(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in _PLAIN_WORD.findall(text) if not _silent(word))


@lru_cache(maxsize=32768)
def _turkish_key(word: str, *, spelled: bool) -> str:
    return "" if _silent(fold(word)) else meaning_key(word, turkish=True, spelled=spelled)


def _silent(word: str) -> bool:
    return word in lexicon.FUNCTION or word in lexicon.NEGATORS


type SubjectMatch = Literal["same", "partly", "different", "unknown"]


@dataclass(frozen=True, slots=True)
class Alignment:
    """What two claims share and where they part.

    ``shared`` and the extras are sums of word weights. ``flipped`` are shared words, and
    ``opposites`` pairs of words, that make the claims differ; ``agreeing`` counts opposite pairs
    that a negation on one side takes back. ``extra_negated`` is what only the negated side says.
    """

    shared: float
    extra_a: float
    extra_b: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    flipped: tuple[tuple[Token, Token], ...]
    opposites: tuple[tuple[Token, Token], ...]
    exclusives: tuple[tuple[Token, Token], ...]
    agreeing: int
    shared_tokens: tuple[tuple[Token, Token], ...]
    values: tuple[tuple[Quantity, Quantity], ...]
    subject: SubjectMatch
    swapped: bool
    dates_differ: bool
    extra_negated: float

    @property
    def topic(self) -> float:
        """How much of both claims is about one thing, in [0, 1]; what differs does not count."""
        core = self.shared + 0.5 * (len(self.opposites) + len(self.exclusives) + len(self.values))
        total = core + 0.5 * (self.extra_a + self.extra_b)
        return core / total if total else 0.0


def align(a: ClaimForm, b: ClaimForm) -> Alignment:
    """Match the words of two claims and say what is left over on either side."""
    turkish = a.turkish and b.turkish
    pairs = _matches(a.tokens, b.tokens, turkish=turkish)
    rest_a = _without(range(len(a.tokens)), (one for one, _ in pairs))
    rest_b = _without(range(len(b.tokens)), (other for _, other in pairs))
    differing = [
        (one, other)
        for one in rest_a
        for other in rest_b
        if opposite(a.tokens[one].stem, b.tokens[other].stem, turkish=turkish)
    ]
    rivals = [
        (one, other)
        for one in rest_a
        for other in rest_b
        if exclusive(a.tokens[one].stem, b.tokens[other].stem)
        and _same_place(a.tokens, one, b.tokens, other)
    ]
    paired = [*differing, *rivals]
    opposites = _once(differing)
    agreeing = [
        (one, other) for one, other in opposites if a.tokens[one].negated != b.tokens[other].negated
    ]
    left_a = _without(rest_a, (one for one, _ in paired))
    left_b = _without(rest_b, (other for _, other in paired))
    shared = [(a.tokens[one], b.tokens[other]) for one, other in pairs]
    subject, swapped = _subjects(a, b, shared)
    return Alignment(
        shared=sum(max(one.weight, other.weight) for one, other in shared),
        extra_a=sum(a.tokens[at].weight for at in left_a),
        extra_b=sum(b.tokens[at].weight for at in left_b),
        only_a=tuple(a.tokens[at].text for at in left_a if a.tokens[at].weight),
        only_b=tuple(b.tokens[at].text for at in left_b if b.tokens[at].weight),
        flipped=tuple(
            (one, other)
            for one, other in shared
            if one.weight
            and one.negated != other.negated
            and not (one.in_subject and other.in_subject)
        ),
        opposites=tuple(
            (a.tokens[one], b.tokens[other])
            for one, other in opposites
            if (one, other) not in agreeing
        ),
        exclusives=tuple((a.tokens[one], b.tokens[other]) for one, other in _once(rivals)),
        agreeing=len(agreeing),
        shared_tokens=tuple(shared),
        values=_values(a, b),
        subject=subject,
        swapped=swapped,
        dates_differ=_dates_differ(a.dates, b.dates),
        extra_negated=sum(
            form.tokens[at].weight
            for form, left in ((a, left_a), (b, left_b))
            for at in left
            if form.negated
        )
        if a.negated != b.negated
        else min(
            sum(a.tokens[at].weight for at in left_a), sum(b.tokens[at].weight for at in left_b)
        ),
    )


def _without(places: Iterable[int], taken: Iterable[int]) -> list[int]:
    gone = set(taken)
    return [at for at in places if at not in gone]


def _dates_differ(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether both give years, months, days or seasons, and none of a kind in common."""

    def kind(date: str) -> str:
        return re.sub(r"\d", "0", date)

    return any(
        {date for date in a if kind(date) == shape}.isdisjoint(b)
        for shape in {kind(date) for date in a} & {kind(date) for date in b}
    ) or bool(a & lexicon.SEASONS and b & lexicon.SEASONS and not a & b & lexicon.SEASONS)


def _matches(a: Sequence[Token], b: Sequence[Token], *, turkish: bool) -> list[tuple[int, int]]:
    """Pairs of places with one meaning, exact stems first; each place at most once."""
    places: dict[str, list[int]] = {}
    for at, token in enumerate(b):
        places.setdefault(token.stem, []).append(at)
    pairs = [
        (at, places[token.stem].pop(0)) for at, token in enumerate(a) if places.get(token.stem)
    ]
    taken_a, taken_b = {one for one, _ in pairs}, {other for _, other in pairs}
    for one, left in enumerate(a):
        if not left.weight or one in taken_a:
            continue
        for other, right in enumerate(b):
            if right.weight and other not in taken_b and _alike(left, right, turkish=turkish):
                pairs.append((one, other))
                taken_b.add(other)
                break
    return pairs


def _alike(one: Token, other: Token, *, turkish: bool) -> bool:
    if synonymous(one.stem, other.stem, turkish=turkish):
        return True
    if {one.stem, other.stem} & PERSON and {one.stem, other.stem} & PEOPLE:
        return True
    if one.negated != other.negated:
        noun, verb = (one, other) if one.negated else (other, one)
        if noun.stem in EFFECTS and verb.stem in EFFECT_VERBS:
            return True
    related = one.stem[:6] == other.stem[:6] and len(one.stem[:6]) == 6
    near = related and abs(len(one.stem) - len(other.stem)) < 4
    return near and not opposite(one.stem, other.stem, turkish=turkish)


def _same_place(a: Sequence[Token], one: int, b: Sequence[Token], other: int) -> bool:
    """Whether the next word that counts, or the one before, is the same on both sides."""

    def near(tokens: Sequence[Token], at: int, step: int) -> str:
        at += step
        while 0 <= at < len(tokens) and not tokens[at].weight:
            at += step
        return tokens[at].stem if 0 <= at < len(tokens) else ""

    after = near(a, one, 1), near(b, other, 1)
    if after[0] or after[1]:
        return synonymous(*after)
    return synonymous(near(a, one, -1), near(b, other, -1))


def _once(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for one, other in pairs:
        if all(one != left and other != right for left, right in kept):
            kept.append((one, other))
    return kept


def _values(a: ClaimForm, b: ClaimForm) -> tuple[tuple[Quantity, Quantity], ...]:
    """The pairs of quantities that conflict, as far as it is clear which belong together."""
    left = list(a.quantities)
    right = list(b.quantities)
    for one in a.quantities:
        agreeing = next((q for q in right if q.unit == one.unit and not conflicting(one, q)), None)
        if agreeing:
            left.remove(one)
            right.remove(agreeing)
    conflicts: list[tuple[Quantity, Quantity]] = []
    for one in tuple(left):
        clashing = [q for q in right if conflicting(one, q)]
        if len(clashing) == 1 and sum(q.unit == one.unit for q in left) == 1:
            conflicts.append((one, clashing[0]))
            left.remove(one)
            right.remove(clashing[0])
    return tuple(conflicts)


def _subjects(
    a: ClaimForm, b: ClaimForm, shared: Sequence[tuple[Token, Token]]
) -> tuple[SubjectMatch, bool]:
    """Whether both claims are about one subject, and whether subject and object changed places."""
    if a.turkish and b.turkish:
        first = [next((t for t in form.tokens if t.weight), None) for form in (a, b)]
        together = any(one is first[0] and other is first[1] for one, other in shared)
        same = together and not labels_differ(a, b)
        return ("same" if same else "different"), False
    apart = labels_differ(a, b)
    if not a.subject or not b.subject:
        return ("different" if apart else "unknown"), False
    speaker = {a.subject[-1], b.subject[-1]} & {"i", "we", "you"}
    if a.subject == b.subject or apart or speaker:
        return ("same" if a.subject == b.subject and not apart else "different"), False
    return _named_subjects(a, b, [pair for pair in shared if pair[0].weight and pair[1].weight])


def _named_subjects(
    a: ClaimForm, b: ClaimForm, shared: Sequence[tuple[Token, Token]]
) -> tuple[SubjectMatch, bool]:
    matched_a = {one.stem for one, other in shared if one.in_subject and other.in_subject}
    matched_b = {other.stem for one, other in shared if one.in_subject and other.in_subject}
    crossed_a = any(one.in_subject and not other.in_subject for one, other in shared)
    crossed_b = any(other.in_subject and not one.in_subject for one, other in shared)
    heads = a.subject[-1] in matched_a, b.subject[-1] in matched_b
    if all(heads):
        left_a, left_b = set(a.subject) - matched_a, set(b.subject) - matched_b
        if left_a and left_b:
            return "different", False
        return ("partly" if left_a or left_b else "same"), False
    swapped = crossed_a and crossed_b and not any(heads)
    people = a.subject == ("person",) or b.subject == ("person",)
    related = people or any(heads) or crossed_a or crossed_b
    return ("partly" if related else "different"), swapped
