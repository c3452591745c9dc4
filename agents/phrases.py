"""What a question is about: its concepts, the subjects of a comparison, words of similarity.

Found by leaving out what asks (question words, verbs of asking, filler) and keeping what is asked
about, as the question writes it.
"""

import re
from collections.abc import Iterator, Set

from tools.date_mentions import flatten
from tools.folding import fold_name
from tools.guards import concept as clean

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
    text = _blank(question, dates)
    flat = flatten(text)
    turkish = is_turkish(text)
    whole = _whole_names(text, names)
    phrases = [(start, clean(text[start:end].strip('[]"“”`#'))) for start, end in whole]
    for start, end in _content_runs(flat, whole, _TURKISH_STOP if turkish else _STOP):
        phrase = _without_ending(text[start:end])
        if not _only_meta(phrase):
            phrases.append((start, clean(_without_verb(phrase, flat))))
    return _distinct(phrase for _, phrase in sorted(phrases))


def subjects(
    question: str, *, dates: Span | None = None, names: Set[str] = frozenset()
) -> tuple[str, ...]:
    """What a comparison compares: two or more phrases, or fewer if it names fewer."""
    text = _blank(question, dates)
    flat = flatten(text)
    start, end = _compared_part(flat)
    whole = [span for span in _whole_names(text, names) if start <= span[0] and span[1] <= end]
    parts: list[str] = []
    for first, last in _split(flat, (start, end), whole):
        part = _trim(text[first:last], _TURKISH_EDGE if is_turkish(text) else _EDGE)
        if part and not _only_meta(part):
            parts.append(clean(part.strip('[]"“”`#')))
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
    return bool(_TURKISH_LETTERS.search(text)) or bool(
        _TURKISH_WORDS & set(_WORD.findall(flatten(text)))
    )


# --- vocabulary ----------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_][\w+#]*(?:[-'./&][\w+#]+)*")
_TURKISH_LETTERS = re.compile("[ğışĞİŞ]")
_TURKISH_WORDS = frozenset(
    "nedir neden nicin niye nasil hangi hangisi hakkinda ile ve veya icin arasindaki fark farki ne"
    " bir bu mi mu kac nerede kimdir notlar notlarim karsilastir anlat goster yoksa".split()
)
_SIMILARITY = (
    (re.compile(r"\bvery similar\b|\bcok benze\w+|\bnearly the same\b"), 0.8),
    (re.compile(r"\bclosely (?:related|connected)\b|\byakindan ilgili\b"), 0.7),
    (re.compile(r"\bsimilar\b|\bbenze[rys]\w*"), 0.6),
    (re.compile(r"\brelated\b|\bilgili\b|\biliskili\b"), 0.5),
)

_ASKING = (
    "what what's whats who who's whom whose where where's when when's why how which whether if"
    " tell show give find explain describe define list name compare contrast explore browse search"
    " look looking collect gather summarize summarise surface suggest trace track walk dig let help"
    " can could would should shall will may might must do does did doing done is are was were be been"
    " being am has have had having isn't aren't wasn't don't doesn't didn't can't won't haven't hasn't"
)
_SMALL = (
    "a an the this that these those it its it's i i'm i've me my mine myself we us our you your he she"
    " they them their his her him and or but nor so as at by for from in into of off on onto out over"
    " per than then through to towards under until up upon vs versus via with within without about"
    " around across after against along among before behind below between beyond during like near"
    " since there here not no yes please just only also too very really ever still already again"
    " much many more most less least few any some all each every both either neither other another"
    " else everything anything something nothing one ones own such same"
)
_FILLER = (
    "know knew think thought thoughts say said says mean means meant happen happens happened happening"
    " affect affects affected influence influences influenced impact impacts cause causes caused causing"
    " improve improves improved reduce reduces reduced increase increases increased lead leads led"
    " leading result results help helps helped make makes made making get gets got keep keeps kept become"
    " becomes became evolve evolved evolves evolving evolution changed changes changing differ differs"
    " different difference differences similarity similarities comparison compared comparing distinguish"
    " relationship relationships related relate relates connection connections connected linked reason"
    " reasons effect effects consequence consequences benefit benefits advantages disadvantages pros cons"
    " purpose role mechanism timeline chronology progression history overview definition meaning type"
    " types kind kinds sort example examples everything information info details better worse best worst"
    " learn learned learnt write wrote written read noted decide decided mention mentioned say talk began"
    " believe believed call called exist exists use uses used using need needs want wants prefer stand"
    " stands contribute contributes contributed depend depends understand similar closely collected"
    " understanding opinion view views over time"
)
_STOP = frozenset(f"{_ASKING} {_SMALL} {_FILLER}".split())
_META = frozenset(
    "note notes idea ideas vault thing things stuff topic topics concept concepts subject material"
    " people way ways lot notlar notlarim notlari not fikir fikirler konu sey".split()
)
_TURKISH_STOP = frozenset(
    "nedir ne neyi neden nedeni nicin niye nasil kim kimdir kimin kime hangi hangisi nerede nereye kac"
    " zaman ile ve veya ya da de ki mi mu midir hakkinda ilgili icin gore uzerine olarak olan olur oldu"
    " olmak arasinda arasindaki fark farki farklar farklari farklilik benzerlik benzerlikler ortak"
    " noktalari yonleri karsilastir kiyasla her sey seyi tum butun bana benim ben biz sen bu su o bir"
    " en daha cok gibi kadar sonra once beri var yok yoksa iyi kotu hizli etkiler etkiliyor etkisi"
    " etkileri etkiledi degisti gelisti evrildi biliyorum biliyoruz yazdim ogrendim okudum dusunuyorum"
    " anlat goster acikla tanimla bul listele kesfet bahset bahsetti demek sebebi sebepleri sonuclari"
    " yol acar acti artirir azaltir saglar calisir calisiyor iliskisi iliski tarihcesi kronolojisi"
    " zamanla icinde genel bakis neler nelerdir notlar notlarim notlarimi notlarima notlari fikirler"
    " gorusum anlayisim hakkindaki yapilir kullanilir kullaniyorum lutfen".split()
)
_AMBIGUOUS_VERBS = frozenset(
    "work works change grow help matter form function develop act run fail start end begin shift".split()
)
_AUXILIARY = re.compile(
    r"^(?:how|why|when|where|what)\b.*?\b(?:do|does|did|has|have|had|will|can)\b"
)


