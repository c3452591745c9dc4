"""What a question is about: its concepts, and what it excludes.

Concepts are found by leaving out what asks (question words, verbs, filler) and keeping what is
asked about, as the question writes it. What a comparison compares is in ``agents.subjects``.
"""

import re
from collections.abc import Iterator, Set

from agents.name_forms import as_named
from agents.reading.comparisons_turkish import INFINITIVE, SURE_OBJECT, bare, side_by_side
from agents.reading.exclusions import read_without_excluded
from agents.reading.grammar import EDGE, TURKISH_EDGE
from agents.reading.noun_phrases import Range, sentences
from agents.reading.wording import (
    Part,
    Span,
    Wording,
    is_acronym,
    strip_ending,
    unmarked,
)
from agents.turkish_endings import INSTRUMENTAL
from tools.guards import concept as clean
from tools.text.normalize import QUOTED, distinct, flatten
from tools.text.stopwords import LOOSE_REQUESTS, META, OWN

MAX_CONCEPTS = 8


def concepts(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """The noun phrases asked about, in order, in the question's own words.

    ``dates`` is a stretch to leave out. ``names`` are note names as ``fold_name`` writes them; one
    that stands in the question is kept whole, whatever words it is made of.
    """
    hidden = [match.span() for match in _ASIDE.finditer(flatten(QUOTED.sub(_blank, question)))]
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
        tagged = wording.tokens[first].part == "name"
        if not tagged and flatten(phrase) in (_COLLECTION if owned else _ANY_NOTES):
            continue
        vaguely = not tagged and (_only_meta(phrase) or (held and flatten(phrase) in OWN))
        (vague if vaguely else found).append(phrase)
    found = found or vague or list(_activities(wording))
    return distinct(as_named(one, names, turkish=wording.turkish) for one in found)[:MAX_CONCEPTS]


def excluded(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """What the question says it does not want: "except Y", "but not Y", "Y hariç"."""
    found = read_without_excluded(question, dates=dates, names=names)[1]
    return distinct(phrase for one in found for phrase in one.phrases)[:MAX_CONCEPTS]


def without_excluded(question: str, *, dates: Span | None = None) -> str:
    """The question's text without what it does not want."""
    apart = read_without_excluded(question, dates=dates, names=frozenset())[1]
    for start, end in (exclusion.span for exclusion in reversed(apart)):
        question = f"{question[:start]} {question[end:]}"
    return question


def _blank(name: re.Match[str]) -> str:
    return " " * len(name[0])


# --- runs of content -----------------------------------------------------------------------

_COUNT = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)"
_ASIDE = re.compile(
    r"\b(?:over time|(?:at )?what time|(?:the )?(?:last|first) time|types? of"
    r"|in (?:what|my own) \w+|yol ac\w*"
    r"|(?:what|which) (?:size|colou?r|year|month|day|kind of|sort of)"
    r"|(?:in )?what order|root causes?|going by"
    r"|(?:gap|trade-?offs?|choice|distinction|overlap|contrast|trade offs?|relations?|correlations?"
    r"|associations?)(?= between)"
    r"|(?:early|late|later|earlier) (?:in|at) (?:(?:the|my|a) )?(?:day|morning|evening|night|week"
    r"|month|year|season|afternoon)"
    r"|(?:like|as if|as though) (?:i'm|im|i am|i were|i was) (?:a |an )?(?:\w+ )?"
    r"(?:five|5|six|ten|child|kid|beginner|idiot|dummy)(?: years? old| year-old)?"
    rf"|(?:top|best|first|last|latest|newest|most recent) {_COUNT}(?= (?:\w+ )?notes\b)"
    rf"|(?<!-){_COUNT} (?:(?:best|most recent|latest|newest|last|first) )?(?=notes\b)"
    r"|(?:wiser|better|best|right|safer|smarter) (?:choice|option|buy|pick|bet)"
    r"|(?:development|evolution|history|timeline|chronology|origins?) of)\b"
    r"|\bhow (?:many|much|long(?: ago)?|often|old|tall|far|deep|fast|large|big|heavy|high|wide)\b"
)


def _divided(wording: Wording) -> dict[Range, str]:
    """Turkish things that stand side by side, with their text: cases, not words, divide them."""
    found: dict[Range, str] = {}
    for sentence in sentences(wording):
        for phrase in side_by_side(sentence):
            found[phrase] = clean(unmarked(bare(sentence, phrase)))
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
    if _word(wording, at - 1) in _HOW_MUCH and _MEASURES.match(token.word):
        return False
    if token.word == "zaman":
        return _word(wording, at - 1) not in ("ne", "o", "her") and _part(wording, at + 1) == "noun"
    if token.word in stop or token.word.split("'", 1)[0] in stop:
        return (inside and token.word in _GOES_ON) or _is_acronym(wording, at)
    if token.word in LOOSE_REQUESTS and _part(wording, at - 1) in ("mark", "break"):
        return False
    # Leaving the office: what is done to it is no topic by itself.
    return not (token.part == "gerund" and _part(wording, at + 1) == "determiner")


# How long, how many degrees: what is measured is the topic, and the unit is not.
_HOW_MUCH = frozenset({"kac", "kadar"})
_MEASURES = re.compile(
    r"(?:sure(?:de|dir|yle|ligine)?|yil(?:da|dir|in\w*)?|(?:gun|hafta|ay|saat|dakika|derece|kilo|gram"
    r"|litre|kez|kere|defa|tane)(?:(?:y?[dt][aeiu]r?|y?[ae])(?:n|yken|ydi)?)?)$"
)
_GOES_ON = frozenset({"one", "ones", "i", "list", "lists"})
"""Words that begin no topic and yet may end one: the blue one, my reading list."""
_LIKENESS = frozenset({"similar", "related"})


def _is_acronym(wording: Wording, at: int) -> bool:
    token = wording.tokens[at]
    return is_acronym(wording.text[token.start : token.end]) and not wording.text.isupper()


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
    whole = unmarked(wording.phrase(first, last))
    text = strip_ending(whole)
    if wording.turkish and text == whole:
        text = _without_case(text, _word(wording, last))
    if wording.turkish and last - first > 1 and INFINITIVE.search(_word(wording, last - 1)):
        text = text.rpartition(" ")[0]
    return clean(text)


def _without_case(phrase: str, after: str) -> str:
    """A Turkish phrase without the case that the word after it asks for: "toprakla ilgili"."""
    for words, case in _CASES:
        if words.match(after) and (ending := case.search(flatten(phrase))):
            return phrase[: ending.start()]
    return phrase


_CASES = (
    (
        re.compile(r"(?:ilgili|alakali|iliskili|baglantili|yakindan)$"),
        re.compile(rf"(?<=\w\w){INSTRUMENTAL}$"),
    ),
    (re.compile(r"(?:benzer|benzeyen|cok|yakin)$"), re.compile(r"(?<=\w\w[iu])y[ae]$")),
    (re.compile(r"(?:ozetle|anlat|acikla|tanimla|goster|incele|listele)\w*$"), SURE_OBJECT),
    # Shorter words end so by themselves.
    (re.compile(r"(?:kim|ne)(?:ler(?:le)?)?$"), re.compile(r"(?<=\w\w\w\w[iu])d[ae]$")),
)


_ANY_NOTES = frozenset({"notes", "notlar", "new", "new notes"})
_COLLECTION = _ANY_NOTES | {"vault", "note vault", "notebook"}
"""Where every question looks, so that it is about something else or about nothing."""


def _activities(wording: Wording) -> Iterator[str]:
    """What somebody has been doing, where a question asks when or how long and names no more."""
    for at, token in enumerate(wording.tokens):
        if token.word in ("what", "which", "who"):
            return
        doing = token.word.endswith("ing") and _word(wording, at - 1) == "been"
        if doing and token.word not in EDGE:
            yield _phrase(wording, at, at + 1)


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
