"""Turkish endings: where a word has them, and what they say in an English gloss.

All letters are as ``normalize.flatten`` writes them, so ``i`` stands for ı too and ``u`` for ü:
vowel harmony is kept between a/e and i/u, which is what is left of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_GENITIVE = r"n?[iu]n"
_ABLATIVE = r"n?[dt][ae]n"
_INSTRUMENTAL = r"y?l[ae]"
"""The form of a case, right after a stem and without its apostrophe."""

type Tense = Literal["", "past", "future", "must", "can", "if", "shall"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """``relation`` is an English preposition for the case; ``owner`` is "my" or "our"."""

    relation: str = ""
    owner: str = ""
    plural: bool = False
    without: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbEndings:
    """``subject`` is "I" or "we"; ``relation`` a word that joins the clause to the rest."""

    tense: Tense = ""
    negative: bool = False
    subject: str = ""
    relation: str = ""
    command: bool = False


def noun_endings(rest: str) -> Endings | None:
    """What ``rest``, the letters after a noun's stem, says; None if no noun can end so."""
    match = _NOUN.fullmatch(rest)
    if match is None:
        return None
    relation = next((word for name, word in _CASES.items() if match[name]), "")
    owner = "our" if match["our"] else "my" if match["my"] else ""
    return Endings(
        relation=relation,
        owner=owner,
        plural=bool(match["plural"]),
        without=bool(match["without"]),
    )


def verb_endings(rest: str) -> VerbEndings | None:
    """What ``rest``, the letters after a verb's stem, says; None if no verb can end so."""
    if _COMMAND.fullmatch(rest):
        return VerbEndings(command=True)
    if match := _FINITE.fullmatch(rest):
        return _finite(match)
    if match := _CLAUSE.fullmatch(rest):
        return _clause(match)
    return None


def stems(word: str) -> Iterator[tuple[str, str, bool]]:
    """Every stem the word may have, the ending that is left, and whether only a noun has it.

    Longest stem first. A softened last letter is hardened (``kitab-ı`` to ``kitap``), a dropped
    vowel is put back (``başl-ıyor`` to ``başla``, in nouns ``fikr-im`` to ``fikir``).
    """
    for length in range(len(word), 1, -1):
        stem, rest = word[:length], word[length:]
        yield stem, rest, False
        if not rest:
            continue
        if _PRESENT.match(rest):
            yield from ((stem + vowel, rest, False) for vowel in "ae")
        if rest[0] in _VOWELS:
            if hard := _HARD.get(stem[-1]):
                yield stem[:-1] + hard, rest, False
            if stem[-2] not in _VOWELS and stem[-1] not in _VOWELS:
                yield from ((stem[:-1] + vowel + stem[-1], rest, True) for vowel in "iıuü")


def _finite(match: re.Match[str]) -> VerbEndings:
    subject = "I" if match["i"] else "we" if match["we"] else ""
    tense: Tense = ""
    if match["condition"]:
        tense = "shall" if subject else "if"
    elif match["wish"]:
        tense = "shall"
    elif match["must"]:
        tense = "must"
    elif match["future"]:
        tense = "future"
    elif match["past"] or match["was"]:
        tense = "past"
    elif match["supposed"]:
        tense = "if"
    elif match["able"]:
        tense = "can"
    return VerbEndings(tense=tense, negative=bool(match["negative"]), subject=subject)


def _clause(match: re.Match[str]) -> VerbEndings:
    nominal = noun_endings(match["nominal"]) or Endings()
    relation = nominal.relation if match["done"] or match["doing"] else ""
    if match["done"] and relation == "in":
        relation = "when"
    if match["at"]:
        relation = "when"
    if match["by"]:
        relation = "by"
    return VerbEndings(
        tense="past" if match["done"] else "future" if match["coming"] else "",
        negative=bool(match["negative"]),
        subject={"my": "I", "our": "we"}.get(nominal.owner, ""),
        relation=relation,
    )


_VOWELS = frozenset("aeiouıöü")
_HARD = {"g": "k", "ğ": "k", "b": "p", "d": "t", "c": "ç"}
_PRESENT = re.compile(r"(?:m?[iu]|m[iu])yo")
_CASES = {"loc": "in", "abl": "from", "dat": "to", "ins": "with"}

_NOMINAL = (
    r"(?:l[iu][kg]?|(?P<without>s[iu]z)(?:l[iu][kg])?|c[iu]|s[ae]l|l[iu]c[ae])?"
    r"(?P<plural>l[ae]r)?"
    r"(?:(?P<our>[iu]?m[iu]z)|(?P<my>[iu]?m)|[iu]?n(?:[iu]z)?|[sy]?[iu]|s[iu])?"
    rf"(?:{_GENITIVE}(?:k[iu])?|[yn]?[iu]|(?P<loc>n?[dt][ae](?:k[iu](?:l[ae]r(?:[iu]n?)?|n[iu]n?)?)?)"
    rf"|(?P<abl>{_ABLATIVE})|(?P<dat>[yn]?[ae])|(?P<ins>{_INSTRUMENTAL})|n?c[ae])?"
    r"(?:d[iu]r|y?[dt][iu](?:r|m|n|k|niz|l[ae]r)?|y?m[iu]s|yken|y[iu][mz])?"
)
_NOUN = re.compile(_NOMINAL)

_VOICE = r"(?:[dt][iu]r|t(?![ae]n)|[iu]r|[iu]s)?(?:[iu]?[ln])?(?:y?[iu]ver)?"
_POLARITY = r"(?P<able>y?[ae]bil)?(?P<negative>(?:y?[ae])?m(?:[ae]|[iu](?=yo)))?"
_COMMAND = re.compile(r"(?:y?[iu]ver)?(?:y?[iu]n(?:[iu]z)?|s[ae]n(?:[iu]z)?[ae])|y?[iu]ver")
_FINITE = re.compile(
    rf"{_VOICE}{_POLARITY}"
    r"(?:(?P<past>[dt][iu]|m[iu]s(?:[dt][iu]|s[ae])?)|(?P<future>y?[ae]c[ae][kg])"
    r"|(?P<must>m[ae]l[iu])|(?P<condition>s[ae])|(?P<wish>y?[ae](?=y[iu]m|l[iu]m))"
    r"|(?:[iu]?yor?|[aeiu]?r|z|m[ae]kt[ae]))"
    r"(?:l[ae]r)?(?:(?P<was>y?[dt][iu]|m[iu]s)|(?P<supposed>y?s[ae]))?"
    r"(?:(?P<i>[iu]?m|y[iu]m)|(?P<we>k|y?[iu]z|l[iu]m)|n(?:[iu]z)?|s[iu]n(?:[iu]z)?"
    r"|l[ae]r)?(?:d[iu]r|m[iu]s)?"
    r"|s[iu]n(?:l[ae]r)?"
)
_CLAUSE = re.compile(
    rf"{_VOICE}{_POLARITY}"
    r"(?:(?P<done>[dt][iu][kg])|(?P<coming>y?[ae]c[ae][kg])|(?P<doing>y?[ae]n|m[ae][ky]?|y?[iu]s)"
    r"|(?P<at>y?[iu]nc[ae]|[aeiu]?rken|[dt][iu]kc[ae])|(?P<by>y?[ae]r[ae]k)"
    r"|y?[iu]p|y?[ae]l[iu]|m[ae]d[ae]n|m[ae]ks[iu]z[iu]n)"
    rf"(?P<nominal>{_NOMINAL})"
)
