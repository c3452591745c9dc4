"""Which property of a note a question asks for: "What is the status of Apollo?". Pure."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache

from tools.claims.stems import PAST_FORMS, is_turkish
from tools.folding import fold
from tools.line_dates import tells_time
from tools.properties import Property, opening, properties
from tools.utterances import stem
from tools.when import asks_when
from tools.words import GRAMMAR, STOP, TURKISH_GRAMMAR, TURKISH_STOP, word_set

_MOST = 2
"""Properties that answer one question; each is quoted."""
_OPENING_LINES = 3
"""Lines at its beginning in which a note says what it is about."""
_LONGEST_ENDING = 6
"""Letters that Turkish adds to a word: ``durum``, ``durumundan``."""
_SHORTEST = 3
_KEPT_PAIRS = 20_000
"""Pairs of words whose likeness is remembered: a vault's notes share most of their keys."""
_NAMES = """
born birth birthday birthdate dob dogum dogdu dogmus
died dies death deceased olum vefat
age old yas yasinda
author writer writes wrote written yazar yazdi yazan yazmis
director directs directed yonetmen yonetti
owner owns own owned sahip sahibi
lead leader leads led lider yonetici yonetiyor
responsible assignee assigned owner lead sorumlu
price cost fiyat ucret maliyet
where location located place live lives living lived address
where nerede nerde neresi konum yer adres yasiyor oturuyor location place address
role job occupation profession position meslek gorev unvan
deadline due teslim
weight weigh weighs weighed agirlik kilo
height tall
length long uzunluk
status state durum
phone telephone mobile telefon
email mail eposta posta
published publication released release year yayin yayinlandi yayimlandi cikti yil
start starts started begin begins began baslangic basladi baslar
end ends ended finish finishes finished bitis bitti biter
rating rated score puan
budget butce
priority oncelik
client customer musteri
publisher yayinevi
language dil
color colour renk
"""
_SAME = tuple(map(word_set, _NAMES.strip().splitlines()))
"""Words that ask for, or name, the same property; a verb asks for what a noun names."""
_PLAIN = word_set(
    "e of in by date day time number no name tarih tarihi gun gunu numara numarasi ad adi"
)
"""What a key may leave out or add: "born" and "date of birth"."""
_NOW = word_set(
    "current currently now today present exact exactly official full su guncel simdi an"
)
_REASONS = word_set("why neden nicin niye nasil")
_AMOUNTS = word_set("much many old tall long heavy big high far")
_ARTICLES = word_set("the a an this that my your his her its our their")
_HELPERS = word_set("do does did")
_WHERE = word_set("where nerede nerde neresi")
_WHO = word_set("who whom whose kim kimdir kimin kime")
_HOW_MANY = word_set("kac kadar")
_SMALL = STOP | TURKISH_STOP
_CLOSING = (
    GRAMMAR | TURKISH_GRAMMAR | _NOW | word_set("ne nedir kim kimdir hangisi zaman kac mu mi")
)
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"['’]\w+")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class PropertyQuestion:
    """A question as far as it may ask for a property: its folded words, in order."""

    text: str
    words: tuple[str, ...]
    turkish: bool
    initials: frozenset[str]
    """With which letters the words of a key begin that the question may ask for."""

    def answers(
        self, lines: Sequence[str], names: Collection[str], *, others: bool = False
    ) -> tuple[Property, ...]:
        """The properties of the note called by ``names`` that are asked for, the closest first.

        All that is asked is the key and the note, be it by name or, where no ``others`` are named,
        by what its first lines say it is about.
        """
        if not self._may_ask():
            return ()
        called = _words(" ".join(names))
        found = [
            (self._spelled(one), one)
            for one in properties(lines)
            if self._asks_for(one, called, lines, others=others)
        ]
        found.sort(key=lambda one: -one[0])
        return tuple(one for _, one in found[:_MOST])

    def _may_ask(self) -> bool:
        """Reasons and manners are no properties; amounts are: "how old"."""
        manner = any(
            word == "how" and following not in _AMOUNTS
            for word, following in zip(self.words, (*self.words[1:], ""), strict=True)
        )
        return not manner and _REASONS.isdisjoint(self.words)

    def _asks_for(
        self, one: Property, called: Sequence[str], lines: Sequence[str], *, others: bool
    ) -> bool:
        at = self._places(one)
        if not at or not self._heads(at, called) or not self._fits(one):
            return False
        known = (*called, *one.words, *_words(one.value))
        rest = [
            word
            for place, word in enumerate(self.words)
            if place not in at and word not in _SMALL | _PLAIN | _NOW | _AMOUNTS and len(word) > 1
        ]
        rest = [word for word in rest if not self._among(word, known)]
        if not rest or one.technical or others:
            return not rest
        if not all(self._among(word, _words(opening(lines, most=_OPENING_LINES))) for word in rest):
            return False
        return not any(self._told(_words(line), one, rest) for line in lines if line != one.text)

    def _told(self, said: Sequence[str], one: Property, rest: Iterable[str]) -> bool:
        """Whether a line tells the same of what is asked about, which the key is then not of."""
        keyed = all(self._among(word, said) for word in _required(one.words))
        return keyed and any(self._among(word, said) for word in rest)

    def _places(self, one: Property) -> frozenset[int]:
        """Where in the question the words of the key stand; nowhere if not all of them do."""
        same = self.form if one.technical else self.names
        words = one.words
        required = _required(words)
        # A note may have many thousands of keys, and few begin like what is asked for.
        if any(word[:1] not in self.initials for word in required):
            return frozenset()
        found = {
            word: {at for at, asked in enumerate(self.words) if same(asked, word)} for word in words
        }
        if not all(found[word] for word in required):
            return frozenset()
        return frozenset(at for places in found.values() for at in places)

    def _spelled(self, one: Property) -> int:
        return sum(self._among(word, self.words) for word in one.words)

    def _heads(self, at: Set[int], called: Sequence[str]) -> bool:
        """Whether the key is what the question is for: it opens or closes the question.

        "What did the author say?" is about what the key names, not for it.
        """
        before, after = self.words[: min(at)], self.words[max(at) + 1 :]
        own = [word for word in before if word not in _ARTICLES]
        if own and own[-1] in _HELPERS and before[-1] in _ARTICLES:
            return False
        leads = all(
            word in _SMALL | _NOW | _AMOUNTS or self._among(word, called) for word in before
        )
        return leads or all(word in _CLOSING for word in after)

    def _fits(self, one: Property) -> bool:
        """Whether the value is of the kind that is asked for."""
        said = frozenset(self.words)
        if asks_when(self.text):
            return tells_time(one.text)
        if said & _WHERE or said & _WHO:
            return not tells_time(one.text) and any(map(str.isalpha, one.value))
        if said & _HOW_MANY or ("how" in said and said & _AMOUNTS):
            return _DIGIT.search(one.value) is not None
        return True

    def _among(self, word: str, said: Iterable[str]) -> bool:
        return any(self.form(word, base) for base in said)

    def form(self, word: str, base: str) -> bool:
        """Whether one word is a form of the other."""
        return _form(word, base, turkish=self.turkish)

    def names(self, word: str, key: str) -> bool:
        """Whether a word of the question asks for what a word of a key names."""
        return _names(word, key, turkish=self.turkish)


