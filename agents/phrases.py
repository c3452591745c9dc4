"""What a question is about: its concepts, and what it excludes.

Concepts are found by leaving out what asks (question words, verbs, filler) and keeping what is
asked about, as the question writes it. What a comparison compares is in ``agents.subjects``.
"""

import re
from collections.abc import Iterator, Set

from agents.reading.comparisons_turkish import INFINITIVE, bare, side_by_side
from agents.reading.exclusions import read_without_excluded
from agents.reading.grammar import EDGE, TURKISH_EDGE
from agents.reading.noun_phrases import Range, sentences
from agents.reading.wording import (
    NAME_MARKS,
    Part,
    Span,
    Wording,
    strip_ending,
)
from agents.turkish_endings import INSTRUMENTAL
from tools.folding import distinct, flatten
from tools.guards import concept as clean
from tools.words import LOOSE_REQUESTS, META, OWN

MAX_CONCEPTS = 8


def concepts(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """The noun phrases asked about, in order, in the question's own words.

    ``dates`` is a stretch to leave out. ``names`` are note names as ``fold_name`` writes them; one
    that stands in the question is kept whole, whatever words it is made of.
    """
    hidden = [match.span() for match in _ASIDE.finditer(flatten(question))]
    wording = read_without_excluded(question, dates=dates, names=names, hidden=hidden)[0]
    found: list[str] = []
    vague: list[str] = []
    divided = _divided(wording) if wording.turkish else {}
    for first, last in _content_runs(wording, divided.keys()):
        phrase = divided.get((first, last)) or _phrase(wording, first, last)
        owned = _owned(wording, first)
        if owned:
            phrase = phrase[_length_of_holder(phrase) :]
        held = owned or _word(wording, last) == "about"
        vaguely = _only_meta(phrase) or (held and flatten(phrase) in OWN)
        (vague if vaguely else found).append(phrase)
    return (distinct(found) or distinct(vague))[:MAX_CONCEPTS]


def excluded(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """What the question says it does not want: "except Y", "but not Y", "Y hariç"."""
    found = read_without_excluded(question, dates=dates, names=names)[1]
    return distinct(phrase for one in found for phrase in one.phrases)[:MAX_CONCEPTS]


# --- runs of content -----------------------------------------------------------------------

_ASIDE = re.compile(
    r"\b(?:over time|(?:at )?what time|(?:the )?(?:last|first) time|types? of"
    r"|in (?:what|my own) \w+|yol ac\w*"
    r"|(?:what|which) (?:size|colou?r|year|month|day|kind of|sort of)"
    r"|(?:in )?what order|root causes?|going by"
    r"|(?:gap|trade-?offs?|choice|distinction|overlap|contrast|trade offs?)(?= between)"
    r"|(?:wiser|better|best|right|safer|smarter) (?:choice|option|buy|pick|bet)"
    r"|(?:development|evolution|history|timeline|chronology|origins?) of)\b"
    r"|\bhow (?:many|much|long(?: ago)?|often|old|tall|far|deep|fast|large|big|heavy|high|wide)\b"
)


def _divided(wording: Wording) -> dict[Range, str]:
    """Turkish things that stand side by side, with their text: cases, not words, divide them."""
    found: dict[Range, str] = {}
    for sentence in sentences(wording):
        for phrase in side_by_side(sentence):
            found[phrase] = clean(bare(sentence, phrase).strip(NAME_MARKS))
    return found


def _content_runs(wording: Wording, apart: Set[Range]) -> Iterator[Range]:
    """Runs of words that say something, "of" between two of them included.

    No run goes over the borders of a range in ``apart``.
    """
    borders = {border for phrase in apart for border in phrase}
    tokens = wording.tokens
    stop = TURKISH_EDGE if wording.turkish else EDGE
    at = 0
    while at < len(tokens):
        if tokens[at].part == "name":
            yield at, at + 1
        if not _is_content(wording, at, stop):
            at += 1
            continue
        end = at + 1
        while end < len(tokens) and end not in borders:
            if _is_content(wording, end, stop, inside=True):
                end += 1
            elif of := _of_inside(wording, end, stop):
                end = of
            else:
                break
        yield at, end
        at = end


def _is_content(wording: Wording, at: int, stop: Set[str], *, inside: bool = False) -> bool:
    """Whether the token belongs to a run; ``inside``: whether it goes on with one."""
    token = wording.tokens[at]
    if token.part not in ("noun", "gerund"):
        return False
    if token.word in _LIKENESS:
        return inside or _describes(wording, at, stop)
    if token.word == "zaman":
        return _word(wording, at - 1) not in ("ne", "o", "her") and _part(wording, at + 1) == "noun"
    if token.word in stop or token.word.split("'", 1)[0] in stop:
        return inside and token.word in ("one", "ones", "i")
    if token.word in LOOSE_REQUESTS and _part(wording, at - 1) in ("mark", "break"):
        return False
    # Leaving the office: what is done to it is no topic by itself.
    return not (token.part == "gerund" and _part(wording, at + 1) == "determiner")


_LIKENESS = frozenset({"similar", "related"})


def _describes(wording: Wording, at: int, stop: Set[str]) -> bool:
    """Whether "similar" or "related" belongs to what follows: the related work section."""
    if _part(wording, at - 1) != "determiner" or at + 1 >= len(wording.tokens):
        return False
    return _word(wording, at + 1) not in META and _is_content(wording, at + 1, stop)


def _of_inside(wording: Wording, at: int, stop: Set[str]) -> int:
    """Past "of" and the word after it, or 0 where there is no such thing."""
    if wording.tokens[at].word != "of" or at + 1 == len(wording.tokens):
        return 0
    return at + 2 if _is_content(wording, at + 1, stop) else 0


def _part(wording: Wording, at: int) -> Part:
    return wording.tokens[at].part if 0 <= at < len(wording.tokens) else "mark"


def _word(wording: Wording, at: int) -> str:
    return wording.tokens[at].word if 0 <= at < len(wording.tokens) else ""


def _phrase(wording: Wording, first: int, last: int) -> str:
    text = strip_ending(wording.phrase(first, last).strip(NAME_MARKS))
    if wording.turkish and _ABOUT.match(_word(wording, last)):
        text = _INSTRUMENTAL.sub("", text)
    if wording.turkish and last - first > 1 and INFINITIVE.search(_word(wording, last - 1)):
        text = text.rpartition(" ")[0]
    return clean(text)


# "Toprakla ilgili": the word after it asks for the ending.
_ABOUT = re.compile(r"(?:ilgili|alakali|iliskili|baglantili|yakindan)$")
_INSTRUMENTAL = re.compile(rf"(?<=\w\w\w){INSTRUMENTAL}$")


def _owned(wording: Wording, first: int) -> bool:
    before = _word(wording, first - 1)
    return before in ("my", "our") or (
        before == "own" and _word(wording, first - 2) in ("my", "our")
    )


def _only_meta(phrase: str) -> bool:
    return all(word in META or word.isdigit() for word in flatten(phrase).split())


# "My knowledge of soil" and "thinking about soil" ask about soil.
_HOLDER = re.compile(rf"(?:{'|'.join(sorted(OWN))}) of (?=\w)")


def _length_of_holder(phrase: str) -> int:
    holder = _HOLDER.match(flatten(phrase))
    return holder.end() if holder else 0