# --- concepts ------------------------------------------------------------------------------


def _blank(question: str, dates: Span | None) -> str:
    """The question with ``dates`` and a trailing possessive of them overwritten by a comma."""
    if dates is None:
        return question
    return question[: dates[0]] + "," * (dates[1] - dates[0]) + question[dates[1] :]


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
                if last - first > 1 or flatten(text[slice(*span)]) not in _STOP | _TURKISH_STOP:
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


def _without_verb(phrase: str, flat: str) -> str:
    """Without a last word that is the question's verb: "how does X work"."""
    head, _, last = phrase.rpartition(" ")
    asks = head and flatten(last) in _AMBIGUOUS_VERBS and _AUXILIARY.search(flat)
    return head if asks and flat.rstrip(" ?.!,").endswith(flatten(last)) else phrase


def _only_meta(phrase: str) -> bool:
    return all(word in _META or word.isdigit() for word in _WORD.findall(flatten(phrase)))


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
    r"|^(?:should|shall|can|could|do|does|did|would) (?:i|we|you|one)\b(?: (?:use|choose|pick|buy|get"
    r"|prefer|take|go with|learn|read))?"
    r"|^(?:is|are|was|were|does|do|did)\b(?: it better to| better)?)"
)
_ALTERNATIVES = re.compile(r"[^,:;?]+\bor\b[^,:;?]+(?=\?|$)")
_TAIL = re.compile(
    r"\b(?:for|when|while|if|in terms of|regarding|with respect to|in my|as a|on the basis|because)\b"
    r".*$|\b(?:arasindaki|arasinda|hangi\w*|daha|nasil|karsilastir\w*|kiyasla\w*|fark\w*)\b.*$"
)
_DELIMITER = re.compile(
    r"\s*(?:,\s*(?:and|or)\b|,|;|\bvs\b\.?|\bversus\b|\band\b|\bor\b|&|\bthan\b|\bcompared (?:to|with)\b"
    r"|\bagainst\b|\b(?:is |are )?(?:different|differs?|distinct) (?:from|than|to)\b|\bdiffer from\b"
    r"|\bas opposed to\b|\brather than\b|\binstead of\b|\bsimilar to\b|\bover\b|\bwith\b|\bto\b|\bfrom\b"
    r"|\bile\b|\bve\b|\bveya\b|\byoksa\b|\bm[iu]\b(?:\s+yoksa\b)?|\bgore\b|d[ae]n\s+(?=daha\b))\s*"
)
_EDGE = _STOP | frozenset(
    "cheaper faster slower bigger smaller longer easier harder stronger weaker taller older newer"
    " higher lower good bad effective useful common alike three two several life".split()
)
_TURKISH_EDGE = _TURKISH_STOP


def _compared_part(flat: str) -> Span:
    """Where the compared things stand: after the words that ask, before any condition."""
    start, end = 0, len(flat)
    choice = _ALTERNATIVES.search(flat)
    if (
        choice
        and choice.start() > 0
        and "," in flat[: choice.start() + 1] + flat[choice.start() - 1]
    ):
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
