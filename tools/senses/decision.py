"""Which senses a name has among the notes that carry it, and whether the question leaves it open.

Two learned weighings (``weights.json``, ``python -m evals.fitting.senses``): that two notes are
about one thing, and that a question about a name of several senses can only be understood by its
asker.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path

from tools.senses.mentions import Mention, name_words
from tools.senses.notes import NamedNote
from tools.senses.pairs import PAIR_FEATURES, pair_features

WEIGHTS = Path(__file__).with_name("weights.json")
ASK_FEATURES = (
    "apart",
    "nothing_else",
    "known_words",
    "unknown_words",
    "explores",
    "words_best",
    "words_margin",
    "one_exact",
    "all_exact",
    "proper",
    "senses",
    "words_around",
    "meaning_best",
    "meaning_margin",
)
"""The features of a question whose name has several senses; the last two are of meaning."""
PAIR_BY_WORDS, ASK_BY_WORDS = PAIR_FEATURES[:-1], ASK_FEATURES[:-2]
_ASKS = 0.5
_ONE_THING = 0.5

type Weights = Mapping[str, Mapping[str, float]]
"""Of ``same`` (two notes) and ``ask``, with meaning and by words, a weight a feature and a bias."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well a note fits the question: what it says of its other words, and by meaning; 0 to 1.

    ``meaning`` is None where it is not known.
    """

    words: float = 0.0
    meaning: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name that a question mentions, the notes that carry it, and how each fits the question.

    ``rest`` are the words of the question that say something beside the name, of which so many are
    ``unknown`` to all notes; ``explores`` is how likely it asks for what there is.
    """

    mention: Mention
    notes: tuple[NamedNote, ...]
    rest: tuple[str, ...]
    fits: Mapping[str, Fit]
    unknown: int = 0
    explores: float = 0.0


type Sense = tuple[NamedNote, ...]
"""The notes of one sense, the main one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Senses:
    """The senses of a name, the likeliest first.

    ``open`` is how likely the question does not decide which of them is meant.
    """

    mention: Mention
    senses: tuple[Sense, ...]
    open: float

    def is_open(self) -> bool:
        """Whether it has to be asked which of them is meant."""
        return self.open > _ASKS


class Disambiguator:
    """Tells the senses of a name apart, and whether a question decides between them."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def senses(self, named: Named) -> Senses | None:
        """The senses of a name, the likeliest first; None where it has but one."""
        senses = sorted(self.apart(named), key=lambda sense: -_likely(sense, named))
        if len(senses) < 2:
            return None
        return Senses(mention=named.mention, senses=tuple(senses), open=self._open(named, senses))

    def apart(self, named: Named) -> list[Sense]:
        """The notes of each sense: of those alike on average, the likest joined first.

        What has a date in its name tells of something that happened: it is of the sense it is
        likest.
        """
        alike = self._alike(named)

        def linkage(one: Sense, other: Sense) -> float:
            return math.fsum(alike[a.path, b.path] for a in one for b in other) / (
                len(one) * len(other)
            )

        undated = [note for note in named.notes if not note.dated] or named.notes
        senses: list[Sense] = [(note,) for note in undated]
        while len(senses) > 1:
            one, other = max(combinations(senses, 2), key=lambda pair: linkage(*pair))
            if linkage(one, other) < _ONE_THING:
                break
            senses = [*(x for x in senses if x is not one and x is not other), (*one, *other)]
        for note in named.notes:
            if note not in undated:
                at = max(range(len(senses)), key=lambda at: linkage((note,), senses[at]))
                senses[at] = (*senses[at], note)
        return [
            tuple(sorted(sense, key=lambda note: _main(note, named.mention))) for sense in senses
        ]

    def _alike(self, named: Named) -> dict[tuple[str, str], float]:
        """How likely each two of the notes are about one thing."""
        found: dict[tuple[str, str], float] = {}
        for one, other in combinations(named.notes, 2):
            features = pair_features(one, other, named.mention)
            same = (
                self._probability("same_by_words", PAIR_BY_WORDS, features[: len(PAIR_BY_WORDS)])
                if one.vector is None or other.vector is None
                else self._probability("same", PAIR_FEATURES, features)
            )
            found[one.path, other.path] = found[other.path, one.path] = same
        return found

    def features(self, named: Named, senses: Sequence[Sense]) -> tuple[float, ...]:
        """The ``ASK_FEATURES`` of a name with several senses."""
        alike = self._alike(named)
        words = _fits(named, senses, lambda fit: fit.words)
        meanings = _fits(named, senses, lambda fit: fit.meaning or 0.0)
        notes = [note for sense in senses for note in sense]
        whole = [named.mention.words in map(name_words, note.names) for note in notes]
        return (
            1.0
            - max(alike[a.path, b.path] for x, y in combinations(senses, 2) for a in x for b in y),
            float(not named.rest),
            math.log1p(len(named.rest) - named.unknown),
            math.log1p(named.unknown),
            named.explores,
            words[0],
            words[0] - words[1],
            float(any(whole)),
            float(all(whole)),
            sum(note.proper(named.mention) for note in notes) / len(notes),
            math.log(len(senses)),
            sum(_words_around(sense[0], named.mention) for sense in senses) / len(senses),
            meanings[0],
            meanings[0] - meanings[1],
        )

    def _open(self, named: Named, senses: Sequence[Sense]) -> float:
        features = self.features(named, senses)
        if has_meaning(named):
            return self._probability("ask", ASK_FEATURES, features)
        return self._probability("ask_by_words", ASK_BY_WORDS, features[: len(ASK_BY_WORDS)])

    def _probability(self, part: str, names: Sequence[str], features: Sequence[float]) -> float:
        weights = self._weights[part]
        logit = weights["bias"] + math.sumprod([weights[name] for name in names], features)
        return 1.0 / (1.0 + math.exp(-logit))


