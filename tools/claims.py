"""From the text of a note to claims, and from two claims to what they share and where they differ.

Everything here is pure: sentences with their offsets, the filter that keeps assertions, the form
of one claim, and the alignment of two. No tagger and no model: word lists and suffixes.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

from tools import lexicon
from tools.domain import Claim

# --- sentences -----------------------------------------------------------------------------

type SentenceKind = Literal["prose", "heading", "item", "task", "cell", "field"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence without its markup; ``[start, end)`` is where it stands in the given text."""

    text: str
    start: int
    end: int
    kind: SentenceKind = "prose"


@dataclass(slots=True)
class _Unit:
    """Text that no sentence crosses, and the place of each of its characters."""

    kind: SentenceKind
    chars: str
    places: list[int]


_FENCE = re.compile(r"(?:`{3,}|~{3,}|\$\$|%%(?!.*%%))")
_RULE = re.compile(r"(?:[-*_=] ?){3,}|\|?[\s:|-]*-[\s:|-]*\|?")
_QUOTE = re.compile(r"(?:\s{0,3}>)+ ?(?:\[!\w+\][+-]? ?)?")
_HEADING = re.compile(r"#{1,6}\s+")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_TASK = re.compile(r"\[[ xX/>-]\]\s+")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]:\s+")
_FIELD = re.compile(r"[\w -]{1,40}::\s")
_MARKUP = re.compile(
    r"!\[\[[^\]\n]*\]\]|!\[[^\]\n]*\]\([^)\n]*\)|\[\^[^\]\s]+\]|%%.*?%%"
    r"|\[\[(?:[^\]|\n]*\|)(?P<alias>[^\]|\n]+)\]\]|\[\[(?P<target>[^\]|#\n]*)[^\]|\n]*\]\]"
    r"|\[(?P<label>[^\]\n]+)\]\([^)\n]*\)|(?P<tick>`+)(?P<code>[^`\n]+)(?P=tick)"
    r"|https?://[^\s<>)]*[^\s<>).,;:!?]|</?[A-Za-z][^>\n]*>|\s\^[\w-]+\s*$"
    r"|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|~~|=="
    r"|\\(?P<escaped>[^\w\s])|(?<!\S)#(?=[^\W\d])"
)
# Inside a link or code a full stop ends nothing: it is masked until the sentence is cut.
_MASK = str.maketrans(".!?…", "\ue000\ue001\ue002\ue003")
_UNMASK = str.maketrans("\ue000\ue001\ue002\ue003", ".!?…")
_END = re.compile(r"(?P<mark>[.!?…]+)[\"'”’»)\]]*(?=\s|$)")


def _units(text: str) -> Iterator[_Unit]:
    """Paragraphs, items, headings and cells, without code, comments and front matter."""
    current: _Unit | None = None
    for at, line in _prose_lines(text):
        quote = _QUOTE.match(line)
        start = quote.end() if quote else 0
        body = line[start:].rstrip()
        item = _ITEM.match(body)
        code = not item and current is None and body.startswith(("    ", "\t"))
        kind, width = _marker(body)
        callout = quote is not None and "[!" in quote[0]
        begins = width > 0 or callout or kind != "prose"
        blank = code or not body.strip() or _RULE.fullmatch(body.strip()) is not None
        if current and (blank or begins):
            yield current
            current = None
        if blank:
            continue
        start += width
        body = body[width:]
        places = list(range(at + start, at + start + len(body)))
        if kind == "cell":
            for cell in re.finditer(r"[^|]+", body):
                yield _Unit(kind, cell[0], places[cell.start() : cell.end()])
            continue
        if current:
            current.chars += " " + body
            current.places += [at, *places]
        else:
            current = _Unit(kind, body, places)
        hard = line.endswith(("  \n", "\\\n")) or body.endswith("<br>")
        if kind in {"heading", "field"} or hard or callout:
            yield current
            current = None
    if current:
        yield current


def _prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line outside code, formulas, comments and front matter, with its offset.

    What opens and closes such a part stands in as an empty line.
    """
    offset = 0
    fence = "---" if re.match(r"---\s*\n", text) else ""
    for number, line in enumerate(text.splitlines(keepends=True)):
        at, offset = offset, offset + len(line)
        body = _QUOTE.sub("", line, count=1).strip()
        if fence:
            if number and body.startswith(fence):
                fence = ""
            yield at, ""
        elif opening := _FENCE.match(body):
            closed = body != opening[0] and body.endswith(opening[0])
            fence = "" if closed else opening[0]
            yield at, ""
        else:
            yield at, line


def _marker(body: str) -> tuple[SentenceKind, int]:
    """What a line's beginning makes of it, and how long that beginning is."""
    if match := _HEADING.match(body):
        return "heading", match.end()
    if body.startswith("|") or body.count(" | ") > 1:
        return "cell", 0
    width = 0
    if match := _ITEM.match(body) or _FOOTNOTE.match(body):
        width = match.end()
    if task := _TASK.match(body, width):
        return "task", task.end()
    if _FIELD.match(body, width):
        return "field", width
    return "item" if _ITEM.match(body) else "prose", width


