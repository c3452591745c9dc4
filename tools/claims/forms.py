"""What one claim says, as far as its words show it: polarity, subject, values, dates. Pure."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from tools.claims.meanings import meaning_key
from tools.claims.quantities import Quantity, quantities_in
from tools.claims.tokens import Piece, dates_in, pieces_of
from tools.claims.verbs import past_tense, verb_at
from tools.text import lexicon
from tools.text.language import is_spelled, is_turkish
from tools.text.markdown.sentences import sentences
from tools.text.stemming import fold_word, stem, turkish_negative
from tools.text.stopwords import word_set


@dataclass(frozen=True, slots=True)
class Token:
    """One word: its stem, whether a negation governs it, and how much it says (0 is nothing).

    ``timed`` words only say when the rest holds.
    """

    text: str
    word: str
    stem: str
    negated: bool = False
    weight: float = 0.0
    in_subject: bool = False
    timed: bool = False


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """What one claim says, as far as its words show it.

    ``subject`` holds the stems before the verb; it is empty where a pronoun stands for it.
    ``weak`` marks a negation that leaves exceptions (not always), ``past`` a state that the claim
    itself calls over, ``momentary`` one that it ties to a moment, ``former`` one
    that it says has gone, ``anaphoric`` a subject that only the surroundings name.
    """

    text: str
    tokens: tuple[Token, ...]
    subject: tuple[str, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    dates: frozenset[str] = frozenset()
    turkish: bool = False
    question: bool = False
    weak: bool = False
    universal: bool = False
    existential: bool = False
    hedged: bool = False
    conditional: bool = False
    restricted: bool = False
    anaphoric: bool = False
    past: bool = False
    past_tense: bool = False
    momentary: bool = False
    former: bool = False

    @property
    def speaks_of(self) -> str | None:
        """The one day, month or year (ISO 8601) that the claim names, None where it is not one."""
        days = [one for one in self.dates if one[0].isdigit() and "-" in one]
        years = [one for one in self.dates if one.isdigit()]
        months = [one for one in self.dates if one.startswith("-")]
        if len(days) == 1:
            return days[0] if _exists(days[0]) else None
        return years[0] + "".join(months) if len(years) == 1 and len(months) < 2 else None

    @property
    def compares(self) -> bool:
        """Whether the claim ranks one thing against another, or says on which side of it it is."""
        return any(token.word in _ONE_WAY for token in self.tokens)

    @property
    def denial(self) -> str:
        """The words that deny, up to the first word they deny that says something."""
        denying = (
            at for at, t in enumerate(self.tokens) if t.negated and t.word in lexicon.NEGATORS
        )
        start = next(denying, None)
        if start is None:
            return next(
                (t.text for t in self.tokens if t.word in lexicon.TURKISH_NEGATORS), ""
            ) or next((t.text for t in reversed(self.tokens) if t.negated and t.weight), "")
        stop = next((at for at in range(start, len(self.tokens)) if self.tokens[at].weight), start)
        if start and self.tokens[start - 1].word in lexicon.AUXILIARIES:
            start -= 1
        words = [token.text for token in self.tokens[start : stop + 1]]
        return " ".join(word for at, word in enumerate(words) if word not in words[at - 1 : at])

    @property
    def negated(self) -> bool:
        """Whether any word stands under an odd number of negations."""
        return any(token.negated for token in self.tokens)


def _exists(day: str) -> bool:
    try:
        date.fromisoformat(f"{day}-01"[:10])
    except ValueError:
        return False
    return True


def exemplified(form: ClaimForm, token: Token) -> bool:
    """Whether the claim gives this as an example, beside which there are others."""
    before = itertools.takewhile(lambda one: one is not token, form.tokens)
    words = [one.word for one in before]
    return "including" in words or ("such", "as") in itertools.pairwise(words)


_ONE_WAY = word_set("than north south east west above below under behind inside before after")
_ADVERB_WEIGHT = 0.3


def _phrase(words: Sequence[str], at: int, phrases: lexicon.Phrases) -> int:
    """How many words the phrase that begins there has; 0 where none does."""
    known = phrases.get(words[at])
    if known is None:
        return 0
    lengths = (1, 2, 3)
    return next((n for n in lengths if "+".join(words[at : at + n]) in known), 0)


def _negation(words: Sequence[str], *, turkish: bool) -> tuple[list[bool], bool]:
    """For each word whether negations over it are odd, and whether one leaves exceptions."""
    negated = [False] * len(words)
    weak = False
    if turkish:
        count = sum(turkish_negative(word) for word in words)
        count += sum(word in lexicon.TURKISH_NEGATORS for word in words)
        return [count % 2 == 1] * len(words), False
    for at, word in enumerate(words):
        phrase = _phrase(words, at, lexicon.NEGATOR_PHRASES)
        if not phrase and word not in lexicon.NEGATORS:
            continue
        before = words[at - 1] if at else ""
        if _phrase(words, at, lexicon.NO_NEGATION) or (before in {"or", "if"} and word == "not"):
            continue
        if before == "no" and word in {"one", "longer"}:
            continue
        following = words[at + 1 : at + 2]
        if following and following[0] in lexicon.WEAK:
            weak = True
            continue
        limit = 4 if word == "without" else len(words)
        for to in range(at, min(len(words), at + limit)):
            # "It isn't, Maria" denies nothing of Maria.
            comma = words[to] == "," and (to - at > 1 or to + 2 == len(words))
            stop = words[to] in lexicon.BREAKS or comma
            if to > at and (stop or _new_predicate(words, to)):
                break
            negated[to] = not negated[to]
    return negated, weak


def _new_predicate(words: Sequence[str], at: int) -> bool:
    following = words[at + 1 : at + 5]
    return words[at] in {"and", "or"} and any(
        word in lexicon.AUXILIARIES or word == "not" for word in following
    )


def _verb_by_shape(words: Sequence[str], weights: Sequence[float]) -> int | None:
    """Where an unlisted verb may stand: after a noun, and one of the two ends in -s."""
    for at in range(1, len(words)):
        if weights[at - 1] == 1 and weights[at] == 1:
            plural = [
                word.endswith("s") and not word.endswith("ss") for word in words[at - 1 : at + 1]
            ]
            if plural[0] != plural[1]:
                return at
    return None


def _subject(words: Sequence[str], weights: Sequence[float]) -> range:
    """The span before the verb without leading adjuncts and what a preposition adds."""
    if words[:1] == ["there"]:
        first = next((at for at, weight in enumerate(weights) if weight), len(words))
        end = first
        while end < len(words) and (weights[end] or words[end] in {"and", ","}):
            if end > first and words[end].endswith("ing"):
                break
            end += 1
        return range(first, end)
    verb = verb_at(words)
    if verb is None:
        verb = _verb_by_shape(words, weights)
    if verb is None:
        return range(0)
    start = max((at + 1 for at in range(verb) if words[at] == ","), default=0)
    seen = False
    for at in range(start, verb):
        if seen and words[at] in lexicon.PREPOSITIONS:
            return range(start, at)
        seen = seen or weights[at] > 0
    return range(start, verb)


def _points_elsewhere(words: Sequence[str], subject: range, weights: Sequence[float]) -> bool:
    """Whether the subject is a pronoun, so that only its surroundings say who is meant."""
    span = [words[at] for at in subject] or list(words[:1])
    return not any(weights[at] for at in subject) and bool(lexicon.PRONOUNS & set(span))


@dataclass(frozen=True, slots=True)
class _Timing:
    """The places of the words that only say when, and what state they speak of."""

    places: frozenset[int]
    momentary: bool
    former: bool


def _timing(words: Sequence[str], dates: Mapping[int, str]) -> _Timing:
    places = set(dates)
    momentary = former = False
    for at, word in enumerate(words):
        if at in dates and at and words[at - 1] in lexicon.BEFORE_YEARS:
            places.add(at - 1)
            # Elsewhere "since" may give a reason, and "until" a time of day.
            momentary = momentary or words[at - 1] == "since"
            former = former or words[at - 1] == "until"
        held = _phrase(words, at, lexicon.MOMENTARY)
        over = _phrase(words, at, lexicon.FORMER)
        if word == "used" and words[at - 1 : at] in _SERVING:
            over = 0
        places |= set(range(at, at + max(held, over)))
        momentary, former = momentary or held > 0, former or over > 0
    return _Timing(frozenset(places), momentary, former)


_SERVING = tuple([word] for word in ("is", "are", "was", "were", "be", "been", "get", "got"))


def _stand_in(words: Sequence[str]) -> tuple[str, ...]:
    """The subject where no noun names it: the speaker, or people at large."""
    speaker = next((word for word in words if word in {"i", "we", "you"}), None)
    if speaker:
        return (speaker,)
    people = {"nobody", "noone", "one", "someone", "somebody", "everyone", "everybody", "anyone"}
    return ("person",) if people & set(words) else ()


def _stem(surface: str, word: str, *, spelled: bool) -> str:
    """The key of a Turkish word; what a contraction was taken apart to is as it was folded."""
    whole = fold_word(surface) == word
    return meaning_key(surface if whole else word, turkish=True, spelled=spelled and whole)


@lru_cache(maxsize=8192)
def analyse(text: str, *, turkish: bool | None = None) -> ClaimForm:
    """The form of one sentence without its markup; the language is guessed unless given."""
    plain = " ".join(sentence.text for sentence in sentences(text)) or text
    pieces = pieces_of(plain)
    words = [word for _, _, word in pieces]
    turkish = is_turkish(plain) if turkish is None else turkish
    spelled = is_spelled(plain)
    negated, weak = _negation(words, turkish=turkish)
    dates = dates_in(pieces)
    quantities, used = quantities_in(pieces, dates, turkish=turkish)
    weights = _weights(pieces, used | dates.keys(), turkish=turkish)
    timing = _timing(words, dates)
    # May, the month, is no verb and no hedge.
    undated = ["" if at in dates else word for at, word in enumerate(words)]
    subject = _subject(undated, weights) if not turkish else range(0)
    tokens = tuple(
        Token(
            text=surface,
            word=word,
            stem=_stem(surface, word, spelled=spelled) if turkish else stem(word),
            negated=negated[at],
            weight=weights[at],
            in_subject=at in subject,
            timed=at in timing.places,
        )
        for at, (_, surface, word) in enumerate(pieces)
    )
    present = frozenset(undated)
    # "Once a week" tells how often, not that it is over.
    uncounted = {word for at, word in enumerate(undated) if at not in used}
    return ClaimForm(
        text=plain,
        tokens=tokens,
        subject=tuple(tokens[at].stem for at in subject if weights[at])
        or _stand_in([words[at] for at in subject] or words[:1]),
        quantities=quantities,
        dates=frozenset(dates.values()),
        turkish=turkish,
        question=plain.rstrip("\"'”’)").endswith("?"),
        weak=weak,
        universal=bool(present & lexicon.UNIVERSAL),
        existential=bool(present & lexicon.EXISTENTIAL) or _some_of(words, used),
        hedged=bool(present & lexicon.HEDGES),
        conditional=bool(present & lexicon.CONDITIONS) or words[:1] == ["without"],
        restricted=bool(present & {"only", "solely", "too"}),
        anaphoric=not turkish and _points_elsewhere(words, subject, weights),
        past=not lexicon.PAST.isdisjoint(uncounted) or "used to" in " ".join(words),
        past_tense=past_tense(undated),
        momentary=timing.momentary,
        former=timing.former,
    )


def _some_of(words: Sequence[str], numbers: set[int]) -> bool:
    """Whether a claim is about some of a group: ``two of the guests``."""
    return any(at in numbers and following == "of" for at, following in enumerate(words[1:]))


def _weights(
    pieces: Sequence[Piece], used: frozenset[int] | set[int], *, turkish: bool
) -> list[float]:
    """How much each word says: 0 for function words and for what a comparison only adds."""
    weights: list[float] = []
    words = [word for _, _, word in pieces]
    compared = False
    for at, (kind, _, word) in enumerate(pieces):
        compared = (compared or _phrase(words, at, lexicon.COMPARISONS) > 0) and kind != "mark"
        before = pieces[at - 1] if at and weights[at - 1] == 1 else ("", "", "")
        label = len(word) == 1 and pieces[at][1].isupper() and kind == "word"
        if (label and before[0] == "word") or (kind == "number" and before[2] in lexicon.LABELS):
            weights.append(1.0)
        elif (
            kind != "word"
            or at in used
            or compared
            or word in lexicon.FUNCTION
            or word in lexicon.NEGATORS
            or _phrase(words, at, lexicon.NEGATOR_PHRASES)
            or words[at - 1 : at + 1] == ["no", "longer"]
            or (len(word) == 1 and not turkish)
        ):
            weights.append(0.0)
        elif word.endswith("ly") and len(word) > 4 and not turkish:
            weights.append(_ADVERB_WEIGHT)
        else:
            weights.append(1.0)
    return weights
