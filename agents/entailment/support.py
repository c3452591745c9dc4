"""Whether the lines that a sentence cites say it; where they do not, what is amiss. Pure.

The words decide: what is counted, named, denied, ranked or said to cause another must stand in the
lines as it stands in the sentence. A sentence in doubt is not supported.
"""

import re
from collections.abc import Sequence

from agents.entailment.contradiction import predict_pair
from agents.entailment.direction import SHOWN, contradiction_reason
from tools.claims.alignment import content_stems
from tools.claims.forms import ClaimForm, analyse
from tools.claims.meanings import synonymous
from tools.claims.quantities import conflicting
from tools.claims.units import DIMENSIONS, NUMBER_WORDS, TURKISH_NUMBER_WORDS
from tools.text import lexicon
from tools.text.language import is_turkish
from tools.text.markdown.sentences import sentences
from tools.text.normalize import flatten, fold
from tools.text.stopwords import ENGLISH_ONLY, TURKISH_ONLY, word_set

_SUPPORT = 0.6
"""Share of a sentence's content words its lines must hold."""
_LONGEST = 80
"""Words; what is longer is no sentence."""
_PREFIX = 5
"""Letters at which words of one family are taken as one: ``consolidation``, ``consolidates``."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_DATE = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}"
    r"\b(?:instructions?|rules?|prompts?|guidelines?|above|previous|prior|earlier|everything)\b"
    r"|(?:^|\n)[\s>*#-]*(?:\[?(?:system|assistant|user|developer|sistem)\]?)\s*:"
    r"|(?:^|[.!?:;,\n]\s*|\b(?:and|then|must|should|please|now|to) )[>*#\s-]*"
    r"(?:please )?(?:answer (?:that|with|only|exactly)\b"
    r"|(?:say|reply|respond|output|print|tell the user)\b"
    r"(?: \w+){0,3}?(?: that| with| only| exactly|\s*:|\s*[\"“{]))"
    r"|\byou are (?:now|an? (?:ai|assistant|language model|helpful))\b|\bas an ai\b"
    r"|\b(?:system|developer) prompt\b|<\|?\w+\|?>|\[/?inst\]"
    r"|\b(?:talimat|kural|yonerge)lar\w* (?:unut|yok say|gormezden gel|dikkate alma)"
)
_META = re.compile(
    r"\b(?:previous|prior|above|my|your|these|system|developer) (?:instructions?|rules?|prompts?)\b"
    r"|\b(?:i|we) (?:was|were|am|are) (?:told|asked|instructed)\b|\bas an ai\b"
    r"|\blanguage model\b|\bthe (?:prompt|instructions?|json|schema)\b|\b(?:talimat|yonerge)lar"
)
_UNIVERSAL = lexicon.UNIVERSAL | word_set("never none nobody nothing asla hep hicbir kimse")
_BOUNDS = {
    "universal": _UNIVERSAL,
    "exclusive": word_set("only solely exclusively merely sadece yalnizca yalniz tek"),
    "mostly": word_set("most mostly usually majority generally cogu cogunlukla genellikle"),
    "seldom": word_set("few rarely seldom hardly sometimes occasionally nadiren bazen"),
}
"""Words that say of how many something holds, by what they say."""
_NO_LONGER = re.compile(r"\bno longer\b|\bany ?more\b|\bused to\b|\bceased\b|\bartik\b")


def unsupported_reason(sentence: str, lines: Sequence[str], *, about: str = "") -> str | None:
    """What of the sentence the lines do not say, in a few words; None where they say all of it.

    ``about`` names what the lines belong to (note, heading, date): the sentence may use its names
    and numbers, but they prove nothing.
    """
    stems = content_stems(sentence)
    if not stems and not _NUMBER.search(sentence):
        return "it says nothing"
    if len(_WORD.findall(sentence)) > _LONGEST:
        return "it is too long to be checked"
    if gives_orders(sentence):
        return "it repeats an order"
    trusted = [line for line in lines if not gives_orders(line)]
    if lines and not trusted:
        return "the line gives orders to whoever reads it"
    turkish = is_turkish(sentence)
    claim = analyse(sentence, turkish=turkish)
    held = [
        analyse(one.text, turkish=turkish)
        for line in trusted
        for one in sentences(line)
        if one.text.strip()
    ]
    text = " ".join(trusted)
    if not shared_words(sentence, text):
        return "the lines have no word of it"
    return (
        _meta(sentence, text)
        or _numbers(sentence, f"{about} {text}")
        or _units(claim, held)
        or _names(sentence, f"{about} {text}")
        or _words(
            stems - content_stems(about),
            frozenset[str]().union(*map(content_stems, trusted)),
            turkish=turkish,
        )
        or _bounds(sentence, text)
        or contradiction_reason(claim, held)
        or _contradiction(sentence, trusted)
    )


def shared_words(sentence: str, line: str) -> int:
    """How many words that say something, and numbers, a sentence has in common with a line."""
    numbers = set(_NUMBER.findall(sentence)) & set(_NUMBER.findall(line))
    held = content_stems(line)
    return len(numbers) + sum(_known(word, held) for word in content_stems(sentence))


def gives_orders(text: str) -> bool:
    """Whether a text speaks to a program that reads it rather than about something."""
    return _ORDERS.search(flatten(text)) is not None


# --- what is there -------------------------------------------------------------------------


def _missing(word: str) -> str:
    return f"“{word[:SHOWN]}” is not there"


def _meta(sentence: str, text: str) -> str | None:
    found = _META.search(flatten(sentence))
    if found is None or found[0] in flatten(text):
        return None
    return "it speaks of its instructions"


def _numbers(sentence: str, text: str) -> str | None:
    """Every number must be there, in digits or as a word; a date may be written another way."""
    held = {_value(number) for number in _NUMBER.findall(text)} | _number_words(text)
    for date in _DATE.finditer(text):
        held |= {_value(part) for part in date.groups() if part}
    for number in _NUMBER.findall(sentence):
        parts = [_value(part) for part in number.split(":")]
        if _value(number) not in held and (len(parts) == 1 or not held.issuperset(parts)):
            return _missing(number)
    spelled = _number_words(sentence) - {"0", "1"} - held
    return _missing(min(spelled)) if spelled else None


def _value(number: str) -> str:
    """One spelling for each number: ``1,350`` is ``1350``, ``0,50`` is ``0.5``, ``05`` is ``5``."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", number):
        number = number.replace(",", "")
    number = number.replace(",", ".")
    if number.count(".") == 1 and ":" not in number:
        number = number.rstrip("0").rstrip(".")
    return number.lstrip("0") or "0"