def _without_markup(unit: _Unit) -> tuple[str, list[int]]:
    parts: list[str] = []
    places: list[int] = []
    last = 0
    for match in _MARKUP.finditer(unit.chars):
        parts.append(unit.chars[last : match.start()])
        places += unit.places[last : match.start()]
        last = match.end()
        if match.lastgroup in {"alias", "target", "label", "code", "escaped"}:
            name = match.lastgroup
            parts.append(match[name].translate(_MASK))
            places += unit.places[match.start(name) : match.end(name)]
    parts.append(unit.chars[last:])
    places += unit.places[last:]
    return "".join(parts), places


def _ends_sentence(chars: str, match: re.Match[str]) -> bool:
    following = chars[match.end() :].lstrip(" \"'“‘(*_")
    if not following:
        return True
    upper = following[0].isupper()
    mark = match["mark"]
    if mark != ".":
        ellipsis = "…" in mark or ".." in mark
        return upper or not (ellipsis or match[0].endswith(("'", '"', "”", "’", ")")))
    word = chars[: match.start()].rsplit(None, 1)[-1] if match.start() else ""
    word = word.lstrip("\"'“‘([*_")
    initial = len(word) == 1 and word.isupper()
    word = lexicon.fold(word)
    starts = following.split(None, 1)[0].lower().strip(",.;:") in lexicon.STARTERS
    if word in lexicon.ABBREVIATIONS or initial:
        return upper and starts and word not in {"dr", "mr", "mrs", "ms", "prof", "eg", "ie"}
    if word.isdigit():
        return upper or not following[0].isalpha()
    return upper or not following[0].islower() or len(word) > 2


def sentences(text: str) -> list[Sentence]:
    """The sentences of a markdown text, in order and without overlap; code is left out."""
    found: list[Sentence] = []
    for unit in _units(text):
        chars, places = _without_markup(unit)
        start, taken = 0, 0
        stops = [m.end() for m in _END.finditer(chars) if _ends_sentence(chars, m)]
        for stop in (*stops, len(chars)):
            piece = chars[start:stop].strip()
            if any(char.isalnum() for char in piece):
                last = start + len(chars[start:stop].rstrip()) - 1
                first = max(taken, bisect_left(unit.places, places[start]) if start else 0)
                while unit.chars[first].isspace():
                    first += 1
                end = bisect_left(unit.places, places[last]) + 1
                while end < len(unit.chars) and not unit.chars[end].isspace():
                    end += 1
                taken = end
                cleaned = " ".join(piece.translate(_UNMASK).split())
                found.append(
                    Sentence(cleaned, unit.places[first], unit.places[end - 1] + 1, unit.kind)
                )
            start = stop
    return found


# --- which sentences assert something ------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W\d_]+)*|\d+(?:[.,]\d+)*")
_META = re.compile(
    r"(?:(?:in )?(?:this|the following|the next|the previous|each|these) (?:notes?|document|page"
    r"|section|chapter|article|post|essay|file|list|table|figure|paper|template|vault)\b"
    r"|see (?:also|more|the|here|below|above|my|for)\b|see:|related\b|references?\b|sources?\b"
    r"|further reading|read more|more (?:on|about|in) |as (?:mentioned|discussed|seen|noted|shown)"
    r"|to-?do\b|tl;?dr|note to self|table of contents|tags?:|links?:|cf\b|via\b|from:"
    r"|bu (?:not|belge|yazi|sayfa|bolum)\b|ayrica (?:bkz|bak)|bkz|kaynak|ilgili\b)"
)
_OPINION = re.compile(
    r"\b(?:i (?:\w+ )?(?:think|believe|feel|guess|suspect|find|doubt|prefer|hope)|in my (?:opinion"
    r"|view|experience)|im(?:h)?o|personally|seems? to me|to my mind|arguably"
    r"|i'm (?:convinced|sure)"
    r"|bence|sanirim|bana gore|kanimca|dusunuyorum|inaniyorum|zannediyorum)\b"
)
LONGEST_CLAIM = 60
"""Words; what is longer is a list or a run-on text, not one assertion."""


_PERSONS = frozenset({"i", "we", "he", "she", "they"})


def _verb_at(words: Sequence[str]) -> int | None:
    """Where the first finite verb of a folded English sentence stands, behind its subject."""
    in_relative_clause = -1
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        relative = before in {"which", "who"} or (before == "that" and at > 1)
        if word in lexicon.AUXILIARIES and not relative and (at or "'" in word[1:]):
            return at
        if not at or before in lexicon.BEFORE_NOUNS or before in lexicon.ORDINALS:
            continue
        told = before in _PERSONS and word not in lexicon.FUNCTION and not word.endswith("ly")
        if told or _finite(word):
            # "which improves recall": the noun after it may look like a verb, too.
            if not relative and in_relative_clause != at - 1:
                return at
            in_relative_clause = at
    return None


def _past_tense(words: Sequence[str]) -> bool:
    verb = _verb_at(words)
    if verb is None:
        return False
    shaped = words[verb].endswith("ed") or words[verb] in lexicon.PAST_FORMS
    return shaped or words[verb] in lexicon.PAST_TENSE