@lru_cache(maxsize=256)
def property_question(question: str) -> PropertyQuestion:
    """Read a question as one for a property; whether it is one depends on a note's properties."""
    words, turkish = _words(question), is_turkish(question)
    return PropertyQuestion(question, words, turkish, _initials(words, turkish=turkish))


def _required(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in _PLAIN) or words


def _initials(words: Sequence[str], *, turkish: bool) -> frozenset[str]:
    """The first letters of the words, of their forms, and of all that name the same.

    But for irregular forms (``went``) no stem changes the first letter.
    """
    initials = {word[:1] for word in words}
    for stemmed in map(stem, words):
        initials.add(stemmed[:1])
        initials |= _initials_of_forms().get(stemmed, frozenset())
    if turkish:
        initials |= {name[:1] for word in words for name in _turkish_synonyms(word)}
    return frozenset(initials)


@cache
def _initials_of_forms() -> Mapping[str, frozenset[str]]:
    """By a stem the first letters of its irregular forms, and of all that names the same."""
    found: dict[str, frozenset[str]] = {}
    for same in (*_SAME, *({form} for form in PAST_FORMS)):
        initials = frozenset(word[:1] for word in same)
        for stemmed in map(stem, same):
            found[stemmed] = initials | found.get(stemmed, frozenset())
    return found


@lru_cache(maxsize=_KEPT_PAIRS)
def _form(word: str, base: str, *, turkish: bool) -> bool:
    if stem(word) == stem(base):
        return True
    return turkish and (_inflects(word, base) or _inflects(base, word))


@lru_cache(maxsize=_KEPT_PAIRS)
def _names(word: str, key: str, *, turkish: bool) -> bool:
    if _form(word, key, turkish=turkish):
        return True
    if not turkish:
        return stem(word) in _synonyms().get(stem(key), ())
    return any(_form(word, other, turkish=True) for other in _turkish_synonyms(key))


@cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    """By the stem of a word of a key the stems that ask for what it names."""
    groups = [frozenset(map(stem, same)) for same in _SAME]
    return {
        key: frozenset[str]().union(*(group for group in groups if key in group))
        for key in frozenset[str]().union(*groups)
    }


@lru_cache(maxsize=1024)
def _turkish_synonyms(key: str) -> frozenset[str]:
    """The words that ask for what a word of a key names."""
    groups = [same for same in _SAME if any(_form(key, other, turkish=True) for other in same)]
    return frozenset[str]().union(*groups)


def _inflects(word: str, base: str) -> bool:
    """Whether a Turkish word is another with an ending, which may soften its last letter."""
    if len(base) < _SHORTEST or len(word) - len(base) > _LONGEST_ENDING:
        return False
    softer = base[:-1] if base[-1] in "kpt" and len(base) > _SHORTEST else base
    return word.startswith(base) or (len(word) > len(base) and word.startswith(softer))


def _words(text: str) -> tuple[str, ...]:
    """Folded words, without what stands behind an apostrophe: ``Anna's``, ``Projesi'nin``."""
    return tuple(_WORD.findall(_ENDING.sub("", fold(text))))
