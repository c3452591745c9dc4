"""Claims that give the one value of something: a name, a code, who leads it, where it is. Pure."""

import re
from collections.abc import Sequence
from itertools import dropwhile, pairwise

from tools.claims.forms import ClaimForm, Token
from tools.claims.meanings import PEOPLE
from tools.text.stemming import stems_of
from tools.text.stopwords import word_set

_COPULAS = word_set("is was 's are were")
_DEFINITE = word_set("the my our this")
_ELSEWHERE = word_set("his her its their your")
"""Whose thing it is, only the surroundings say."""
_CALLED = word_set("called named titled nicknamed")
_TITLES = word_set("dr mr mrs ms prof")
_AMONG = word_set("in at on with")
_NATIONAL = ("ish", "ese", "ian", "ean", "ican")
"""How adjectives end that are written with a capital: one thing may be of several."""


_IDENTIFIERS = stems_of(
    """name surname nickname code password passphrase pin number address capital email phone
    username id isbn url birthplace hometown headquarters"""
)
_SECRETS = stems_of("password passphrase pin username")
"""What may be any word, written in any way."""
_OF_ONE = stems_of(
    """lead own chair manage direct author write compose invent found discover design head run
    supervise coordinate conduct paint coach"""
)
"""What is done to a thing by one, person or group."""
_IN_CHARGE = (("is", "responsible", "for"), ("is", "in", "charge"))
_STAYS = stems_of(
    "live lives reside base locate bear bury headquarter store keep host sit stand park"
)
_BELONGS = stems_of("report belong marry")
_NUMBERED = word_set("number no room floor platform flat apartment")
_SOLE = word_set("only sole first last main primary default official current next capital")


def single_valued(form: ClaimForm, phrase: Sequence[Token]) -> bool:
    """Whether an English claim gives a phrase of its own as the one value of something.

    What else the claim says of it is taken to be the same wherever this is asked.
    """
    told = all(token.weight or _coded([token]) for token in phrase)
    if form.tokens[0].word in _ELSEWHERE or not told or any(token.negated for token in phrase):
        return False
    start = next(at for at, token in enumerate(form.tokens) if token is phrase[0])
    before = [token for token in form.tokens[:start] if token.word not in _TITLES]
    behind = [token for token in form.tokens[start + len(phrase) :] if not token.timed]
    if not before:
        one = behind[0].word.endswith("s") or not phrase[-1].word.endswith("s")
        named = one and phrase[0].text[:1].isupper()
        return named and (_does_alone(behind) or _unequalled(behind))
    if behind:
        return _written_as_name(phrase) and _sole([token.word for token in behind])
    return _identifies(form, before, phrase) or _names_agent(before, phrase)


def _identifies(form: ClaimForm, before: Sequence[Token], phrase: Sequence[Token]) -> bool:
    """Whether the claim ends in what its subject is, is called or where it is kept."""
    named = _written_as_name(phrase)
    if _coded(phrase) and before[-1].word in _NUMBERED:  # "at number 12"
        named, before = True, before[:-1]
    last, earlier = before[-1].word, before[-2].word if len(before) > 1 else ""
    if last in _COPULAS and (identifier := _identifier(before[:-1])):
        return named or _coded(phrase) or identifier in _SECRETS
    if not named or phrase[-1].word.endswith(_NATIONAL):
        return False
    definite = form.tokens[0].word in _DEFINITE or any(token.word == "'s" for token in before[:-1])
    if last in _CALLED:
        return earlier in _COPULAS
    if last in _AMONG and earlier in _COPULAS:
        return definite and not any(token.stem in PEOPLE for token in before)
    if last == "to":
        return before[-2].stem in _BELONGS
    if last in _AMONG:
        return before[-2].stem in _STAYS
    return last in _COPULAS and definite


def _identifier(before: Sequence[Token]) -> str:
    """The identifier that the subject is: ``the code of the door``, ``our wifi password``."""
    inside = [token for token in before if token.in_subject]
    head = next((token.stem for token in reversed(inside) if token.weight), "")
    return head if head in _IDENTIFIERS else ""


def _names_agent(before: Sequence[Token], phrase: Sequence[Token]) -> bool:
    passive = len(before) > 1 and before[-1].word == "by" and before[-2].stem in _OF_ONE
    return passive and _written_as_name(phrase)


def _does_alone(behind: Sequence[Token]) -> bool:
    words = tuple(token.word for token in behind[:3])
    return behind[0].stem in _OF_ONE or words in _IN_CHARGE


def _unequalled(behind: Sequence[Token]) -> bool:
    """Whether it goes on with being the one of its kind: ``is the largest city of …``."""
    words = [token.word for token in behind]
    if len(words) < 3 or words[0] not in _COPULAS or words[1] != "the":
        return False
    return (
        words[2] in _SOLE or words[2] == "most" or (len(words[2]) > 4 and words[2].endswith("est"))
    )


def _sole(words: Sequence[str]) -> bool:
    return any(one == "the" and then in _SOLE for one, then in pairwise(words))


def _written_as_name(phrase: Sequence[Token]) -> bool:
    return any(token.text[:1].isupper() for token in phrase)


def _coded(phrase: Sequence[Token]) -> bool:
    return any(token.text[:1].isdigit() for token in phrase)


# --- Turkish -------------------------------------------------------------------------------

_TURKISH_IDENTIFIERS = word_set(
    """adi ismi soyadi sifresi parolasi kodu numarasi adresi baskenti telefonu pini memleketi
    adim ismim soyadim sifrem parolam adresim"""
)
_TURKISH_SECRETS = word_set("sifresi parolasi sifrem parolam pini")
_TURKISH_SOLE = word_set("en tek ilk son ana asil favori resmi")
_HERE = re.compile("['’][dt][ae](?:d[iu]r)?")
"""The ending of a name that says where something is now."""


_TURKISH_STAYS = stems_of(
    "yasar oturur bulunur kalir durur dogdu dogmus saklanir yasiyor", turkish=True
)
_TURKISH_OF_ONE = stems_of(
    "yonetir yazdi kurdu tasarladi buldu kesfetti yonetiyor besteledi", turkish=True
)


def turkish_single_valued(form: ClaimForm, phrase: Sequence[Token]) -> bool:
    """``single_valued`` of a Turkish claim, whose verb comes last and may be left out."""
    token = phrase[0]
    start = next(at for at, one in enumerate(form.tokens) if one is token)
    before, rest = form.tokens[:start], [one for one in form.tokens[start + 1 :] if one.weight]
    named = token.text[:1].isupper()
    # A name may go on: "Van Gölü".
    behind = list(dropwhile(lambda one: named and one.text[:1].isupper(), rest))
    if len(phrase) > 1 or token.negated or not (named or _coded(phrase) or before):
        return False
    if behind:
        verb = behind[-1].stem
        here = _HERE.search(token.word) and len(behind) == 1 and verb in _TURKISH_STAYS
        agent = "'" not in token.word and verb in _TURKISH_OF_ONE
        return named and bool(here or agent)
    last = before[-1].word if before else ""
    if last in _TURKISH_IDENTIFIERS:
        return named or _coded(phrase) or last in _TURKISH_SECRETS
    sole = not _TURKISH_SOLE.isdisjoint(one.word for one in before)
    return named and (sole or _HERE.search(token.word) is not None)