def _finite(word: str) -> bool:
    if word.endswith(("ing", "ness", "ment", "tion")):
        return False
    if lexicon.english_stem(word) in lexicon.VERBS:
        return True
    return len(word) > 5 and word.endswith(("izes", "ises", "ifies", "ized", "ised", "ified"))


def _asserts(sentence: Sentence) -> bool:
    text = sentence.text.rstrip("\"'”’)»*_ ")
    folded = lexicon.fold(text)
    words = _WORD.findall(folded)
    if (
        text.endswith(("?", ":", "…", "..."))
        or sentence.kind in {"task", "field"}
        or not 2 <= len(words) <= LONGEST_CLAIM
        or _META.match(folded)
    ):
        return False
    imperative = words[0] in lexicon.IMPERATIVES
    if lexicon.is_turkish(text):
        return not imperative and not {"mi", "mu"} & set(words) and lexicon.turkish_verb(words[-1])
    if len(words) < 3:
        return False
    if imperative:
        head = words[1:3] if words[1] not in {"that", "if", "whether", "how", "what"} else []
        return any(word in lexicon.AUXILIARIES for word in head)
    verb = _verb_at(words)
    # A verb that ends a line without a full stop is more often the last noun of a heading.
    loose = verb == len(words) - 1 and text[-1].isalnum()
    return verb is not None and not loose


def extract_claims(
    text: str,
    *,
    line_start: int,
    note_path: str,
    note_title: str,
    heading: str | None = None,
    timestamp: datetime | None = None,
) -> tuple[Claim, ...]:
    """The assertions of an excerpt that begins at ``line_start``; a claim's words are verbatim.

    Only line breaks inside a claim become one space. Opinions are claims and marked as such.
    """
    breaks = [match.start() for match in re.finditer("\n", text)]
    claims: list[Claim] = []
    for sentence in sentences(text):
        if sentence.kind == "heading":
            heading = sentence.text
        if not _asserts(sentence):
            continue
        words = re.sub(r"\s*\n[\s>]*", " ", text[sentence.start : sentence.end])
        claims.append(
            Claim(
                note_path=note_path,
                note_title=note_title,
                text=words,
                line=line_start + bisect_right(breaks, sentence.start),
                heading=heading,
                timestamp=timestamp,
                opinion=_OPINION.search(lexicon.fold(sentence.text)) is not None,
            )
        )
    return tuple(claims)


# --- the form of one claim -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """One word: its stem, whether a negation governs it, and how much it says (0 is nothing)."""

    text: str
    word: str
    stem: str
    negated: bool = False
    weight: float = 0.0
    in_subject: bool = False


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measured or counted value as the span it allows, in the base unit of its dimension.

    ``unit`` is a dimension, the counted noun's stem, or for a bare number the stem before it.
    """

    low: float
    high: float
    unit: str
    text: str
    place: int


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """What one claim says, as far as its words show it.

    ``subject`` holds the stems before the verb; it is empty where a pronoun stands for it.
    ``weak`` marks a negation that leaves exceptions (not always), ``past`` a state that the claim
    itself calls over, ``anaphoric`` a subject that only the surroundings name.
    """

    text: str
    tokens: tuple[Token, ...]
    subject: tuple[str, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    dates: frozenset[str] = frozenset()
    turkish: bool = False
    question: bool = False
    weak: bool = False
    universal: bool = False
    existential: bool = False
    hedged: bool = False
    conditional: bool = False
    restricted: bool = False
    anaphoric: bool = False
    past: bool = False
    past_tense: bool = False

    @property
    def compares(self) -> bool:
        """Whether the claim ranks one thing against another."""
        return any(token.word == "than" for token in self.tokens)

    @property
    def denial(self) -> str:
        """The words that deny, up to the first word they deny that says something."""
        denying = (
            at for at, t in enumerate(self.tokens) if t.negated and t.word in lexicon.NEGATORS
        )
        start = next(denying, None)
        if start is None:
            return next(
                (t.text for t in self.tokens if t.word in lexicon.TURKISH_NEGATORS), ""
            ) or next((t.text for t in reversed(self.tokens) if t.negated and t.weight), "")
        stop = next((at for at in range(start, len(self.tokens)) if self.tokens[at].weight), start)
        if start and self.tokens[start - 1].word in lexicon.AUXILIARIES:
            start -= 1
        words = [token.text for token in self.tokens[start : stop + 1]]
        return " ".join(word for at, word in enumerate(words) if word not in words[at - 1 : at])

    @property
    def negated(self) -> bool:
        """Whether any word stands under an odd number of negations."""
        return any(token.negated for token in self.tokens)


_TOKEN = re.compile(
    r"(?P<date>\d{4}-\d{2}(?:-\d{2})?)(?![\d-])|(?P<clock>\d{1,2}:\d{2})(?!\d)"
    r"|(?P<number>(?:(?<![\w.,)])[-−])?\d+(?:[.,]\d+)*)(?P<ordinal>(?:st|nd|rd|th)\b)?"
    r"|(?P<unit>mS/cm|µS/cm|km/h|m/s|g/l|mg/l|°\s?[CF]|[%$€£₺])"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W\d_]+)*[²³]?)|(?P<mark>[,;:()—–~≈<>≥≤-])"
)
_ADVERB_WEIGHT = 0.3
_PLAIN_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)*(?:n't)?")


def _split(text: str) -> list[tuple[str, str, str]]:
    """Each token's kind, its surface and its folded form, contractions taken apart."""
    tokens: list[tuple[str, str, str]] = []
    for match in _TOKEN.finditer(text):
        kind, surface = str(match.lastgroup), match[0]
        word = lexicon.fold_word(surface)
        if word in lexicon.CONTRACTIONS or word.endswith("n't"):
            head = lexicon.CONTRACTIONS.get(word, word[:-3])
            tokens += [("word", surface, head), ("word", surface, "not")]
        elif (tail := word.find("'")) > 0 and word[tail:] in lexicon.CLITICS:
            tokens += [("word", surface, word[:tail]), ("word", "", word[tail:])]
        else:
            tokens.append((kind, surface, word))
    return tokens


