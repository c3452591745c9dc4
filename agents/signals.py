"""Marks in a question's wording that speak for a kind of answer: English and Turkish.

They carry no weights: what each is worth is learned (``agents/intents.py``).
"""

import re
from dataclasses import dataclass
from functools import cache

from agents.spelling import corrected
from tools.text.language import is_turkish
from tools.text.normalize import QUOTED, flatten


@dataclass(frozen=True, slots=True)
class Signal:
    """A name and the pattern, over ``comparable`` text, that shows it is there."""

    name: str
    pattern: str

    def found_in(self, text: str) -> bool:
        return _compiled(self.pattern).search(text) is not None


@cache  # compiled at the first question: most commands ask none
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def comparable(question: str, *, date_span: tuple[int, int] | None = None) -> str:
    """The question's wording, folded: slips put right, the date at ``date_span`` one sign.

    What is quoted is emptied, and polite openings are gone.
    """
    if date_span is not None:
        question = f"{question[: date_span[0]]} {DATE} {question[date_span[1] :]}"
    spelled = question if is_turkish(question) else corrected(question)
    text = QUOTED.sub(" it ", flatten(spelled))
    text = " ".join(text.split())
    return _POLITE.sub("", text)


DATE = "§"
_POLITE = re.compile(
    r"^(?:(?:please|lutfen|hey|hi|ok|so|and|but|well|also)\b[,\s]*|(?:can|could|would|will) you"
    r" (?:please )?(?=tell|show|explain|give|list|find|compare|define|describe|summar)"
    r"|(?:i want to know|i'd like to know|i would like to know|i wonder|i need to know|remind me"
    r"|do you know|tell me|(?:can|could) you tell me)\s+"
    r"(?=what|who|where|when|why|how|which|if|whether))+"
)

_ABSTRACT = (
    r"(?:differences?|similarit\w+|distinction|comparison|advantages?|history|timeline|evolution"
    r"|chronology|development|progression|effects?|impacts?|influences?|consequences?|causes?"
    r"|reasons?|purpose|mechanisms?|relationship|relation|connections?|link|benefits?"
    r"|implications|overview|main ideas|big picture)"
)

