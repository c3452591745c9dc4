"""English and Turkish words by what they do in a sentence, for telling noun phrases from the rest.

All as ``normalize.flatten`` writes them. The lists hold what is common in questions, not a
whole language; ``parts`` decides by the neighbours where a word can be two things.
"""

import re

from tools.text.stopwords import STOP, TURKISH_STOP, word_set

# --- English -------------------------------------------------------------------------------

DETERMINERS = word_set(
    "a an the my our your his her its their this these those that both either each every all any "
    "some no another such own same whose two"
)
POSSESSIVES = word_set("my our your his her its their")
PREPOSITIONS = word_set(
    "in on at to from with within into onto under over above below near around along across "
    "between among behind beside beyond through about up down off out inside outside against "
    "toward towards like without upon next alongside"
)
CONDITIONS = word_set(
    "for when if because while since until till although though as regarding concerning according "
    "by per given during before after unless depending going judging based despite apart"
)
PRONOUNS = word_set(
    "i we you he she they it me us him them who what which one ones someone anyone everyone "
    "anybody somebody everybody there here myself whom something anything everything nothing none"
)
AUXILIARIES = word_set(
    "is are was were be been being am do does did has have had will would shall should can could "
    "may might must isn't aren't wasn't weren't don't doesn't didn't can't cannot won't wouldn't "
    "couldn't shouldn't haven't hasn't hasnt havent wasnt werent wouldnt couldnt dont doesnt "
    "didnt isnt cant wont 's"
)
DO = word_set("do does did dose")
DO_SUPPORT = DO | word_set(
    "will would shall should can could might must don't doesn't didn't won't wouldn't can't "
    "couldn't doesnt didnt"
)
COPULAS = word_set("is are was were be been being isn't aren't wasn't weren't am")
CONNECTIVES = word_set(
    "and or nor but where why how whether what's whats who's where's when's how's i'm i've i'd "
    "i'll we've we're we'd we'll you've you're it's that's they're there's let's not else so then "
    "yet wich wat hows y also too please pls maybe perhaps yes ok than vs versus v n"
)
ADVERBS = word_set(
    "really just only actually basically mainly mostly roughly nearly almost quite very "
    "rather even still ever never always often usually again already much many well twice "
    "probably exactly simply truly generally overall currently finally once together alone "
    "instead anyway otherwise especially particularly differently calmly realy nowadays today "
    "now ahead best most least further ago anymore lately"
)
_MEASURED = word_set(
    "cheaper faster slower bigger smaller longer shorter easier harder stronger weaker taller "
    "older newer higher lower"
)
COMPARATIVES = _MEASURED | word_set(
    "better worse more less fewer lighter heavier warmer colder hotter cooler safer quicker "
    "healthier sharper softer wiser kinder nicer busier closer farther cleaner quieter louder "
    "richer poorer thicker thinner wider narrower deeper darker brighter sweeter tastier fresher "
    "drier wetter simpler smarter sturdier tidier calmer gentler stricter trickier riskier "
    "smoother milder dearer deadlier rarer happier sadder younger earlier later sooner greater "
    "finer friendlier bitterer tougher rougher denser steadier handier fairer fitter larger "
    "tighter looser greener beter cheeper cheper easyer healthyer worthier best worst cheapest "
    "fastest slowest biggest smallest longest shortest easiest hardest strongest tallest oldest "
    "newest highest lowest lightest heaviest warmest coldest hottest coolest safest quickest "
    "healthiest densest most least wisest kindest"
)
DEGREES = word_set("more less fewer most least")
"""Comparatives that always make a comparison of what follows: more useful, fewer calories."""

_JUDGEMENTS = word_set("good bad effective useful common alike worth")
PREDICATES = _JUDGEMENTS | word_set(
    "safe sore salty sharp wise sure great fine interchangeable equal equivalent identical same "
    "different distinct similar related possible allowed true ready available alive dead born "
    "able interested wrong right sweet calm easy hard cheap fast slow strong weak busy fun "
    "popular superior inferior preferable keen allergic calmly happier sensible suitable "
    "opposite opposites"
)
"""Adjectives that say something of a noun before them, so that they end its phrase."""

_VERBS = word_set(
    "accept adopt agree allow amplify appear arrive ask avoid become befriend begin behave "
    "believe belong blame boil bring build buy bury canoe choose climb come compare connect "
    "contain contradict convert cope decide define deliver depend descale describe differ "
    "disagree distinguish do draw eat enjoy exist expect explain fall favour favor feel find fix "
    "follow forget get give go grow happen hear hire hurt improve include influence invent join "
    "justify keep know lay learn leave lend let lose make mean meet mention occur operate oppose "
    "outgrow outlast overlap own persuade pick place prefer prepare prevent produce propose prove "
    "provide publish put quit quote receive recommend reckon reduce refer refinish refuse reject "
    "relate remain remember remind remove rename renovate renew repaint replace resemble reset "
    "require say see seem sell send serve settle sharpen sit solve speak spell spend stay steer "
    "suffer suggest suit support swear take teach tell tend think throw treat understand unplug "
    "want wear win write prune pull push earn thrive perform affect separate unfold unravel"
)
_IRREGULAR = word_set(
    "went gone came became began brought built bought chose chosen did done drew drawn ate eaten "
    "fell felt found forgot forgotten got gave given grew grown heard kept knew known laid learnt "
    "left let lost made meant met paid said saw seen sold sent showed shown sat spoke spoken "
    "spent stood swore took taken taught told thought threw thrown understood won wore worn wrote "
    "written ran rang sang used broke broken drove driven held swapped dropped stopped preferred "
    "committed settled quoted needed swept torn sung struck bitten bled dealt"
)
_DOUBTFUL = word_set(
    "work change help matter form function develop act run fail start end shift cost last "
    "hold cut smell taste sound look drive park paint rest heat burn split pack cook bake "
    "walk sleep damage border shape drop visit guide plan cover beat kill milk score leak "
    "break cause plant pay rank fit lead head chair move check order record share spread "
    "stand stop store study swap switch test track trade train travel turn watch wash wish "
    "impact benefit increase land rise open close trigger spark upset collapse age need use "
    "book foam handle care mix tip sign offer count respond react return rate review report "
    "name call love like hate skip surprise lift hang claim finish quarrel argue vary evolve "
    "progress transfer mate bloom flower crop yield smoke bleed fear fight answer attract "
    "worsen stack line match read view depart part conflict clash show rent save square "
    "measure weigh set led hit outline trace play recall pit list"
)