@cache
def disambiguator() -> Disambiguator:
    """The one with the learned weights."""
    return Disambiguator(json.loads(WEIGHTS.read_text("utf-8")))


def senses_in(found: Iterable[Named], decide: Disambiguator) -> list[Senses]:
    """Of the names that have several senses, these."""
    return [senses for named in found if (senses := decide.senses(named)) is not None]


def most_open(every: Iterable[Senses]) -> Senses | None:
    """What a question leaves open most; None where it leaves nothing open."""
    return max(filter(Senses.is_open, every), key=lambda one: one.open, default=None)


def has_meaning(named: Named) -> bool:
    """Whether it is known how well every note fits the question by meaning."""
    return all(fit.meaning is not None for fit in named.fits.values())


def without_meaning(named: Named) -> Named:
    """The same as where the semantic server does not answer."""
    fits = {path: replace(fit, meaning=None) for path, fit in named.fits.items()}
    notes = tuple(replace(note, vector=None) for note in named.notes)
    return replace(named, notes=notes, fits=fits)


def _fits(named: Named, senses: Sequence[Sense], of: Callable[[Fit], float]) -> list[float]:
    """How well the best note of each sense fits, the best first."""
    return sorted(
        (max(of(named.fits[note.path]) for note in sense) for sense in senses), reverse=True
    )


def _words_around(note: NamedNote, mention: Mention) -> float:
    """How many words the note's name has beside the mention: a sentence names no one thing."""
    return math.log1p(len(name_words(note.name_for(mention))) - len(mention.words))


def _likely(sense: Sense, named: Named) -> float:
    fits = (named.fits[note.path] for note in sense)
    return max(fit.words + (fit.meaning or 0.0) for fit in fits)


def _main(note: NamedNote, mention: Mention) -> tuple[bool, int, str]:
    """What the note that a sense is shown by has least of: a date, words beside the name."""
    return note.dated, len(note.name_for(mention)), note.path