def _phrase(words: Sequence[str], at: int, phrases: frozenset[str]) -> bool:
    return any("+".join(words[at : at + length]) in phrases for length in (1, 2, 3))


def _negation(words: Sequence[str], *, turkish: bool) -> tuple[list[bool], bool]:
    """For each word whether negations over it are odd, and whether one leaves exceptions."""
    negated = [False] * len(words)
    weak = False
    if turkish:
        count = sum(lexicon.turkish_negative(word) for word in words)
        count += sum(word in lexicon.TURKISH_NEGATORS for word in words)
        return [count % 2 == 1] * len(words), False
    for at, word in enumerate(words):
        phrase = _phrase(words, at, lexicon.NEGATOR_PHRASES)
        if not phrase and word not in lexicon.NEGATORS:
            continue
        before = words[at - 1] if at else ""
        if _phrase(words, at, lexicon.NO_NEGATION) or (before in {"or", "if"} and word == "not"):
            continue
        if before == "no" and word in {"one", "longer"}:
            continue
        following = words[at + 1 : at + 2]
        if following and following[0] in lexicon.WEAK:
            weak = True
            continue
        limit = 4 if word == "without" else len(words)
        for to in range(at, min(len(words), at + limit)):
            stop = words[to] in lexicon.BREAKS or (words[to] == "," and to - at > 1)
            if to > at and (stop or _new_predicate(words, to)):
                break
            negated[to] = not negated[to]
    return negated, weak


def _new_predicate(words: Sequence[str], at: int) -> bool:
    following = words[at + 1 : at + 5]
    return words[at] in {"and", "or"} and any(
        word in lexicon.AUXILIARIES or word == "not" for word in following
    )


def _verb_by_shape(words: Sequence[str], weights: Sequence[float]) -> int | None:
    """Where an unlisted verb may stand: after a noun, and one of the two ends in -s."""
    for at in range(1, len(words)):
        if weights[at - 1] == 1 and weights[at] == 1:
            plural = [
                word.endswith("s") and not word.endswith("ss") for word in words[at - 1 : at + 1]
            ]
            if plural[0] != plural[1]:
                return at
    return None


def _subject(words: Sequence[str], weights: Sequence[float]) -> range:
    """The span before the verb without leading adjuncts and what a preposition adds."""
    if words[:1] == ["there"]:
        first = next((at for at, weight in enumerate(weights) if weight), len(words))
        end = first
        while end < len(words) and (weights[end] or words[end] in {"and", ","}):
            if end > first and words[end].endswith("ing"):
                break
            end += 1
        return range(first, end)
    verb = _verb_at(words)
    if verb is None:
        verb = _verb_by_shape(words, weights)
    if verb is None:
        return range(0)
    start = max((at + 1 for at in range(verb) if words[at] == ","), default=0)
    seen = False
    for at in range(start, verb):
        if seen and words[at] in lexicon.PREPOSITIONS:
            return range(start, at)
        seen = seen or weights[at] > 0
    return range(start, verb)


def _points_elsewhere(words: Sequence[str], subject: range, weights: Sequence[float]) -> bool:
    """Whether the subject is a pronoun, so that only its surroundings say who is meant."""
    span = [words[at] for at in subject] or list(words[:1])
    return not any(weights[at] for at in subject) and bool(lexicon.PRONOUNS & set(span))


def _stand_in(words: Sequence[str]) -> tuple[str, ...]:
    """The subject where no noun names it: the speaker, or people at large."""
    speaker = next((word for word in words if word in {"i", "we", "you"}), None)
    if speaker:
        return (speaker,)
    people = {"nobody", "noone", "one", "someone", "somebody", "everyone", "everybody", "anyone"}
    return ("person",) if people & set(words) else ()


def _dates(tokens: Sequence[tuple[str, str, str]]) -> dict[int, str]:
    """The place of each word that dates the claim, and its date: a year, month, day or season."""
    dates: dict[int, str] = {}
    for at, (kind, surface, word) in enumerate(tokens):
        before = tokens[at - 1][2] if at else ""
        if kind == "date":
            dates[at] = word
        elif kind == "number" and re.fullmatch(r"1[5-9]\d\d|20\d\d", word):
            counted = at + 1 < len(tokens) and tokens[at + 1][0] == "unit"
            turkish = tokens[at + 1 : at + 2] and tokens[at + 1][2].startswith("yil")
            if not counted and (
                turkish or before in lexicon.BEFORE_YEARS or before in lexicon.MONTHS or not at
            ):
                dates[at] = word
        elif (
            word in lexicon.MONTHS
            and surface[:1].isupper()
            and (at or word not in {"may", "march"})
        ):
            dates[at] = "-" + lexicon.MONTHS[word]
        elif word in lexicon.SEASONS and before in {"in", "during", "this", "last", "every", "by"}:
            dates[at] = word
    return dates


