"""How likely each intent is, from the wording of the question alone: English and Turkish.

Every signal that is present adds its weights to the intents it speaks for; softmax over the sums,
with a temperature, makes probabilities. The weights and the temperature were set on the written
cases in ``evals/data/intents.jsonl``.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from tools.domain import INTENTS, Intent
from tools.folding import flatten

TEMPERATURE = 0.8
DOUBT = 0.06
"""The share kept back from every verdict, since wording can mislead where it seems clear."""
PRIOR = 0.3
"""What speaks for a factual question before a word is read."""
MAX_BARE_WORDS = 6

type Weights = Mapping[Intent, float]


@dataclass(frozen=True, slots=True)
class _Signal:
    name: str
    pattern: re.Pattern[str]
    weights: Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the signals say: ``probabilities`` over the five intents, and the signals' names."""

    probabilities: Weights
    signals: tuple[str, ...]


def read(question: str, *, date_span: tuple[int, int] | None = None) -> Reading:
    """Weigh the question's wording; ``date_span`` is where a date was found in it."""
    text = _comparable(question, date_span)
    present = [signal for signal in _SIGNALS if signal.pattern.search(text)]
    names = tuple(signal.name for signal in present)
    if all(name in _WEAK for name in names) and len(text.split()) <= MAX_BARE_WORDS:
        present.append(_PAIR_OF_TOPICS if _TWO_TOPICS.search(text) else _BARE_TOPIC)
        names = (*names, present[-1].name)
    sums = dict.fromkeys(INTENTS, 0.0)
    sums["factual"] = PRIOR
    for signal in present:
        for intent, weight in signal.weights.items():
            sums[intent] += weight
    return Reading(probabilities=_softmax(sums), signals=names)


def _comparable(question: str, date_span: tuple[int, int] | None) -> str:
    """Folded, the date replaced by one sign, quotes emptied, polite openings removed."""
    if date_span is not None:
        question = f"{question[: date_span[0]]} {_DATE} {question[date_span[1] :]}"
    text = _QUOTED.sub(" it ", flatten(question))
    text = " ".join(text.split())
    return _POLITE.sub("", text)


def _softmax(sums: Weights) -> dict[Intent, float]:
    top = max(sums.values())
    raised: dict[Intent, float] = {
        intent: math.exp((value - top) / TEMPERATURE) for intent, value in sums.items()
    }
    total = sum(raised.values())
    share = DOUBT / len(sums)
    return {intent: share + (1 - DOUBT) * value / total for intent, value in raised.items()}


_DATE = "§"
_QUOTED = re.compile(r"\[\[.*?\]\]|\"[^\"]*\"|“[^”]*”|`[^`]*`")
_POLITE = re.compile(
    r"^(?:(?:please|lutfen|hey|hi|ok|so|and|but|well|also)\b[,\s]*|(?:can|could|would|will) you"
    r" (?:please )?(?=tell|show|explain|give|list|find|compare|define|describe|summar)"
    r"|(?:i want to know|i'd like to know|i would like to know|i wonder|i need to know|remind me"
    r"|do you know|tell me|(?:can|could) you tell me)\s+"
    r"(?=what|who|where|when|why|how|which|if|whether))+"
)
_TWO_TOPICS = re.compile(r"\w (?:and|&|ve|ile) \w")
_WEAK = frozenset(("date", "before or after", "position in time", "idea"))


def _signal(name: str, pattern: str, **weights: float) -> _Signal:
    known: dict[Intent, float] = {
        intent: weights[intent] for intent in INTENTS if intent in weights
    }
    return _Signal(name, re.compile(pattern), known)


_ABSTRACT = (
    r"(?:differences?|similarit\w+|distinction|comparison|advantages?|history|timeline|evolution"
    r"|chronology|development|progression|effects?|impacts?|influences?|consequences?|causes?"
    r"|reasons?|purpose|mechanisms?|relationship|relation|connections?|link|benefits?"
    r"|implications|overview|main ideas|big picture)"
)

