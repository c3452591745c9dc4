"""How Turkish sentences compare, and the case endings the comparing asks for.

A case ending is taken off only where the sentence demands that case (the ablative before "daha",
the instrumental before a second thing), or where an apostrophe sets it off.
"""

import re

from agents.reading.comparisons import Rule
from agents.reading.grammar import TURKISH_PARTICLE
from agents.reading.noun_phrases import Range, Sentence
from agents.reading.wording import SET_OFF
from agents.turkish_endings import ABLATIVE, GENITIVE, INSTRUMENTAL
from tools.text.normalize import flatten

_INSTRUMENTAL = re.compile(rf"'?{INSTRUMENTAL}$")
_ABLATIVE = re.compile(rf"'?{ABLATIVE}$")
_GENITIVE_NAME = re.compile(rf"'{GENITIVE}$")
INFINITIVE = re.compile(r"(?<!^e)(?<!^ye)(?<!^par)(?<!^kay)m[ae]k$")
"""A verb's name at the end of a phrase; not bread, food, finger or cream."""
_JOINS = frozenset(
    {"ile", "ve", "veya", "ya", "yahut", "da", "vs", "vs.", "versus", "la", "le", "&"}
)
_RANKS = frozenset({"gore", "kiyasla", "kiyasen", "nazaran", "oranla", "karsi", "karsin", "yerine"})


def _choice(sentence: Sentence) -> list[Range]:
    """As in "X mi Y mi", "X mi, Y mi yoksa Z mi": what stands before each particle."""
    found: list[Range] = []
    floor = sentence.first
    for i in range(sentence.first, sentence.last):
        if TURKISH_PARTICLE.match(sentence.word(i)):
            item = _before(sentence, i, floor)
            if item[0] < item[1]:
                found.append(item)
            floor = i + 1
    return found if len(found) > 1 else []


_RATED = re.compile(
    r"\W*(?:daha|gercekten|cok|ne (?:kadar|bakimdan|yonde|yonden|olcude)|nasil (?:farkl|ayr)"
    r"|farkl|ustun|pahali|ucuz|iyi|kotu|hangi (?:yon|bakim|nokta))"
)


def _rated(sentence: Sentence) -> list[Range]:
    """As in "X Y'den daha …", "X Y'den nasıl farklı"."""
    return _than(sentence, _RATED)


def _than(sentence: Sentence, after: re.Pattern[str] | None = None) -> list[Range]:
    """As in "X Y'den …": the ablative on the second of two things, before words like ``after``."""
    for i in range(sentence.first + 1, sentence.last):
        word = sentence.word(i)
        if _ABLATIVE.search(word) and len(word) > 4 and sentence.part(i) == "noun":
            pair = _split_before(sentence, i + 1)
            rest = sentence.wording.flat[sentence.tokens[i].end :]
            if len(pair) > 1 and (after is None or after.match(rest)):
                return pair
    return []


def _ranked(sentence: Sentence) -> list[Range]:
    """As in "X'e göre Y", "X Y'ye kıyasla", "X yerine Y"."""
    for i in range(sentence.first + 1, sentence.last):
        if sentence.word(i) not in _RANKS:
            continue
        pair = _split_before(sentence, i)
        after = _after(sentence, i + 1)
        if pair and len(pair) == 1 and sentence.word(pair[0][0] - 1) == ",":
            before = _before(sentence, pair[0][0] - 1)
            if before[0] < before[1]:
                return [before, *pair]
        if after[0] < after[1] and len(pair) == 1:
            return [*pair, after]
        if len(pair) > 1:
            return pair
    return []


def _joined(sentence: Sentence) -> list[Range]:
    """As in "X ile Y", "X, Y ve Z", "X veya Y"."""
    for i in range(sentence.first + 1, sentence.last):
        if sentence.word(i) not in _JOINS:
            continue
        left, right = _listed_before(sentence, i), _after(sentence, i + 1)
        if left and right[0] < right[1]:
            return [*left, right]
    return []


_COMPARING = re.compile(r"\b(?:fark|aras|benze|ortak|karsilas|kiyas|ayr|ayni|mukayese)")