@lru_cache(maxsize=8192)
def analyse(text: str, *, turkish: bool | None = None) -> ClaimForm:
    """The form of one sentence without its markup; the language is guessed unless given."""
    plain = " ".join(sentence.text for sentence in sentences(text)) or text
    split = _split(plain)
    words = [word for _, _, word in split]
    turkish = lexicon.is_turkish(plain) if turkish is None else turkish
    negated, weak = _negation(words, turkish=turkish)
    dates = _dates(split)
    quantities, used = _quantities(split, dates, turkish=turkish)
    weights = _weights(split, used | dates.keys(), turkish=turkish)
    subject = _subject(words, weights) if not turkish else range(0)
    tokens = tuple(
        Token(
            text=surface,
            word=word,
            stem=lexicon.stem(word, turkish=turkish),
            negated=negated[at],
            weight=weights[at],
            in_subject=at in subject,
        )
        for at, (_, surface, word) in enumerate(split)
    )
    present = frozenset(words)
    return ClaimForm(
        text=plain,
        tokens=tokens,
        subject=tuple(tokens[at].stem for at in subject if weights[at])
        or _stand_in([words[at] for at in subject] or words[:1]),
        quantities=quantities,
        dates=frozenset(dates.values()),
        turkish=turkish,
        question=plain.rstrip("\"'”’)").endswith("?"),
        weak=weak,
        universal=bool(present & lexicon.UNIVERSAL),
        existential=bool(present & lexicon.EXISTENTIAL),
        hedged=bool(present & lexicon.HEDGES),
        conditional=bool(present & lexicon.CONDITIONS) or words[:1] == ["without"],
        restricted=bool(present & {"only", "solely", "too"}),
        anaphoric=not turkish and _points_elsewhere(words, subject, weights),
        past=bool(present & lexicon.PAST) or "used to" in " ".join(words),
        past_tense=_past_tense(words),
    )


def _weights(
    split: Sequence[tuple[str, str, str]], used: frozenset[int] | set[int], *, turkish: bool
) -> list[float]:
    """How much each word says: 0 for function words and for what a comparison only adds."""
    weights: list[float] = []
    words = [word for _, _, word in split]
    compared = False
    for at, (kind, _, word) in enumerate(split):
        compared = (compared or _phrase(words, at, lexicon.COMPARISONS)) and kind != "mark"
        before = split[at - 1] if at and weights[at - 1] == 1 else ("", "", "")
        label = len(word) == 1 and split[at][1].isupper() and kind == "word"
        if (label and before[0] == "word") or (kind == "number" and before[2] in lexicon.LABELS):
            weights.append(1.0)
        elif (
            kind != "word"
            or at in used
            or compared
            or word in lexicon.FUNCTION
            or word in lexicon.NEGATORS
            or _phrase(words, at, lexicon.NEGATOR_PHRASES)
            or words[at - 1 : at + 1] == ["no", "longer"]
            or (len(word) == 1 and not turkish)
        ):
            weights.append(0.0)
        elif word.endswith("ly") and len(word) > 4 and not turkish:
            weights.append(_ADVERB_WEIGHT)
        else:
            weights.append(1.0)
    return weights


# --- quantities ----------------------------------------------------------------------------

_TOLERANCE = 0.04
_ROUGH_TOLERANCE = 0.2


def _value(kind: str, word: str, *, turkish: bool) -> float | None:
    """The number a token stands for; None for a version or what is no number."""
    if kind == "clock":
        hours, minutes = word.split(":")
        return int(hours) * 60.0 + int(minutes)
    if kind != "number":
        return (lexicon.TURKISH_NUMBER_WORDS if turkish else lexicon.NUMBER_WORDS).get(word)
    digits = re.sub(r"(?:st|nd|rd|th)$", "", word).replace("−", "-")
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return float(digits.replace(",", ""))
    if turkish and re.fullmatch(r"-?\d{1,3}(?:\.\d{3})+", digits):
        return float(digits.replace(".", ""))
    digits = digits.replace(",", ".")
    return float(digits) if digits.count(".") < 2 else None


def _quantities(
    split: Sequence[tuple[str, str, str]], dates: dict[int, str], *, turkish: bool
) -> tuple[tuple[Quantity, ...], set[int]]:
    """The quantities of a claim and the places of the words that spell them."""
    found: list[Quantity] = []
    used: set[int] = set()
    at = 0
    while at < len(split):
        parsed = None if at in dates else _quantity(split, at, turkish=turkish)
        if parsed is None:
            at += 1
            continue
        quantity, end = parsed
        found.append(quantity)
        used |= set(range(at, end))
        at = end
    return tuple(found), used