_BARE_TOPIC = _signal("a bare topic", "", factual=1.3, exploratory=1.6, temporal=0.2)
_PAIR_OF_TOPICS = _signal(
    "two bare topics", "", comparative=1.6, exploratory=1.6, factual=0.6, causal=0.4
)
_SIGNALS = (
    # --- factual
    _signal("what or which", r"^(?:\w+ )?(?:what|which)\b|^(?:what|which)", factual=2.2),
    _signal("what is", r"^(?:what|who)(?:'s|s| is| are| was| were)\b", factual=0.9),
    _signal(
        "what is the abstract of",
        rf"^what(?:'s|s| is| are| was| were) (?:the |some |an? )?(?:\w+ ){{0,2}}{_ABSTRACT}\b",
        factual=-2.0,
    ),
    _signal("who", r"\b(?:who|whom|whose)\b", factual=2.3),
    _signal(
        "where", r"^(?:from )?where\b|\bwhere (?:is|are|was|were|did|do|does|can)\b", factual=3.0
    ),
    _signal(
        "how many",
        r"\bhow (?:many|much|old|tall|far|deep|fast|large|big|heavy|high|wide|often|long(?! ago)"
        r"|hot|cold"
        r"|small|likely|expensive)\b",
        factual=3.2,
    ),
    _signal(
        "definition",
        r"^defin\w+\b|\bdefinition of\b|\bmeaning of\b|\bmeans?\b\s*\??$|\bmeant by\b"
        r"|\bstands? for\b",
        factual=3.0,
    ),
    _signal("explain", r"^(?:explain|describe|clarify)\b", factual=2.6, causal=0.4),
    _signal(
        "yes or no",
        r"^(?:is|are|am|was|were|does|do|did|can|could|has|have|had|should|will|would|must)\b",
        factual=2.4,
    ),
    _signal(
        "how to",
        r"^how (?:do|can|should|could|would|did|shall) (?:i|you|we|one|people)\b|\bhow to\b",
        factual=2.6,
    ),
    _signal("how", r"^how\b", factual=0.9, causal=0.5),
    _signal("name it", r"^(?:name|state|mention|quote|give the|list the)\b", factual=2.4),
    _signal(
        "kim, nerede, kaç",
        r"\b(?:nedir|neydi|kim|kimdir|kimin|kime|kimi|kimler|kimle|nerede\w*|nereye|nereden"
        r"|neresi\w*"
        r"|hangi|kac|ne kadar|ne demek\w*|tanimi|tanimla\w*|anlami\w*|acikla\w*|neler(?:dir|di))\b",
        factual=3.0,
    ),
    _signal("ne", r"\bne (?!zaman|biliyor|var|oldu|fark)\w+|\b(?:ne|neyi)\s*\??$", factual=2.2),
    _signal("nasıl", r"\bnasil\b", factual=2.0),
    _signal("nasıl yapılır", r"\bnasil (?:yap|kur|kullan|ekle|yaz|olustur)\w*", factual=1.0),
    _signal("mi", r"\bm[iu](?:dir|ydi|yim|yiz|sin)?\s*\??$", factual=2.4),
    # --- temporal
    _signal("when", r"^(?:since |until |from |by |about )?when\b(?! i\b)", temporal=4.6),
    _signal(
        "when did", r"\b(?:when (?:did|was|were|is|are|will|do|does)|since when)\b", temporal=1.2
    ),
    _signal(
        "which year",
        r"\b(?:what|which) (?:\w+ )?(?:year|month|day|date|decade|century|week|time|season|quarter"
        r"|era)s?\b|\bhow long ago\b|\bwhat age\b",
        temporal=4.4,
    ),
    _signal(
        "how it changed",
        r"^how (?:has|have|had|did|was|is) .*\b(?:evolv\w*|chang\w*|develop\w*|progress\w*|grow\w*"
        r"|grew|shift\w*|matur\w*|unfold\w*)\b(?! (?:the|my|our|a|an|how|its|their)\b)",
        temporal=4.2,
    ),
    _signal(
        "over time",
        r"\b(?:timelines?|history of|chronolog\w+|evolution|evolv\w+|over time|through time"
        r"|over the (?:years|months|weeks|course)|progression|trajectory|milestones?"
        r"|track(?:ing)? (?:the )?(?:changes|progress|development))\b",
        temporal=3.6,
    ),
    _signal(
        "development",
        r"\b(?:histor(?:y|ical)|development of|chang\w+|shift(?:s|ed) in)\b",
        temporal=1.3,
    ),
    _signal(
        "position in time",
        r"\b(?:used to|no longer|anymore|originally|first (?:time|mention\w*|wrote|write|appear\w*"
        r"|note|learn\w*|hear\w*)|last time|latest|most recent(?:ly)?|recently|lately|so far"
        r"|earliest"
        r"|previously|newest|oldest)\b",
        temporal=1.7,
    ),
    _signal("before or after", r"\b(?:before|after|during|while|until|since)\b", temporal=1.2),
    _signal("a year", r"\b1[0-9]{3}\b|\b20[0-9]{2}\b", temporal=1.6),
    _signal("date", _DATE, temporal=2.7),
    _signal(
        "doings in a period",
        rf"\b(?:did i|have i|was i|i (?:wrote|learned|learnt|did|read|noted|thought|decided)"
        rf"|happened"
        rf"|changed|was my|were my|did we|yazdim|ogrendim|okudum|yaptim|dusunuyordum|oldu|degisti"
        rf"|konustuk|\w{{2,}}[dt][iu][mk])\b.*{_DATE}|{_DATE}.*\b(?:did i|happened|changed|yazdim"
        rf"|ogrendim|okudum|yaptim"
        rf"|dusunuyordum|oldu|degisti|konustuk|\w{{2,}}[dt][iu][mk])\b",
        temporal=2.4,
    ),
    _signal("past state", rf"^(?:what|how|who|where) (?:was|were)\b.*{_DATE}", temporal=1.6),
    _signal("what happened", r"^what happened\b(?! if| when)", temporal=2.9, causal=0.3),
    _signal("ne oldu", r"\bne oldu\b", temporal=2.7, factual=2.2),
    _signal(
        "ne zaman, nasıl değişti",
        r"\b(?:ne zaman\w*|hangi (?:yil|tarih|ay|gun|donem)\w*|kac yilinda|zaman icinde|zamanla"
        r"|tarihce\w*|gecmisi\w*|kronoloj\w*|zaman cizelge\w*|evrim\w*|evril\w*|gelisimi\w*"
        r"|degisimi\w*"
        r"|nasil (?:degis|gelis|evril|ilerle)\w*|yillar icinde|ilk (?:kez|defa|ne)|en son)\b",
        temporal=4.8,
    ),
    # --- causal
    _signal("why", r"\bwhy\b|\bhow come\b|\bwhat for\b", causal=4.6),
    _signal(
        "reason or cause",
        r"\b(?:reasons?|causes?|caused|causing|rationale|root of|explains)\b",
        causal=3.5,
    ),
    _signal(
        "effect",
        r"\b(?:affect\w*|influenc\w*|impact\w*|effects?|consequences?|result(?:s|ed|ing)? (?:in"
        r"|from|of)"
        r"|lead(?:s|ing)? to|led to|because|due to|contribut\w+ to|mechanisms?|trigger\w*"
        r"|implications"
        r"|depend(?:s|ed)? on|role of .* in|benefits? of|purpose of)\b",
        causal=3.5,
    ),
    _signal(
        "how does it act",
        r"^how (?:does|do|did|can|could|will|would|might) (?!i\b|you\b|we\b|one\b|people\b)",
        causal=2.4,
    ),
    _signal(
        "what makes",
        r"\bwhat (?:makes|made|drives|drove|keeps|kept|prevents|prevented|leads|led|triggers|brings"
        r"|brought|contribut\w+|triggered|explains|results|helps|helped|hinders|stops|causes"
        r"|caused|happens (?:if|when|to))\b",
        causal=3.2,
        factual=-0.4,
    ),
    _signal(
        "neden, etkisi",
        r"\b(?:neden\w*|nicin|niye|sebe[bp]\w*|yol ac\w*|etki\w*|sonuclari\w*"
        r"|sonuc doguru\w*|yuzunden|sayesinde|kaynaklan\w*|tetikle\w*|nasil (?:calis|isle|sagla)\w*"
        r"|(?:artir|azalt|iyilestir|guclendir)\w*|faydasi\w*|faydalari\w*)\b",
        causal=4.6,
    ),
    # --- comparative
    _signal("versus", r"\bvs\b|\bversus\b", comparative=5.0),
    _signal("compare", r"\bcompar(?:e|es|ed|ing|ison\w*)\b", comparative=4.6),
    _signal(
        "difference",
        r"\b(?:differen(?:ce|ces|tiate\w*)|differs?|different (?:from|than|to)|distinguish\w*"
        r"|distinction|contrast\w*|similarit\w+|in common|alike|how (?:is|are) .* different)\b",
        comparative=4.6,
    ),
    _signal(
        "better than",
        r"\b(?:better|worse|(?!other|rather)\w{2,}er than|more \w+ than|less \w+ than|rather than"
        r"|instead of|over another|prefer\w*|superior|outperform\w*|the same as|as \w+ as"
        r"|trade-?offs?|pros and cons|advantages? of .* over)\b",
        comparative=3.6,
    ),
    _signal("most", r"\b(?:best|worst|strongest|which one)\b", comparative=0.8),
    _signal("either or", r"\w,? or (?!not\b|more\b|less\b|so\b)\w", comparative=2.0),
    _signal(
        "choice",
        r"^(?:which|what|who|should|is|are|do|does)\b.*\b(?:better|best|prefer\w*|\w{2,}er|more|use"
        r"|choose|pick|go)\b.* or \w"
        r"|^should \w+ .* or \w",
        comparative=2.2,
    ),
    _signal("between", r"(?<!ship )(?<!ion )(?<!link )\bbetween .+ and\b", comparative=1.2),
    _signal(
        "fark, karşılaştır",
        r"\b(?:karsilastir\w*|kiyasla\w*|fark(?:i|lari|lar|li)?(?:n[ai]|dir)?|benzerlik\w*"
        r"|ortak (?:yon|nokta|yan)\w*|ayiran|ayrilir)\b",
        comparative=4.8,
    ),
    _signal("hangisi, yoksa", r"\b(?:hangisi\w*|yoksa)\b", comparative=3.4),
    _signal("daha", r"\bdaha (?:iyi|kotu|hizli|ucuz|kolay|\w+li)\b|d[ae]n daha\b", comparative=2.2),
    _signal("den daha", r"['\w]d[ae]n daha\b", comparative=1.6),
    _signal("mi … mi", r"\bm[iu]\b.+\bm[iu]\b", comparative=3.6),
    # --- exploratory
    _signal(
        "everything",
        r"\b(?:everything|anything|overview|explor\w+|browse|brainstorm|dig (?:in|into)|deep dive"
        r"|survey of|wander|all (?:the |of )?(?:my )?(?:notes|ideas|thoughts|info\w*|about|on"
        r"|there is)"
        r"|big picture|main ideas|landscape of|map of)\b",
        exploratory=4.0,
    ),
    _signal(
        "what do I know",
        r"\bwhat (?:all )?(?:do|did|have|had) (?:i|we) (?:know|have|think|collected|gathered"
        r"|noted|got"
        r"|say|said|written)\b|\b(?:what|which) (?:notes|ideas|topics|else)\b(?! did\b)",
        exploratory=3.9,
    ),
    _signal("did I write about", r"\bwhat (?:did|have) i .*\b(?:about|on)\b", exploratory=1.4),
    _signal(
        "related",
        r"\b(?:related (?:to|notes|ideas|concepts|topics)|connected to|linked to|similar (?:to"
        r"|notes"
        r"|ideas)|notes? (?:on|about|around|mentioning|for|like)|around the (?:topic|theme"
        r"|idea))\b",
        exploratory=3.0,
    ),
    _signal(
        "information on",
        r"\b(?:information|info|material|resources|sources) (?:on|about|regarding|for|related)\b"
        r"|\blearn (?:more )?about\b|\binterested in\b|\blooking for\b",
        exploratory=2.8,
    ),
    _signal(
        "find",
        r"^(?:find|search|look|collect|gather|list|browse|walk me|suggest)\b",
        exploratory=1.8,
        factual=0.3,
    ),
    _signal(
        "surface",
        r"^(?:surface|walk me|take me|let me (?:see|browse|explore))\b",
        exploratory=2.8,
        factual=-1.0,
    ),
    _signal("show me", r"^(?:show|give)\b", exploratory=1.8, factual=1.6),
    _signal(
        "tell me about",
        r"^(?:tell me|talk about|say something)\b",
        exploratory=2.4,
        factual=1.8,
        temporal=0.3,
    ),
    _signal(
        "my notes", r"\b(?:in )?my (?:notes|thoughts|ideas|vault|collection)\b", exploratory=2.0
    ),
    _signal(
        "what are my thoughts",
        r"^what(?:'s|s| is| are) (?:all )?(?:in )?my (?:notes|thoughts|ideas|vault|collection)\b",
        exploratory=3.2,
    ),
    _signal("idea", r"\b(?:ideas|thoughts|inspiration|fikir\w*)\b", exploratory=1.3),
    _signal(
        "her şey, ilgili notlar",
        r"\b(?:her sey\w*|(?:butun|tum) notlar\w*|genel bakis|kesfet\w*|ilgili (?:notlar\w*|her"
        r"|neler|ne)"
        r"|neler (?:var|biliyor\w*|yazdim|yazmisim)|ne biliyor\w*|goz at\w*|notlarim\w*|listele\w*"
        r"|dolas\w*|hakkinda (?:bir sey|neler|notlar)\w*)\b",
        exploratory=4.0,
    ),
    _signal(
        "anlat, göster",
        r"\b(?:anlat\w*|goster\w*|bilgi ver\w*|bahset\w*)\b",
        exploratory=1.9,
        factual=1.7,
    ),
    # --- between two
    _signal(
        "relationship",
        r"\b(?:relationships?|relations?|connections?|correlation|interplay|connected|relate[sd]?"
        r"|iliski\w*|baglanti\w*)\b(?! (?:to|notes|ideas|concepts|topics)\b(?<=related to))",
        causal=2.0,
        comparative=1.7,
        exploratory=0.7,
    ),
    _signal(
        "the relationship explained",
        r"^(?:explain|describe|why|how).*\b(?:relationship|relation|connection|interplay)\b",
        causal=2.4,
        factual=-1.8,
    ),
)