def _with(sentence: Sentence) -> list[Range]:
    """As in "X'le Y'yi karşılaştır", "kefirle ayran farkı"."""
    for i in range(sentence.first, sentence.last - 1):
        word = sentence.word(i)
        short = len(word) == 4 and not _COMPARING.search(sentence.flat)
        if _INSTRUMENTAL.search(word) and len(word) > 3 and not short:
            left, right = _before(sentence, i + 1), _after(sentence, i + 1)
            if left[0] < left[1] and right[0] < right[1]:
                return [left, right]
            if _COMPARES.match(sentence.word(i + 1)) and left[1] - left[0] > 1:
                return _split_before(sentence, i + 1)
    return []


_DIFFERENCE = re.compile(r"(?:fark|frk|karsilastirma|kiyas|mukayese)")


def _side_by_side(sentence: Sentence) -> list[Range]:
    """As in "virüs bakteri farkı", "arabica robusta": two words, or two pairs that end alike."""
    for i in range(sentence.first, sentence.last + 1):
        if _DIFFERENCE.match(sentence.word(i)) or (i == sentence.last and i - sentence.first < 4):
            first, last = _before(sentence, i - (sentence.word(i - 1) == "?"))
            pair = _split_before(sentence, last)
            if last - first == 2 or (len(pair) > 1 and pair[0][1] - first == 2):
                return pair
    return []


def _dashed(sentence: Sentence) -> list[Range]:
    """As in "X - Y", "X/Y"."""
    for i in range(sentence.first + 1, sentence.last):
        if sentence.word(i) in ("-", "/", "–", "—"):
            left, right = _before(sentence, i), _after(sentence, i + 1)
            if left[0] < left[1] and right[0] < right[1]:
                return [left, right]
    return []


def _listed(sentence: Sentence) -> list[Range]:
    """As in "X, Y, Z: hangisi"."""
    found: list[Range] = []
    at = sentence.first
    while at < sentence.last:
        item = _after(sentence, at)
        if item[0] == item[1] or sentence.word(item[1]) not in (",", ":", "?", ""):
            break
        found.append(item)
        at = item[1] + 1
    return found


def _named(sentence: Sentence) -> list[Range]:
    """The first phrase there is: "X'i karşılaştır"."""
    for i in range(sentence.first, sentence.last):
        item = _after(sentence, i)
        if item[0] < item[1]:
            return [item]
    return []


def _acted_on(sentence: Sentence) -> list[Range]:
    """As in "kafein uykuyu nasıl etkiler": the thing that acts, and the object by its case.

    Only where the case can be nothing else: "iş stresi" may be one thing.
    """
    for i in range(sentence.first + 2, sentence.last):
        if sentence.word(i) not in _HOW or not SURE_OBJECT.search(sentence.word(i - 1)):
            continue
        first, last = _before(sentence, i)
        # "sabah koşusunu" is a compound, and its first word belongs to it.
        middle = last - (2 if _COMPOUND_OBJECT.search(sentence.word(i - 1)) else 1)
        if first < middle and not _OWNER.search(sentence.word(middle - 1)):
            return [(first, middle), (middle, last)]
    return []


_HOW = frozenset({"nasil", "neden", "niye", "nicin"})
SURE_OBJECT = re.compile(r"(?<=\w\w[iu])y[iu]$|(?<=\w\ws[iu])n[iu]$")
"""An accusative that can be no other ending: "uykuyu", "projesini"."""
_OWNER = re.compile(r"(?:n|l[ae]r)[iu]n$")
_COMPOUND_OBJECT = re.compile(r"s[iu]n[iu]$")


def side_by_side(sentence: Sentence) -> list[Range]:
    """Two things whose words touch or whose case tells them apart, or none."""
    by_wording = (_with, _side_by_side) if _COMPARING.search(sentence.flat) else ()
    for find in (_ranked, _rated, _joined, *by_wording, _acted_on):
        found = find(sentence)
        if len(found) > 1:
            return found
    return []


TURKISH: tuple[Rule, ...] = tuple(
    map(
        Rule,
        (_choice, _ranked, _joined, _with, _rated, _dashed, _than, _side_by_side, _listed, _named),
    )
)


# --- phrases -------------------------------------------------------------------------------


def _before(sentence: Sentence, end: int, floor: int = 0) -> Range:
    first = end
    while first > max(floor, sentence.first):
        if sentence.part(first - 1) not in ("noun", "name"):
            break
        if first < end and _ends_phrase(sentence.word(first - 1)):
            break
        first -= 1
    return first, end