def _number(
    split: Sequence[tuple[str, str, str]], at: int, *, turkish: bool
) -> tuple[float, int] | None:
    """The number that begins at a token, spelled or in digits, and where it ends."""
    kind, _, word = split[at]
    scales = lexicon.TURKISH_SCALES if turkish else lexicon.SCALES
    value = _value(kind, word, turkish=turkish)
    if value is None:
        hyphened = word.split("-")
        if len(hyphened) == 2 and hyphened[0] in lexicon.TENS and hyphened[1] in lexicon.ONES:
            value = lexicon.NUMBER_WORDS[hyphened[0]] + lexicon.NUMBER_WORDS[hyphened[1]]
        elif word in scales and word != "k" and at and split[at - 1][2] in {"a", "one"}:
            return scales[word], at + 1
        else:
            return None
    end = at + 1
    if word in lexicon.TENS and end < len(split) and split[end][2] in lexicon.ONES[1:10]:
        value, end = value + lexicon.NUMBER_WORDS[split[end][2]], end + 1
    while end < len(split) and split[end][2] in scales:
        value, end = value * scales[split[end][2]], end + 1
    return value, end


def _quantity(
    split: Sequence[tuple[str, str, str]], at: int, *, turkish: bool
) -> tuple[Quantity, int] | None:
    kind, surface, word = split[at]
    words = [token[2] for token in split]
    if split[at][1].endswith(("st", "nd", "rd", "th")) and kind == "number":
        value = _value(kind, word, turkish=turkish)
        return _ordinal(split, at, value or 0.0, turkish=turkish)
    if word in lexicon.ORDINALS and words[at - 1 : at] != ["a"]:
        return _ordinal(split, at, lexicon.ORDINALS[word], turkish=turkish)
    first = _number(split, at, turkish=turkish)
    if first is None or (at and words[at - 1] in lexicon.LABELS):
        return None
    low, end = first
    high = low
    if end + 1 < len(split) and words[end] in {"-", "–", "—", "to", "and"}:
        between = words[end] != "and" or "between" in words[max(0, at - 2) : at]
        second = _number(split, end + 1, turkish=turkish) if between else None
        if second and second[0] > low:
            high, end = second
    unit, factor, stop = _unit(split, at, end, turkish=turkish)
    if kind == "clock":
        unit, factor = "clock", 1.0
    low, high = low * factor, high * factor
    lead = words[max(0, at - 3) : at]
    rough = bool(set(lead[-2:]) & lexicon.APPROXIMATE)
    slack = _ROUGH_TOLERANCE if rough else _TOLERANCE if "." in surface or abs(low) > 20 else 0.0
    low, high = low - abs(low) * slack, high + abs(high) * slack
    bound = next((side for pair, side in lexicon.BOUNDS.items() if tuple(lead[-2:]) == pair), 0)
    if bound > 0 or set(lead[-1:]) & lexicon.AT_LEAST or words[stop : stop + 2] == ["or", "more"]:
        high = float("inf")
    elif bound < 0 or set(lead[-1:]) & lexicon.AT_MOST or words[stop : stop + 2] == ["or", "less"]:
        low = float("-inf")
    named = stop + (unit not in lexicon.DIMENSIONS and not unit.startswith("bare") and stop == end)
    text = " ".join(token[1] for token in split[at:named]).replace(" %", "%")
    return Quantity(low, high, unit, text, at), stop


def _ordinal(
    split: Sequence[tuple[str, str, str]], at: int, value: float, *, turkish: bool
) -> tuple[Quantity, int] | None:
    following = split[at + 1] if at + 1 < len(split) else ("mark", "", "")
    if following[0] != "word" or following[2] in lexicon.FUNCTION:
        return None
    unit = "ordinal " + lexicon.stem(following[2], turkish=turkish)
    return Quantity(value, value, unit, f"{split[at][1]} {following[1]}", at), at + 1


def _unit(
    split: Sequence[tuple[str, str, str]], at: int, end: int, *, turkish: bool
) -> tuple[str, float, int]:
    """The unit of the number in ``[at, end)``, its factor, and where number and unit end."""
    before = split[at - 1] if at else ("", "", "")
    if before[2] in {"$", "€", "£", "₺", "yuzde"} or (before[2] == "%" and turkish):
        dimension, factor = lexicon.UNITS[before[2]]
        return dimension, factor, end
    if end < len(split):
        kind, surface, word = split[end]
        surface = surface.replace(" ", "")
        known = (
            lexicon.UNITS.get(surface)
            or lexicon.UNITS.get(word)
            or lexicon.UNITS.get(lexicon.english_stem(word))
        )
        if known and not (word in {"m", "l", "h", "v", "w"} and split[end - 1][0] != "number"):
            dimension, factor = known
            rate = [token[2] for token in split[end + 1 : end + 3]]
            if len(rate) == 2 and rate[0] in {"per", "a", "an", "each", "every"}:
                per = lexicon.english_stem(rate[1])
                if lexicon.UNITS.get(rate[1], lexicon.UNITS.get(per, ("", 0)))[0] == "time":
                    return f"{dimension}/{per}", factor, end + 3
            return dimension, factor, end + 1
        if kind == "word" and word not in lexicon.FUNCTION:
            return lexicon.stem(word, turkish=turkish), 1.0, end
    stem = next(
        (
            lexicon.stem(word, turkish=turkish)
            for kind, _, word in reversed(split[:at])
            if kind == "word" and word not in lexicon.FUNCTION
        ),
        "",
    )
    return f"bare {stem}", 1.0, end


