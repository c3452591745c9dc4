"""Stems, and which language a text reads as.

A stem is a key that a word's inflected forms share; it is not always a word itself.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from string import ascii_letters, digits

from tools.claims.tables import table
from tools.folding import fold, word_finder
from tools.words import ENGLISH_ONLY, word_set

_IRREGULAR_WORDS = """
men=man women=woman children=child people=person feet=foot teeth=tooth mice=mouse lives=life
leaves=leaf knives=knife wives=wife data=data ran=run sat=sit stood=stand ate=eat eaten=eat
drank=drink drunk=drink went=go gone=go goes=go made=make took=take taken=take gave=give given=give
got=get found=find grew=grow grown=grow rose=rise risen=rise fell=fall fallen=fall felt=feel
kept=keep left=leave led=lead lost=lose won=win met=meet paid=pay said=say saw=see seen=see
sold=sell sent=send slept=sleep spoke=speak spoken=speak spent=spend taught=teach thought=think
told=tell understood=understand wore=wear worn=wear wrote=write written=write began=begin
begun=begin broke=break broken=break brought=bring built=build bought=buy came=come chose=choose
chosen=choose drew=draw drawn=draw drove=drive driven=drive flew=fly forgot=forget
forgotten=forget froze=freeze frozen=freeze held=hold knew=know known=know lying=lie dying=die
tying=tie shown=show hidden=hide became=become heard=hear learnt=learn lay=lie shot=shoot
swam=swim thrown=throw threw=throw sank=sink does=do did=do done=do is=be are=be was=be were=be
been=be being=be has=have had=have
"""
_IRREGULAR = {form: base for pair in _IRREGULAR_WORDS.split() for form, base in [pair.split("=")]}
_NOT_PAST = word_set(
    "men women children people feet teeth mice lives leaves knives wives data is are be been being "
    "am has have does do lying dying tying"
)
PAST_FORMS = frozenset(_IRREGULAR) - _NOT_PAST
"""Irregular past tenses and participles."""

_TURKISH_LETTERS = frozenset("ığşİĞŞ")
_SPELLED = _TURKISH_LETTERS | frozenset("çöüÇÖÜ")
_TURKISH_WORDS = word_set(
    "ve bir bu için ile değil yok var gibi ama fakat veya çok daha bence asla olarak yeni eski zor "
    "kolay iyi olan kadar"
)
_TURKISH_ENDINGS = ("maz", "mez", "iyor", "uyor", "üyor", "dir", "ların", "lerin")
_ENDINGS_ALONE = frozenset(_TURKISH_ENDINGS)
_CASE_OF_NAME = re.compile(r"['’](?<=\w.)(?:[dt][ae]n?|n[ıiuü]n|y[aeıiuü])\b")
"""A Turkish ending behind a name or a number."""
_APOSTROPHES = "'’"
_words = word_finder(f"{ascii_letters}{digits}_", beyond_ascii=re.compile(r"\w+"))
_FEW_WORDS = 12
"""Words up to which a Turkish text may do without any word or letter that only Turkish has."""
_SHORT = 3
"""Words of a text whose letters must tell all the more."""
_SHORT_LOOKS, _SHORT_SURE, _LOOKS_TURKISH = 6.2, 8.0, 1.5
"""What the words of a short text come to together, at least, where each looks Turkish, and where
one does not; and what those of a longer text come to each. Chosen by hand.

