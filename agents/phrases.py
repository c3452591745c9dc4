"""What a question is about: its concepts, the subjects of a comparison, words of similarity.

Found by leaving out what asks (question words, verbs of asking, filler) and keeping what is asked
about, as the question writes it.
"""

import re
from collections.abc import Iterator, Set

from tools.folding import flatten, fold_name
from tools.guards import concept as clean
from tools.words import (
    AMBIGUOUS_VERBS,
    EDGE,
    ENGLISH_ONLY,
    META,
    OWN,
    STOP,
    TURKISH_EDGE,
    TURKISH_ONLY,
    TURKISH_STOP,
)

MAX_CONCEPTS = 8
MAX_NAME_WORDS = 8

type Span = tuple[int, int]


def concepts(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """The noun phrases asked about, in order, in the question's own words.

    ``dates`` is a stretch to leave out. ``names`` are note names as ``fold_name`` writes them; one
    that stands in the question is kept whole, whatever words it is made of.
    """
    text = _without_asides(_blank(question, dates))
    flat = flatten(text)
    turkish = is_turkish(question)
    whole = _whole_names(text, names)
    found = [(start, clean(text[start:end].strip(_MARKS))) for start, end in whole]
    vague: list[str] = []
    for start, end in _content_runs(flat, whole, TURKISH_EDGE if turkish else EDGE):
        phrase = clean(_without_ending(_without_verb(text, (start, end), turkish=turkish)))
        owned = _OWNER_BEFORE.search(flat, 0, start) is not None
        if owned:
            phrase = phrase[_length_of_holder(phrase) :]
        held = owned or _ABOUT_AFTER.match(flat, end) is not None
        if _only_meta(phrase) or (held and flatten(phrase) in OWN):
            vague.append(phrase)
        else:
            found.append((start, phrase))
    return _distinct(phrase for _, phrase in sorted(found)) or _distinct(vague)


def subjects(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """What a comparison compares: two or more phrases, or fewer if it names fewer."""
    text = _blank(question, dates)
    flat = flatten(text)
    if than := _TURKISH_THAN.search(flat):
        return _distinct(clean(text[slice(*than.span(group))]) for group in (1, 2))
    start, end = _compared_part(flat)
    whole = [span for span in _whole_names(text, names) if start <= span[0] and span[1] <= end]
    parts: list[str] = []
    for first, last in _split(flat, (start, end), whole):
        part = _trim(_ON.sub("", text[first:last]), TURKISH_EDGE if is_turkish(text) else EDGE)
        if part:
            parts.append(clean(part.strip(_MARKS)))
    return _distinct(parts)


def similarity_word(question: str) -> float | None:
    """The threshold that a word such as "closely related" asks for, or None."""
    flat = flatten(question)
    for pattern, value in _SIMILARITY:
        if pattern.search(flat):
            return value
    return None


def is_turkish(text: str) -> bool:
    """Whether the question is asked in Turkish, by its letters and small words."""
    words = set(_WORD.findall(flatten(text)))
    letters = bool(_TURKISH_LETTERS.search(text))
    return len(words & TURKISH_ONLY) + letters > len(words & ENGLISH_ONLY)


# --- patterns ----------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_][\w+#]*(?:[-'./&][\w+#]+)*")
_TURKISH_LETTERS = re.compile("[ğışĞİŞ]")
_SIMILARITY = (
    (re.compile(r"\bvery similar\b|\bcok benze\w+|\bnearly the same\b"), 0.8),
    (re.compile(r"\bclosely (?:related|connected)\b|\byakindan ilgili\b"), 0.7),
    (re.compile(r"\bsimilar\b|\bbenze[rys]\w*"), 0.6),
    (re.compile(r"\brelated\b|\bilgili\b|\biliskili\b"), 0.5),
)


_ASIDE = re.compile(
    r"\b(?:over time|(?:at )?what time|(?:the )?(?:last|first) time|types? of"
    r"|in (?:what|my own) \w+|yol ac\w*)\b"
    r"|\bhow (?:many|much|long(?: ago)?|often|old|tall|far|deep|fast|large|big|heavy|high|wide)\b"
)
_AUXILIARY = re.compile(
    r"^(?:how|why|when|where|what)\b.*?\b(?:do|does|did|has|have|had|will|can)\b"
)


# --- concepts ------------------------------------------------------------------------------


def _without_asides(text: str) -> str:
    flat = flatten(text)
    for match in _ASIDE.finditer(flat):
        text = _blank(text, match.span())
    return text


def _blank(question: str, dates: Span | None) -> str:
    """The question, as long as before, with commas where the dates stood."""
    if dates is None:
        return question
    return question[: dates[0]] + "," * (dates[1] - dates[0]) + question[dates[1] :]


_MARKS = '[]"“”`#'
_MARKED = re.compile(r"\[\[[^\[\]]+\]\]|\"[^\"]+\"|“[^”]+”|`[^`]+`|(?<!\w)#[\w/-]+")


def _whole_names(text: str, names: Set[str]) -> list[Span]:
    """Stretches that must stay whole: quoted or linked ones, tags, and names that are known."""
    found = [match.span() for match in _MARKED.finditer(text)]
    words = [match.span() for match in _WORD.finditer(text)] if names else []
    first = 0
    while first < len(words):
        for last in range(min(first + MAX_NAME_WORDS, len(words)), first, -1):
            span = words[first][0], words[last - 1][1]
            if fold_name(text[slice(*span)]) in names and not _overlaps(span, found):
                # One common word may be a note's name and still be no more than a word here.
                if last - first > 1 or flatten(text[slice(*span)]) not in STOP | TURKISH_STOP:
                    found.append(span)
                    first = last - 1
                break
        first += 1
    return sorted(found)


def _overlaps(span: Span, others: list[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _content_runs(flat: str, whole: list[Span], stop: Set[str]) -> Iterator[Span]:
    """Runs of words that are no stop words, "of" between two of them included."""
    run: Span | None = None
    pending_of = False
    for match in _WORD.finditer(flat):
        start, end = match.span()
        gap = flat[run[1] : start] if run else ""
        breaks = bool(gap.replace(" of ", " ").strip()) or _overlaps((start, end), whole)
        if run and match[0] == "of" and not gap.strip():
            pending_of = True
            continue
        is_stop = match[0] in stop or _root(match[0]) in stop or _overlaps((start, end), whole)
        if run and (is_stop or breaks or (pending_of and gap.strip() != "of")):
            yield run
            run = None
        if not is_stop:
            run = (run[0], end) if run else (start, end)
        pending_of = False
    if run:
        yield run


def _root(word: str) -> str:
    return word.split("'", 1)[0]


_CASE_ENDING = re.compile(
    r"['’](?:[ntdys]?[aeıiuüoö]?[nk]?(?:[ıiuü]n)?|l[ae]|yl[ae]|[td][ae]n?|[td][ae]ki|s)$",
    re.IGNORECASE,
)


def _without_ending(phrase: str) -> str:
    """Without the case ending an apostrophe sets off: Zettelkasten'in, Ada's."""
    return _CASE_ENDING.sub("", phrase)


def _without_verb(text: str, run: Span, *, turkish: bool) -> str:
    """A run without the question's own verb, where its place gives the verb away.

    English: first after a pronoun ("do I export …"), last after an auxiliary ("how does X work").
    Turkish: last in the question.
    """
    flat, (start, end) = flatten(text), run
    words = text[start:end].split()
    ends_question = not _WORD.search(flat, end)
    if turkish:
        is_verb = ends_question and start > 0 and _TURKISH_VERB.search(flatten(words[-1]))
        return " ".join(words[:-1] if is_verb else words)
    if _PRONOUN_BEFORE.search(flat, 0, start) and _ASKS_WITH_VERB.search(flat):
        return " ".join(words[1:])
    if len(words) < 2 or not ends_question:
        return text[start:end]
    subject = _ASKS_WITH_VERB.match(flat, 0, start)
    known = (
        flatten(words[-1]) in AMBIGUOUS_VERBS
        and _AUXILIARY.search(flat)
        and not _PREPOSITION_BEFORE.search(flat, 0, start)
    )
    whole_clause = subject and subject.end() == start and words[-1].isalpha()
    participle = _PARTICIPLE.search(words[-1]) and _PASSIVE.search(flat)
    return " ".join(words[:-1] if known or whole_clause or participle else words)


_TURKISH_VERB = re.compile(
    r"(?:[dt][iu][mkn]?|[iu]yor\w*|m[iu]s\w*|[ae]c[ae][gk]\w*|[^aeiu][aeiu]r(?:[iu]m)?|l[iu]y[iu]m)$"
)
_PRONOUN_BEFORE = re.compile(r"\b(?:i|we|you|he|she|they|one)\s+(?:\w+ly\s+)?$")
_PREPOSITION_BEFORE = re.compile(
    r"\b(?:about|on|of|for|with|in|to|from|at|by|into)\s+(?:(?:the|a|an|my|our)\s+)?$"
)
_ASKS_WITH_VERB = re.compile(
    r"^(?:\w+ ){0,3}?(?:do|does|did|will|can|could|would|should)\s+(?:(?:the|a|an|my|our|this)\s+)?"
)
_PARTICIPLE = re.compile(r"(?:ed|built|held|paid|taken|written|made|sent|lost)$")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|has|have|been|be)\b")


def _only_meta(phrase: str) -> bool:
    return all(word in META or word.isdigit() for word in _WORD.findall(flatten(phrase)))


# "My knowledge of soil" and "thinking about soil" ask about soil.
_HOLDER = re.compile(rf"(?:{'|'.join(sorted(OWN))}) of (?=\w)")
_OWNER_BEFORE = re.compile(r"\b(?:my|our)\s+(?:own\s+)?$")
_ABOUT_AFTER = re.compile(r"\s+about\b")


def _length_of_holder(phrase: str) -> int:
    holder = _HOLDER.match(flatten(phrase))
    return holder.end() if holder else 0


def _distinct(phrases: Iterator[str] | list[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for phrase in phrases:
        if phrase:
            seen.setdefault(fold_name(phrase), phrase)
    return tuple(seen.values())[:MAX_CONCEPTS]


# --- subjects ------------------------------------------------------------------------------

_OPENING = re.compile(
    r"^(?:please )?(?:.*\b(?:differences?|similarit\w+|comparison|distinction|distinguish|choose"
    r"|decide|trade-?offs?|relationship|connection)\b(?: \w+){0,3}? (?:between|of|among)\b"
    r"|.*\bbetween\b|.*\b(?:pros and cons|advantages?|disadvantages?|benefits) of\b"
    r"|.*\bdistinguish\b|.*\b(?:compare|contrast)\b|.*\bwhat do\b|^how (?:do|does|is|are)\b"
    r"|^(?:should|shall|can|could|do|does|did|would) (?:i|we|you|one)\b(?: (?:use|choose|pick|buy"
    r"|get|prefer|take|go with|learn|read))?"
    r"|^(?:is|are|was|were|does|do|did)\b(?: it better to| better)?)"
)
_ALTERNATIVES = re.compile(r"[^,:;?]+\bor\b[^,:;?]+(?=\?|$)")
_TURKISH_CHOICE = re.compile(r"[^,:;?]+?\bm[iu]\b(?:\s+yoksa\b)?[^,:;?]+\bm[iu]\b")
_TURKISH_THAN = re.compile(r"^\s*(\S.*?)\s+(\S+?)'?[dt][ae]n\s+(?=daha\b)")
_ON = re.compile(
    r"^\s*(?:my )?(?:notes?|ideas?|views?|thoughts?|thinking|opinions?|knowledge) (?:on|about) "
)
_TAIL = re.compile(
    r"\b(?:for|when|while|if|in terms of|regarding|with respect to|in my|as a|on the basis"
    r"|because)\b.*$|\b(?:arasindaki|arasinda|hangi\w*|daha|nasil|karsilastir\w*|kiyasla\w*|fark\w*)\b.*$"
)
_DELIMITER = re.compile(
    r"\s*(?:,\s*(?:and|or)\b|,|;|&|\bvs\b\.?|\b(?:is |are )?(?:different|differs?|distinct)"
    r" (?:from|than|to)\b|\bas \w+ as\b"
    r"|\b(?:versus|and|or|than|compared (?:to|with)|against|as opposed to|rather than|instead of"
    r"|similar to|over|with|to|from|ile|ve|veya|yoksa|m[iu](?:\s+yoksa)?|gore)\b)\s*"
)


def _compared_part(flat: str) -> Span:
    """Where the compared things stand: after the words that ask, before any condition."""
    start, end = 0, len(flat)
    if turkish := _TURKISH_CHOICE.search(flat):
        return turkish.span()
    choice = _ALTERNATIVES.search(flat)
    if choice and choice.start() > 0:
        start = choice.start()
    elif opening := _OPENING.search(flat):
        start = opening.end()
    if ":" in flat[start:]:
        start = flat.index(":", start) + 1
    tail = _TAIL.search(flat, start)
    if tail and tail.start() > start + 1:
        end = tail.start()
    return start, end


def _split(flat: str, part: Span, whole: list[Span]) -> Iterator[Span]:
    start = part[0]
    for match in _DELIMITER.finditer(flat, *part):
        if _overlaps(match.span(), whole) or match.start() < start:
            continue
        yield start, match.start()
        start = match.end()
    yield start, part[1]


def _trim(part: str, edge: Set[str]) -> str:
    """Without words at either end that only ask or judge."""
    words = list(_WORD.finditer(part))
    while words and (flatten(words[0][0]) in edge) and not _marked(part, words[0].start()):
        words.pop(0)
    while words and (flatten(words[-1][0]) in edge) and not _marked(part, words[-1].start()):
        words.pop()
    return _without_ending(part[words[0].start() : words[-1].end()]) if words else ""


def _marked(part: str, position: int) -> bool:
    return any(start <= position < end for start, end in _whole_names(part, frozenset()))