def _after(sentence: Sentence, at: int) -> Range:
    while sentence.word(at) in ("bu", "su", "o", "bir"):
        at += 1
    end = at
    while end < sentence.last and sentence.part(end) in ("noun", "name"):
        end += 1
        if _ends_phrase(sentence.word(end - 1)):
            break
    if end - at > 1 and INFINITIVE.search(sentence.word(end - 1)):
        end -= 1
    return at, end


def _ends_phrase(word: str) -> bool:
    """Whether a case that an apostrophe sets off ends the phrase: "Eskişehir'de"."""
    return bool(SET_OFF.search(word)) and not _GENITIVE_NAME.search(word)


def _listed_before(sentence: Sentence, end: int) -> list[Range]:
    found: list[Range] = []
    while end > sentence.first:
        item = _before(sentence, end)
        if item[0] == item[1]:
            break
        found.insert(0, item)
        if sentence.word(item[0] - 1) != ",":
            break
        end = item[0] - 1
    return found


def _split_before(sentence: Sentence, end: int) -> list[Range]:
    """The two things that stand side by side before ``end``, or the one that does.

    "sabah koşusu akşam koşusundan": halves whose last words begin alike; else the last word.
    """
    first, last = _before(sentence, end)
    size = last - first
    if size < 2:
        return [(first, last)] if size else []
    middle = last - 1
    half = first + size // 2
    if size % 2 == 0 and sentence.word(half - 1)[:3] == sentence.word(last - 1)[:3]:
        middle = half
    return [(first, middle), (middle, last)]


# --- case endings --------------------------------------------------------------------------


def bare(sentence: Sentence, phrase: Range) -> str:
    """The phrase's text without the case ending that the word after it asks for."""
    first, last = phrase
    text = sentence.wording.phrase(first, last)
    flat = flatten(text)
    if (match := SET_OFF.search(flat)) and sentence.part(last - 1) != "name":
        return text[: match.start()]
    if ending := _ending(sentence, last, alone=last - first == 1):
        match = ending.search(flat)
        if match and len(flat.split()[-1]) - (match.end() - match.start()) >= 3:
            return text[: match.start()]
    return text


_COMPARES = re.compile(r"(?:karsilastir|kiyasla|ayir|karistir)")
_N = r"(?<=s[iu])n|(?<=ki)n"
_BUFFER = rf"(?:(?<=[aeiou])y|{_N})"
_ABLATIVE_CASE = re.compile(rf"(?:{_N})?[dt][ae]n$")
_DATIVE_CASE = re.compile(rf"{_BUFFER}[ae]$")
_ACCUSATIVE_CASE = re.compile(rf"{_BUFFER}[iu]$")
_GENITIVE_CASE = re.compile(r"(?<=[aeiu])n[iu]n$")
# One word alone is no compound, so a last vowel is its case; not where the stem has softened.
_ACCUSATIVE_ALONE = re.compile(rf"(?:{_ACCUSATIVE_CASE.pattern}|(?<=[^aeiubcdgy])[iu]$)")
_DATIVE_ALONE = re.compile(rf"(?:{_DATIVE_CASE.pattern}|(?<=[^aeiubcdgy])[ae]$)")


_GRADES = frozenset({"daha", "nasil", "ne", "cok", "kac", "nerede"})


def _ending(sentence: Sentence, at: int, *, alone: bool) -> re.Pattern[str] | None:
    """The case that the word ``at``, right after a phrase, asks of it."""
    word, part = sentence.word(at), sentence.part(at)
    if _COMPARES.match(word):
        return _ACCUSATIVE_ALONE if alone else _ACCUSATIVE_CASE
    if word in _RANKS - {"yerine"}:
        return _DATIVE_ALONE if alone else _DATIVE_CASE
    if _ABLATIVE.search(sentence.word(at - 1)) and (part == "predicate" or word in _GRADES):
        return _ABLATIVE_CASE
    if word in _HOW:
        return SURE_OBJECT
    if part in ("noun", "name"):
        return _INSTRUMENTAL
    if part == "predicate" or not word:
        return _GENITIVE_CASE
    return None