Measured on 4,000 random texts of two, of three and of four words: of English verbs, synonyms and
opposites of the tables 0.15, 0.03 and 0.03 in a hundred are taken for Turkish, of the nouns of
``kinds.txt``, many of them names from elsewhere, 0.9, 0.8 and 0.7; of runs of Turkish words
without Turkish letters 46, 63 and 82.
"""
_LISTED = 3.0
"""What it counts for that a word stands in a Turkish table."""
_BEHIND = "abcdefghijklmnopqrstuvwxyz_"

# Turkish verbs show negation inside the word; what is left of it is the stem. Folded: no accents.
_TURKISH_END = "(?:l[ae]r|sin|sun|[iu]m|[iu]z|k|m|n)?(?:[dt][iu]r?)?"
_TURKISH_NEGATIVE = re.compile(
    "(?P<stem>.{2,}?)(?:m[ae]z|m[iu]yor|m[ae]di|m[ae]y[ae]c[ae][kg]|m[ae]mis|m[ae]m[ae]li)"
    + _TURKISH_END
)
_TURKISH_POSITIVE = re.compile(
    "(?P<stem>.{2,}?)(?:[iu]yor|[aeiu]?r|[dt][iu]|[ae]c[ae][kg]|m[iu]s|m[ae]li)" + _TURKISH_END
)
_TURKISH_PAST = re.compile("[dt][iu](?:m|n|k|niz|nuz|l[ae]r)?$")
_TURKISH_STEM = 5
"""Turkish suffixes only follow: the first five letters keep most words apart."""


@lru_cache(maxsize=32768)
def fold_word(word: str) -> str:
    """``fold`` for single words, which recur."""
    return fold(word)


def is_spelled(text: str) -> bool:
    """Whether a Turkish text is written with Turkish letters; some are typed without."""
    return not _SPELLED.isdisjoint(text)


def turkish_lower(word: str) -> str:
    """Lower case, with the dot over a letter where Turkish has it."""
    return word.replace("İ", "i").replace("I", "ı").lower()


@lru_cache(maxsize=8192)
def is_turkish(text: str) -> bool:
    """Whether a text reads as Turkish rather than English.

    A letter or word of Turkish alone decides. A text of 2 to 12 words may have none: it is Turkish
    where no word is English alone and the words that are no names, at least two, look Turkish by
    their letters; the fewer there are, the more each must.
    """
    words = _words(text)
    if _has_sign(text, words):
        return True
    few = 1 < len(words) <= _FEW_WORDS
    if not few or not ENGLISH_ONLY.isdisjoint(map(str.lower, words)):
        return False
    plain = [word for at, word in enumerate(words) if not at or word[0].islower()]
    looks = list(map(_looks_turkish, plain))
    if len(looks) > _SHORT:
        return sum(looks) > _LOOKS_TURKISH * len(looks)
    each = len(looks) > 1 and min(looks) > 0
    return len(looks) > 1 and sum(looks) > (_SHORT_LOOKS if each else _SHORT_SURE)


def _has_sign(text: str, words: Sequence[str]) -> bool:
    """Whether a text of these words has a letter, a word or an ending that only Turkish has."""
    if not text.isascii() and not _TURKISH_LETTERS.isdisjoint(text):
        return True
    if not _TURKISH_WORDS.isdisjoint(words):
        return True
    # Few texts have such an ending anywhere, so that their words need no look.
    ending = any(map(text.__contains__, _TURKISH_ENDINGS))
    if ending and any(word.endswith(_TURKISH_ENDINGS) for word in set(words) - _ENDINGS_ALONE):
        return True
    return any(map(text.__contains__, _APOSTROPHES)) and bool(_CASE_OF_NAME.search(text))


@lru_cache(maxsize=32768)
def _looks_turkish(word: str) -> float:
    """Log of how much likelier the word's pairs of letters are in Turkish than in English."""
    letters = f"_{''.join(char for char in fold_word(word) if 'a' <= char <= 'z')}_"
    odds = _letter_odds()
    listed = _LISTED if fold_word(word) in _listed() else 0.0
    return listed + sum(odds[pair] for pair in map("".join, pairwise(letters)) if pair in odds)


@cache
def _listed() -> frozenset[str]:
    """The folded words of the Turkish tables, without those that English has too."""
    lines = [*table("exclusive")]
    own = [line for line in lines if not _TURKISH_LETTERS.isdisjoint(line)]
    english = {word for line in lines if line not in own for word in line.split()}
    own += [*table("opposites_tr"), *table("opposites_verbs_tr")]
    return frozenset(map(fold, " ".join(own).split())) - english


@cache
def _letter_odds() -> Mapping[str, float]:
    found: dict[str, float] = {}
    for line in table("letters"):
        first, *odds = line.split()
        found |= {first + then: int(n) / 10 for then, n in zip(_BEHIND, odds, strict=True)}
    return found


def turkish_negative(word: str) -> bool:
    """Whether a folded Turkish word is a negated finite verb."""
    return len(word) > 4 and _TURKISH_NEGATIVE.fullmatch(word) is not None


def turkish_past(word: str) -> bool:
    """Whether a folded Turkish word reads as a verb, or a copula, in the past tense."""
    return len(word) > 3 and _TURKISH_PAST.search(word) is not None


def turkish_verb(word: str) -> bool:
    """Whether a folded Turkish word at the end of a sentence reads as a finite predicate."""
    return word in {"degil", "var", "yok"} or (
        len(word) > 3 and (turkish_negative(word) or _TURKISH_POSITIVE.fullmatch(word) is not None)
    )


@lru_cache(maxsize=32768)
def turkish_stem(word: str) -> str:
    """The key a folded Turkish word shares with its inflected forms."""
    match = _TURKISH_NEGATIVE.fullmatch(word) if len(word) > 4 else None
    if match is None and len(word) > 3:
        match = _TURKISH_POSITIVE.fullmatch(word)
    stem = match["stem"] if match else word.split("'", maxsplit=1)[0]
    if match and len(stem) > 2:  # uyu-r, uyu-maz
        stem = stem.rstrip("aeiu")
    if stem.endswith("d"):
        stem = stem[:-1] + "t"
    return stem[:_TURKISH_STEM]


@lru_cache(maxsize=32768)
def english_stem(word: str) -> str:
    """The key a folded English word shares with its inflected forms."""
    word = word.removesuffix("'s").removesuffix("'")
    word = _IRREGULAR.get(word, word)
    if len(word) > 3:
        if word.endswith("ies") and len(word) > 4:
            word = word[:-3] + "y"
        elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
            word = word[:-2]
        elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    for suffix in ("ing", "ied", "ed"):
        root = word.removesuffix(suffix)
        if (
            root != word
            and len(root) > 2
            and not word.endswith("eed")
            and any(letter in "aeiouy" for letter in root)
        ):
            word = root + "y" if suffix == "ied" else root
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word


def stem(word: str, *, turkish: bool = False) -> str:
    """The key a folded word shares with its inflected forms."""
    return turkish_stem(word) if turkish else english_stem(word)


def stems_of(text: str, *, turkish: bool = False) -> frozenset[str]:
    """The stems of some folded words."""
    return frozenset(stem(word, turkish=turkish) for word in text.split())