SIGNALS = (
    # --- factual
    Signal("what or which", r"^(?:\w+ )?(?:what|which)\b|^(?:what|which)"),
    Signal("what is", r"^(?:what|who)(?:'s|s| is| are| was| were)\b"),
    Signal(
        "what is the abstract of",
        rf"^what(?:'s|s| is| are| was| were) (?:the |some |an? )?(?:\w+ ){{0,2}}{_ABSTRACT}\b",
    ),
    Signal("who", r"\b(?:who|whom|whose)\b"),
    Signal("where", r"^(?:from )?where\b|\bwhere (?:is|are|was|were|did|do|does|can)\b"),
    Signal(
        "how many",
        r"\bhow (?:many|much|old|tall|far|deep|fast|large|big|heavy|high|wide|often|long(?! ago)"
        r"|hot|cold"
        r"|small|likely|expensive)\b",
    ),
    Signal(
        "definition",
        r"^defin\w+\b|\bdefinition of\b|\bmeaning of\b|\bmeans?\b\s*\??$|\bmeant by\b"
        r"|\bstands? for\b",
    ),
    Signal("explain", r"^(?:explain|describe|clarify)\b"),
    Signal(
        "yes or no",
        r"^(?:is|are|am|was|were|does|do|did|can|could|has|have|had|should|will|would|must)\b",
    ),
    Signal(
        "how to",
        r"^how (?:do|can|should|could|would|did|shall) (?:i|you|we|one|people)\b|\bhow to\b",
    ),
    Signal("how", r"^how\b"),
    Signal("name it", r"^(?:name|state|mention|quote|give the|list the)\b"),
    Signal(
        "kim, nerede, kaç",
        r"\b(?:nedir|neydi|kim|kimdir|kimin|kime|kimi|kimler|kimle|nerede\w*|nereye|nereden"
        r"|neresi\w*"
        r"|hangi|kac|ne kadar|ne demek\w*|tanimi|tanimla\w*|anlami\w*|acikla\w*|neler(?:dir|di))\b",
    ),
    Signal("ne", r"\bne (?!zaman|biliyor|var|oldu|fark)\w+|\b(?:ne|neyi)\s*\??$"),
    Signal("nasıl", r"\bnasil\b"),
    Signal("nasıl yapılır", r"\bnasil (?:yap|kur|kullan|ekle|yaz|olustur)\w*"),
    Signal("mi", r"\bm[iu](?:dir|ydi|yim|yiz|sin)?\s*\??$"),
    # --- temporal
    Signal("when", r"^(?:since |until |from |by |about )?when\b(?! i\b)"),
    Signal("when did", r"\b(?:when (?:did|was|were|is|are|will|do|does)|since when)\b"),
    Signal(
        "which year",
        r"\b(?:what|which) (?:\w+ )?(?:year|month|day|date|decade|century|week|time|season|quarter"
        r"|era)s?\b|\bhow long ago\b|\bwhat age\b",
    ),
    Signal(
        "how it changed",
        r"^how (?:has|have|had|did|was|is) .*\b(?:evolv\w*|chang\w*|develop\w*|progress\w*|grow\w*"
        r"|grew|shift\w*|matur\w*|unfold\w*)\b(?! (?:the|my|our|a|an|how|its|their)\b)",
    ),
    Signal(
        "over time",
        r"\b(?:timelines?|history of|chronolog\w+|evolution|evolv\w+|over time|through time"
        r"|over the (?:years|months|weeks|course)|progression|trajectory|milestones?"
        r"|track(?:ing)? (?:the )?(?:changes|progress|development))\b",
    ),
    Signal("development", r"\b(?:histor(?:y|ical)|development of|chang\w+|shift(?:s|ed) in)\b"),
    Signal(
        "position in time",
        r"\b(?:used to|no longer|anymore|originally|first (?:time|mention\w*|wrote|write|appear\w*"
        r"|note|learn\w*|hear\w*)|last time|latest|most recent(?:ly)?|recently|lately|so far"
        r"|earliest"
        r"|previously|newest|oldest)\b",
    ),
    Signal("before or after", r"\b(?:before|after|during|while|until|since)\b"),
    Signal("a year", r"\b1[0-9]{3}\b|\b20[0-9]{2}\b"),
    Signal("date", DATE),
    Signal(
        "doings in a period",
        rf"\b(?:did i|have i|was i|i (?:wrote|learned|learnt|did|read|noted|thought|decided)"
        rf"|happened"
        rf"|changed|was my|were my|did we|yazdim|ogrendim|okudum|yaptim|dusunuyordum|oldu|degisti"
        rf"|konustuk|\w{{2,}}[dt][iu][mk])\b.*{DATE}|{DATE}.*\b(?:did i|happened|changed|yazdim"
        rf"|ogrendim|okudum|yaptim"
        rf"|dusunuyordum|oldu|degisti|konustuk|\w{{2,}}[dt][iu][mk])\b",
    ),
    Signal("past state", rf"^(?:what|how|who|where) (?:was|were)\b.*{DATE}"),
    Signal("what happened", r"^what happened\b(?! if| when)"),
    Signal("ne oldu", r"\bne oldu\b"),
    Signal(
        "ne zaman, nasıl değişti",
        r"\b(?:ne zaman\w*|hangi (?:yil|tarih|ay|gun|donem)\w*|kac yilinda|zaman icinde|zamanla"
        r"|tarihce\w*|gecmisi\w*|kronoloj\w*|zaman cizelge\w*|evrim\w*|evril\w*|gelisimi\w*"
        r"|degisimi\w*"
        r"|nasil (?:degis|gelis|evril|ilerle)\w*|yillar icinde|ilk (?:kez|defa|ne)|en son)\b",
    ),
    # --- causal
    Signal("why", r"\bwhy\b|\bhow come\b|\bwhat for\b"),
    Signal(
        "reason or cause", r"\b(?:reasons?|causes?|caused|causing|rationale|root of|explains)\b"
    ),
    Signal(
        "effect",
        r"\b(?:affect\w*|influenc\w*|impact\w*|effects?|consequences?|result(?:s|ed|ing)? (?:in"
        r"|from|of)"
        r"|lead(?:s|ing)? to|led to|because|due to|contribut\w+ to|mechanisms?|trigger\w*"
        r"|implications"
        r"|depend(?:s|ed)? on|role of .* in|benefits? of|purpose of)\b",
    ),
    Signal(
        "how does it act",
        r"^how (?:does|do|did|can|could|will|would|might) (?!i\b|you\b|we\b|one\b|people\b)",
    ),
    Signal(
        "what makes",
        r"\bwhat (?:makes|made|drives|drove|keeps|kept|prevents|prevented|leads|led|triggers|brings"
        r"|brought|contribut\w+|triggered|explains|results|helps|helped|hinders|stops|causes"
        r"|caused|happens (?:if|when|to))\b",
    ),
    Signal(
        "neden, etkisi",
        r"\b(?:neden\w*|nicin|niye|sebe[bp]\w*|yol ac\w*|etki\w*|sonuclari\w*"
        r"|sonuc doguru\w*|yuzunden|sayesinde|kaynaklan\w*|tetikle\w*|nasil (?:calis|isle|sagla)\w*"
        r"|(?:artir|azalt|iyilestir|guclendir)\w*|faydasi\w*|faydalari\w*)\b",
    ),
    # --- comparative
    Signal("versus", r"\bvs\b|\bversus\b"),
    Signal("compare", r"\bcompar(?:e|es|ed|ing|ison\w*)\b"),
    Signal(
        "difference",
        r"\b(?:differen(?:ce|ces|tiate\w*)|differs?|different (?:from|than|to)|distinguish\w*"
        r"|distinction|contrast\w*|similarit\w+|in common|alike|how (?:is|are) .* different)\b",
    ),
    Signal(
        "better than",
        r"\b(?:better|worse|(?!other|rather)\w{2,}er than|more \w+ than|less \w+ than|rather than"
        r"|instead of|over another|prefer\w*|superior|outperform\w*|the same as|as \w+ as"
        r"|trade-?offs?|pros and cons|advantages? of .* over)\b",
    ),
    Signal("most", r"\b(?:best|worst|strongest|which one)\b"),
    Signal("either or", r"\w,? or (?!not\b|more\b|less\b|so\b)\w"),
    Signal(
        "choice",
        r"^(?:which|what|who|should|is|are|do|does)\b.*\b(?:better|best|prefer\w*|\w{2,}er|more|use"
        r"|choose|pick|go)\b.* or \w"
        r"|^should \w+ .* or \w",
    ),
    Signal("between", r"(?<!ship )(?<!ion )(?<!link )\bbetween .+ and\b"),
    Signal(
        "fark, karşılaştır",
        r"\b(?:karsilastir\w*|kiyasla\w*|fark(?:i|lari|lar|li)?(?:n[ai]|dir)?|benzerlik\w*"
        r"|ortak (?:yon|nokta|yan)\w*|ayiran|ayrilir)\b",
    ),
    Signal("hangisi, yoksa", r"\b(?:hangisi\w*|yoksa)\b"),
    Signal("daha", r"\bdaha (?:iyi|kotu|hizli|ucuz|kolay|\w+li)\b|d[ae]n daha\b"),
    Signal("den daha", r"['\w]d[ae]n daha\b"),
    Signal("mi … mi", r"\bm[iu]\b.+\bm[iu]\b"),
    # --- exploratory
    Signal(
        "everything",
        r"\b(?:everything|anything|overview|explor\w+|browse|brainstorm|dig (?:in|into)|deep dive"
        r"|survey of|wander|all (?:the |of )?(?:my )?(?:notes|ideas|thoughts|info\w*|about|on"
        r"|there is)"
        r"|big picture|main ideas|landscape of|map of)\b",
    ),
    Signal(
        "what do I know",
        r"\bwhat (?:all )?(?:do|did|have|had) (?:i|we) (?:know|have|think|collected|gathered"
        r"|noted|got"
        r"|say|said|written)\b|\b(?:what|which) (?:notes|ideas|topics|else)\b(?! did\b)",
    ),
    Signal("did I write about", r"\bwhat (?:did|have) i .*\b(?:about|on)\b"),
    Signal(
        "related",
        r"\b(?:related (?:to|notes|ideas|concepts|topics)|connected to|linked to|similar (?:to"
        r"|notes"
        r"|ideas)|notes? (?:on|about|around|mentioning|for|like)|around the (?:topic|theme"
        r"|idea))\b",
    ),
    Signal(
        "information on",
        r"\b(?:information|info|material|resources|sources) (?:on|about|regarding|for|related)\b"
        r"|\blearn (?:more )?about\b|\binterested in\b|\blooking for\b",
    ),
    Signal("find", r"^(?:find|search|look|collect|gather|list|browse|walk me|suggest)\b"),
    Signal("surface", r"^(?:surface|walk me|take me|let me (?:see|browse|explore))\b"),
    Signal("show me", r"^(?:show|give)\b"),
    Signal("tell me about", r"^(?:tell me|talk about|say something)\b"),
    Signal("my notes", r"\b(?:in )?my (?:notes|thoughts|ideas|vault|collection)\b"),
    Signal(
        "what are my thoughts",
        r"^what(?:'s|s| is| are) (?:all )?(?:in )?my (?:notes|thoughts|ideas|vault|collection)\b",
    ),
    Signal("idea", r"\b(?:ideas|thoughts|inspiration|fikir\w*)\b"),
    Signal(
        "her şey, ilgili notlar",
        r"\b(?:her sey\w*|(?:butun|tum) notlar\w*|genel bakis|kesfet\w*|ilgili (?:notlar\w*|her"
        r"|neler|ne)"
        r"|neler (?:var|biliyor\w*|yazdim|yazmisim)|ne biliyor\w*|goz at\w*|notlarim\w*|listele\w*"
        r"|dolas\w*|hakkinda (?:bir sey|neler|notlar)\w*)\b",
    ),
    Signal("anlat, göster", r"\b(?:anlat\w*|goster\w*|bilgi ver\w*|bahset\w*)\b"),
    # --- between two
    Signal(
        "relationship",
        r"\b(?:relationships?|relations?|connections?|correlation|interplay|connected|relate[sd]?"
        r"|iliski\w*|baglanti\w*)\b(?! (?:to|notes|ideas|concepts|topics)\b(?<=related to))",
    ),
    Signal(
        "the relationship explained",
        r"^(?:explain|describe|why|how).*\b(?:relationship|relation|connection|interplay)\b",
    ),
)