def _ordinals_in_subject(form: ClaimForm) -> frozenset[float]:
    return frozenset(
        quantity.low
        for quantity in form.quantities
        if quantity.unit.startswith("ordinal") and form.tokens[quantity.place].in_subject
    )


def conflicting(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities of one unit leave no common value."""
    return one.unit == other.unit and (one.low > other.high or other.low > one.high)


# --- two claims side by side ---------------------------------------------------------------


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words that say something: a cheap view of a claim, to find pairs by."""
    turkish = lexicon.is_turkish(text)
    return frozenset(
        lexicon.stem(word, turkish=turkish)
        for word in _PLAIN_WORD.findall(lexicon.fold(text))
        if word not in lexicon.FUNCTION and word not in lexicon.NEGATORS
    )


type SubjectMatch = Literal["same", "partly", "different", "unknown"]


@dataclass(frozen=True, slots=True)
class Alignment:
    """What two claims share and where they part.

    ``shared`` and the extras are sums of word weights. ``flipped`` are shared words, and
    ``opposites`` pairs of words, that make the claims differ; ``agreeing`` counts opposite pairs
    that a negation on one side takes back. ``extra_negated`` is what only the negated side says.
    """

    shared: float
    extra_a: float
    extra_b: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    flipped: tuple[tuple[Token, Token], ...]
    opposites: tuple[tuple[Token, Token], ...]
    exclusives: tuple[tuple[Token, Token], ...]
    agreeing: int
    shared_tokens: tuple[tuple[Token, Token], ...]
    values: tuple[tuple[Quantity, Quantity], ...]
    subject: SubjectMatch
    swapped: bool
    dates_differ: bool
    extra_negated: float

    @property
    def topic(self) -> float:
        """How much of both claims is about one thing, in [0, 1]; what differs does not count."""
        core = self.shared + 0.5 * (len(self.opposites) + len(self.exclusives) + len(self.values))
        total = core + 0.5 * (self.extra_a + self.extra_b)
        return core / total if total else 0.0


def align(a: ClaimForm, b: ClaimForm) -> Alignment:
    """Match the words of two claims and say what is left over on either side."""
    turkish = a.turkish and b.turkish
    pairs = _matches(a.tokens, b.tokens, turkish=turkish)
    rest_a = [at for at in range(len(a.tokens)) if at not in {one for one, _ in pairs}]
    rest_b = [at for at in range(len(b.tokens)) if at not in {other for _, other in pairs}]
    differing = [
        (one, other)
        for one in rest_a
        for other in rest_b
        if lexicon.opposite(a.tokens[one].stem, b.tokens[other].stem, turkish=turkish)
    ]
    exclusive = [
        (one, other)
        for one in rest_a
        for other in rest_b
        if lexicon.exclusive(a.tokens[one].stem, b.tokens[other].stem)
        and _same_place(a.tokens, one, b.tokens, other)
    ]
    paired = [*differing, *exclusive]
    opposites = _once(differing)
    agreeing = [
        (one, other) for one, other in opposites if a.tokens[one].negated != b.tokens[other].negated
    ]
    left_a = [at for at in rest_a if at not in {one for one, _ in paired}]
    left_b = [at for at in rest_b if at not in {other for _, other in paired}]
    shared = [(a.tokens[one], b.tokens[other]) for one, other in pairs]
    subject, swapped = _subjects(a, b, shared)
    return Alignment(
        shared=sum(max(one.weight, other.weight) for one, other in shared),
        extra_a=sum(a.tokens[at].weight for at in left_a),
        extra_b=sum(b.tokens[at].weight for at in left_b),
        only_a=tuple(a.tokens[at].text for at in left_a if a.tokens[at].weight),
        only_b=tuple(b.tokens[at].text for at in left_b if b.tokens[at].weight),
        flipped=tuple(
            (one, other)
            for one, other in shared
            if one.weight
            and one.negated != other.negated
            and not (one.in_subject and other.in_subject)
        ),
        opposites=tuple(
            (a.tokens[one], b.tokens[other])
            for one, other in opposites
            if (one, other) not in agreeing
        ),
        exclusives=tuple((a.tokens[one], b.tokens[other]) for one, other in _once(exclusive)),
        agreeing=len(agreeing),
        shared_tokens=tuple(shared),
        values=_values(a, b),
        subject=subject,
        swapped=swapped,
        dates_differ=_dates_differ(a.dates, b.dates),
        extra_negated=sum(
            form.tokens[at].weight
            for form, left in ((a, left_a), (b, left_b))
            for at in left
            if form.negated
        )
        if a.negated != b.negated
        else min(
            sum(a.tokens[at].weight for at in left_a), sum(b.tokens[at].weight for at in left_b)
        ),
    )


def _dates_differ(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether both give years, months, days or seasons, and none of a kind in common."""

    def kind(date: str) -> str:
        return re.sub(r"\d", "0", date)

    return any(
        {date for date in a if kind(date) == shape}.isdisjoint(b)
        for shape in {kind(date) for date in a} & {kind(date) for date in b}
    ) or bool(a & lexicon.SEASONS and b & lexicon.SEASONS and not a & b & lexicon.SEASONS)


def _matches(a: Sequence[Token], b: Sequence[Token], *, turkish: bool) -> list[tuple[int, int]]:
    """Pairs of places with one meaning, exact stems first; each place at most once."""
    places: dict[str, list[int]] = {}
    for at, token in enumerate(b):
        places.setdefault(token.stem, []).append(at)
    pairs = [
        (at, places[token.stem].pop(0)) for at, token in enumerate(a) if places.get(token.stem)
    ]
    taken_a, taken_b = {one for one, _ in pairs}, {other for _, other in pairs}
    for one, left in enumerate(a):
        if not left.weight or one in taken_a:
            continue
        for other, right in enumerate(b):
            if right.weight and other not in taken_b and _alike(left, right, turkish=turkish):
                pairs.append((one, other))
                taken_b.add(other)
                break
    return pairs


def _alike(one: Token, other: Token, *, turkish: bool) -> bool:
    if lexicon.synonymous(one.stem, other.stem, turkish=turkish):
        return True
    if {one.stem, other.stem} & lexicon.PERSON and {one.stem, other.stem} & lexicon.PEOPLE:
        return True
    if one.negated != other.negated:
        noun, verb = (one, other) if one.negated else (other, one)
        if noun.stem in lexicon.EFFECTS and verb.stem in lexicon.EFFECT_VERBS:
            return True
    related = one.stem[:6] == other.stem[:6] and len(one.stem[:6]) == 6
    near = related and abs(len(one.stem) - len(other.stem)) < 4
    return near and not lexicon.opposite(one.stem, other.stem, turkish=turkish)


def _same_place(a: Sequence[Token], one: int, b: Sequence[Token], other: int) -> bool:
    """Whether the next word that counts, or the one before, is the same on both sides."""

    def near(tokens: Sequence[Token], at: int, step: int) -> str:
        at += step
        while 0 <= at < len(tokens) and not tokens[at].weight:
            at += step
        return tokens[at].stem if 0 <= at < len(tokens) else ""

    after = near(a, one, 1), near(b, other, 1)
    if after[0] or after[1]:
        return lexicon.synonymous(*after)
    return lexicon.synonymous(near(a, one, -1), near(b, other, -1))


def _once(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for one, other in pairs:
        if all(one != left and other != right for left, right in kept):
            kept.append((one, other))
    return kept


def _values(a: ClaimForm, b: ClaimForm) -> tuple[tuple[Quantity, Quantity], ...]:
    """The pairs of quantities that conflict, as far as it is clear which belong together."""
    left = list(a.quantities)
    right = list(b.quantities)
    for one in a.quantities:
        agreeing = next((q for q in right if q.unit == one.unit and not conflicting(one, q)), None)
        if agreeing:
            left.remove(one)
            right.remove(agreeing)
    conflicts: list[tuple[Quantity, Quantity]] = []
    for one in tuple(left):
        clashing = [q for q in right if conflicting(one, q)]
        if len(clashing) == 1 and sum(q.unit == one.unit for q in left) == 1:
            conflicts.append((one, clashing[0]))
            left.remove(one)
            right.remove(clashing[0])
    return tuple(conflicts)


def _subjects(
    a: ClaimForm, b: ClaimForm, shared: Sequence[tuple[Token, Token]]
) -> tuple[SubjectMatch, bool]:
    """Whether both claims are about one subject, and whether subject and object changed places."""
    if a.turkish and b.turkish:
        first = [next((t for t in form.tokens if t.weight), None) for form in (a, b)]
        together = any(one is first[0] and other is first[1] for one, other in shared)
        return ("same" if together else "different"), False
    if not a.subject or not b.subject:
        return "unknown", False
    ordinals_differ = _ordinals_in_subject(a) != _ordinals_in_subject(b)
    speaker = {a.subject[-1], b.subject[-1]} & {"i", "we", "you"}
    if a.subject == b.subject or ordinals_differ or speaker:
        return ("same" if a.subject == b.subject and not ordinals_differ else "different"), False
    return _named_subjects(a, b, [pair for pair in shared if pair[0].weight and pair[1].weight])


def _named_subjects(
    a: ClaimForm, b: ClaimForm, shared: Sequence[tuple[Token, Token]]
) -> tuple[SubjectMatch, bool]:
    matched_a = {one.stem for one, other in shared if one.in_subject and other.in_subject}
    matched_b = {other.stem for one, other in shared if one.in_subject and other.in_subject}
    crossed_a = any(one.in_subject and not other.in_subject for one, other in shared)
    crossed_b = any(other.in_subject and not one.in_subject for one, other in shared)
    heads = a.subject[-1] in matched_a, b.subject[-1] in matched_b
    if all(heads):
        left_a, left_b = set(a.subject) - matched_a, set(b.subject) - matched_b
        if left_a and left_b:
            return "different", False
        return ("partly" if left_a or left_b else "same"), False
    swapped = crossed_a and crossed_b and not any(heads)
    people = a.subject == ("person",) or b.subject == ("person",)
    related = people or any(heads) or crossed_a or crossed_b
    return ("partly" if related else "different"), swapped