def _number_words(text: str) -> set[str]:
    known = TURKISH_NUMBER_WORDS if is_turkish(text) else NUMBER_WORDS
    return {f"{known[word]:g}" for word in _WORD.findall(fold(text)) if word in known}


def _units(claim: ClaimForm, held: Sequence[ClaimForm]) -> str | None:
    """A measure must be there with its unit: 15 minutes are not 15 hours."""
    known = [quantity for form in held for quantity in form.quantities]
    for wanted in claim.quantities:
        if wanted.unit.split("/")[0] not in DIMENSIONS:
            continue
        if not any(wanted.unit == one.unit and not conflicting(wanted, one) for one in known):
            return _missing(wanted.text)
    return None


def _names(sentence: str, text: str) -> str | None:
    """Capitalised words must be there; the first only where it is no word of every day."""
    held = {_bare(word) for word in _WORD.findall(fold(text))}
    months = {date[2] for date in _DATE.finditer(text)}
    for at, match in enumerate(_WORD.finditer(sentence)):
        word = match[0]
        folded = fold(word)
        if not word[0].isupper() or folded in _SMALL or _known(_bare(folded), held):
            continue
        if lexicon.MONTHS.get(folded) in months:
            continue
        if at == 0 and folded.endswith(("ing", "ed", "ly", "ion", "ment", "ness")):
            continue
        return _missing(word)
    return None


_SMALL = ENGLISH_ONLY | TURKISH_ONLY | lexicon.FUNCTION | lexicon.NEGATORS | lexicon.STARTERS


def _bare(word: str) -> str:
    """A folded word without what an apostrophe adds."""
    return re.split(r"['’]", word)[0]


def _known(word: str, held: set[str] | frozenset[str]) -> bool:
    if word in held:
        return True
    return len(word) >= _PREFIX and any(other[:_PREFIX] == word[:_PREFIX] for other in held)


def _words(stems: frozenset[str], held: frozenset[str], *, turkish: bool) -> str | None:
    absent = [
        word
        for word in sorted(stems)
        if not _known(word, held)
        and not any(synonymous(word, other, turkish=turkish) for other in held)
    ]
    if len(stems) - len(absent) >= _SUPPORT * len(stems) and held:
        return None
    return f"{len(absent)} of its {len(stems)} words are not there"


def _bounds(sentence: str, text: str) -> str | None:
    """What holds of all, of most or of one alone must be said so; what is seldom must stay so."""
    said, held = set(_WORD.findall(fold(sentence))), set(_WORD.findall(fold(text)))
    for words in _BOUNDS.values():
        if said & words and not held & words:
            return _missing(min(said & words))
    if held & _BOUNDS["seldom"] and not said & (_BOUNDS["seldom"] | lexicon.EXISTENTIAL):
        return f"the line says “{min(held & _BOUNDS['seldom'])}”"
    if bool(_NO_LONGER.search(flatten(sentence))) != bool(_NO_LONGER.search(flatten(text))):
        return "whether it still holds differs"
    return None


def _contradiction(sentence: str, lines: Sequence[str]) -> str | None:
    found = next(
        (one for line in lines if (one := predict_pair(sentence, line)).contradiction), None
    )
    return "the line says otherwise" if found is not None else None
