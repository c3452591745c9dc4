"""Stems of English and Turkish words.

A stem is a key that a word's inflected forms share; it is not always a word itself.
"""

import re
from functools import lru_cache

from tools.text.normalize import fold
from tools.text.stopwords import word_set

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


def turkish_lower(word: str) -> str:
    """Lower case, with the dot over a letter where Turkish has it."""
    return word.replace("İ", "i").replace("I", "ı").lower()


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


def irregular_forms(stem: str) -> tuple[str, ...]:
    """The folded words whose stem begins so, but which need not begin like it: went, people."""
    return tuple(form for form in _IRREGULAR if english_stem(form).startswith(stem))


def stem(word: str, *, turkish: bool = False) -> str:
    """The key a folded word shares with its inflected forms."""
    return turkish_stem(word) if turkish else english_stem(word)


def stems_of(text: str, *, turkish: bool = False) -> frozenset[str]:
    """The stems of some folded words."""
    return frozenset(stem(word, turkish=turkish) for word in text.split())