IMPERATIVES = word_set("set rank stack pit rate line weigh measure match hold")
"""Doubtful verbs that ask for a comparison at the head of a sentence."""
SUBJECT_PRONOUNS = word_set("i we you he she they")
NUMBERED = word_set("type part war phase stage volume book chapter grade class level act section")
"""Words after which "I" is a number."""


def _inflected(bases: frozenset[str]) -> frozenset[str]:
    forms = set(bases)
    for base in bases:
        stem = base.removesuffix("e")
        if re.search(r"[^aeiou]y$", base):
            forms |= {f"{base[:-1]}ies", f"{base[:-1]}ied"}
        elif re.search(r"(?:s|x|z|ch|sh|o)$", base):
            forms |= {f"{base}es", f"{stem}ed"}
        else:
            forms |= {f"{base}s", f"{stem}ed"}
    return frozenset(forms)


MOSTLY_NOUNS = _inflected(
    word_set(
        "milk book plant name record sound chair park land border smell taste guide order cover "
        "water paint heat plan work learning recall cook review report match crop flower line part "
        "age fire stack show use rate price light pit list"
    )
)
"""Doubtful verbs that are a verb only with an object or an end after them."""
VERBS = (_inflected(_VERBS) | _IRREGULAR) - {"leaves"}
"""Forms that are verbs wherever they stand, save at the head of a phrase; gerunds are nouns."""
DOUBTFUL_VERBS = (_inflected(_DOUBTFUL) | {"leaves"}) - VERBS
"""Forms that are verbs only where the place demands one."""
PHRASAL_VERBS = frozenset(
    {
        ("time", "out"),
        ("black", "out"),
        ("zone", "out"),
        ("log", "out"),
        ("log", "in"),
        ("wind", "down"),
        ("cool", "down"),
    }
)
"""Nouns that the particle after them makes a verb: "did the checkout time out"."""
NOUNS_BEFORE_TO = word_set(
    "related relates relate connected linked tied similar relevant thanks close next compared "
    "equal identical prior owing link links connection connections relation relationship key "
    "approach leads lead led contribute contributes contributed"
)
"""Words after which "to" leads a noun and no verb: related to sleep."""

# --- Turkish -------------------------------------------------------------------------------

TURKISH_PARTICLE = re.compile(r"m[iu](?:y\w+|dir|s[iu]n(?:[iu]z)?)?$")
"""The question particle: mi, mı, mu, mü and with endings, always a word of its own."""
TURKISH_BREAKS = word_set(
    "ve ile veya ya yahut ama fakat ancak hem yoksa de da ki diye cunku eger ise la le hangisi "
    "hangisini hangisinin hangisinde hangi ne neyi neye nedir neden nicin niye nasil kim kime "
    "kimi nerede nereye kac bana bence sence acaba lutfen daha en cok icin gore karsi kiyasla "
    "karsin yerine kadar gibi hakkinda uzerine dair arasinda arasindaki ilgili hangileri neler "
    "nelerdir mukayese vs versus bir bu su o ben biz sen bunu ikisi ikisini ikisinin ikisinden "
    "hangimiz olarak acisindan bakimindan konusunda yonunden bakimdan baska degil haric haricinde "
    "disinda hic olan birbirinden bile sadece yalniz tam peki yani neresi nerde sec soyle goster "
    "karsilastir anlat kiyasen oranla nazaran sonra once uzere beri boyunca sirasinda icinde "
    "artik mesela ornegin tur cesit genel notlarimda notlarda notlarima iki var yok lazim arsinda "
    "aarsindaki arsindaki neydi kimdi"
)
TURKISH_TRAITS = word_set(
    "fark farki farklari farklar farkini farklarini farkli benzerlik benzerligi benzerlikleri "
    "benzerlikler ortak ortaklik ayni benzer benziyor ayrim ayrimi ayriliklar ayriligi "
    "ozellikleri yonleri yanlari noktalari artilari eksileri avantajlari karsilastirmasi kiyasi "
    "kiyaslamasi mukayesesi iliskisi iliski ayrilir ayriliyor ayrisiyor ayrisir ayiran ortusuyor "
    "benzesiyor ucuz pahali iyi kotu hizli yavas kolay zor mantikli uygun frki frk temel ayrimlar "
    "diffi ustun guclu saglam dayanikli tasarruflu karli"
)
"""Words for what two things share or not; they end the phrase before them."""
# --- where a phrase begins and ends --------------------------------------------------------

_JUDGING = _MEASURED | _JUDGEMENTS
EDGE = STOP | _JUDGING
"""Words that begin no topic, even where they are written like a name."""
TURKISH_EDGE = TURKISH_STOP | _JUDGING
