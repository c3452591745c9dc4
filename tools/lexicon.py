"""What a judge of claims knows about words without a model: English and Turkish, written by hand.

Words are compared by stem, a key that inflected forms share; it is not always a word.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from tools.folding import fold as fold_text

# Each line: words that can stand for one another | words that cannot hold where the first do.
_ENGLISH_OPPOSITES = """
improve enhance better benefit | worsen impair harm damage degrade hurt undermine
increase raise boost grow rise gain | decrease reduce lower diminish shrink fall drop decline cut
strengthen reinforce | weaken undermine erode
help aid assist support facilitate | hinder hamper impede obstruct
help benefit | harm hurt damage
support confirm corroborate verify | contradict refute disprove
prove | disprove
speed accelerate quicken | slow delay decelerate
allow permit enable | forbid prohibit prevent block ban disallow
accept approve | reject refuse decline deny
agree | disagree
succeed work | fail
win | lose
gain | lose
start begin | stop end finish cease quit
open | close shut
enter | leave exit
arrive | depart leave
include contain | exclude omit
require need | preclude
attract | repel
love like enjoy adore | hate dislike loathe detest
trust | distrust mistrust
remember recall | forget
create build | destroy demolish
add | remove subtract
push | pull
buy purchase | sell
lend | borrow
teach | learn
expand extend widen | contract narrow
ascend climb | descend
appear | disappear vanish
connect attach | disconnect detach
encourage promote | discourage deter
save | waste spend
simplify | complicate
tighten | loosen
sharpen | blur
warm heat | cool chill
freeze | melt thaw
calm soothe relax | agitate stress upset
hide conceal | reveal show expose
attack | defend
praise | criticise criticize blame
follow | ignore
look | ignore
play | put
wake | sleep
stand | sit lie
run | walk
float | sink
laugh smile | cry frown
good great excellent | bad poor terrible awful
better superior | worse inferior
best | worst
effective efficacious | ineffective
efficient | inefficient wasteful
useful helpful | useless unhelpful worthless pointless
beneficial advantageous healthy | harmful detrimental damaging unhealthy
simple easy straightforward | complex complicated difficult hard
fast quick rapid swift | slow sluggish
cheap inexpensive affordable | expensive costly dear
big large huge massive giant enormous gigantic | small little tiny minute miniature
high | low
tall | short
long | short brief
wide broad | narrow
deep | shallow
thick | thin
heavy | light lightweight
dark dim | bright light
hot warm | cold cool
wet damp moist humid | dry
full | empty
hard firm | soft
rough | smooth
strong | weak
safe secure harmless | dangerous unsafe risky hazardous insecure
true correct right accurate | false wrong incorrect inaccurate
possible feasible | impossible infeasible
necessary essential required mandatory compulsory | unnecessary optional needless
important significant crucial | unimportant insignificant trivial negligible
new recent modern | old ancient outdated obsolete
young | old elderly aged
early | late
happy glad cheerful joyful delighted pleased | sad unhappy miserable depressed sorrowful
rich wealthy | poor
clean | dirty
quiet silent | loud noisy
calm | anxious nervous agitated
alive living | dead
awake | asleep
present | absent
public | private
free open | closed
free | paid
active | inactive passive
positive | negative
optimistic | pessimistic
friendly | hostile unfriendly
polite | rude
honest | dishonest
patient | impatient
reliable dependable stable | unreliable unstable flaky
common frequent | rare uncommon infrequent
popular | unpopular
visible | invisible hidden
known | unknown
certain sure | uncertain unsure
legal lawful | illegal unlawful
finite | infinite
linear | nonlinear
similar alike | different dissimilar
equal same | unequal different
permanent lasting | temporary
constant | variable
natural | artificial synthetic
organic | inorganic
toxic poisonous | nontoxic harmless edible
fresh | stale rotten
sweet | bitter sour
acidic | alkaline
raw | cooked
ripe | unripe
sharp | blunt dull
tight | loose
straight | curved bent
odd | even
male | female
maximum | minimum
top | bottom
front | back
inside indoors | outside outdoors
above over | below under beneath
near close | far distant
before | after
always | rarely seldom
often usually frequently mostly | rarely seldom
more | less fewer
most | least
many | few
up | down
on | off
success | failure
advantage benefit | disadvantage drawback
strength | weakness
profit gain | loss
growth increase rise | decline decrease fall shrinkage
friend ally | enemy
proponent supporter | opponent critic
cause | prevent
lead | prevent
succeed | fail
enough sufficient adequate | insufficient inadequate
longer | shorter
larger bigger greater higher | smaller lower
faster quicker | slower
cheaper | dearer costlier
easier simpler | harder
stronger | weaker
warmer hotter | colder cooler
older | younger newer
earlier sooner | later
online | offline
enabled | disabled
on-time punctual | late
compatible | incompatible
available | unavailable
supported | unsupported deprecated
mutable | immutable
synchronous | asynchronous
"""

_TURKISH_OPPOSITES = """
artırır yükseltir çoğaltır | azaltır düşürür
artar yükselir çoğalır | azalır düşer
iyileştirir geliştirir güçlendirir | kötüleştirir bozar zayıflatır
hızlandırır | yavaşlatır
kolaylaştırır | zorlaştırır güçleştirir
destekler onaylar | çürütür yalanlar
başlar | biter durur
açar | kapatır
açık | kapalı
kazanır | kaybeder
sever | nefret
kabul | ret
iyi | kötü
yararlı faydalı sağlıklı | zararlı sağlıksız
etkili | etkisiz
kolay basit | zor karmaşık
hızlı çabuk | yavaş
ucuz | pahalı
büyük | küçük
yüksek | alçak düşük
uzun | kısa
geniş | dar
derin | sığ
ağır | hafif
karanlık koyu | aydınlık
sıcak | soğuk
ıslak nemli | kuru
dolu | boş
sert | yumuşak
güçlü | güçsüz zayıf
güvenli | tehlikeli güvensiz
doğru | yanlış
mümkün | imkânsız imkansız
gerekli zorunlu | gereksiz
önemli | önemsiz
yeni | eski
genç | yaşlı
erken | geç
mutlu | mutsuz üzgün
zengin | yoksul fakir
temiz | kirli
sessiz | gürültülü
olumlu | olumsuz
başarılı | başarısız
yeterli | yetersiz
çok fazla | az
"""

_SYNONYMS = """
man guy gentleman
woman lady
child kid
person people human someone somebody anyone anybody
rabbit bunny
street road
sofa couch
picture photo photograph image
cut slice chop
use employ utilise utilize
show demonstrate
need require
big large
quick fast rapid
buy purchase
begin start
memory recall retention remembering
concentration focus attention
method technique approach
study research
ordinary normal regular conventional traditional
doctor physician
car automobile
work job
look watch stare
talk speak
get obtain receive
keep retain
make produce
cause lead
beneficial useful helpful
temperature temp
"""
_PEOPLE = """man woman boy girl child kid lady guy gentleman adult baby toddler player rider cyclist
runner student teacher worker user member author musician dancer climber surfer"""

# Values of one attribute that a single thing has one of.
_EXCLUSIVE = """
red orange yellow green blue purple violet pink brown black white grey gray silver golden
monday tuesday wednesday thursday friday saturday sunday
kırmızı turuncu sarı yeşil mavi mor pembe kahverengi siyah beyaz gri
pazartesi salı çarşamba perşembe cuma cumartesi
"""
_SAME_VALUE = frozenset({frozenset(("grey", "gray")), frozenset(("purple", "violet"))})

_IRREGULAR = dict(
    pair.split("=")
    for pair in ["men=man", "women=woman", "children=child", "people=person", "feet=foot", "teeth=tooth", "mice=mouse", "lives=life", "leaves=leaf", "knives=knife", "wives=wife", "data=data", "ran=run", "sat=sit", "stood=stand", "ate=eat", "eaten=eat", "drank=drink", "drunk=drink", "went=go", "gone=go", "made=make", "took=take", "taken=take", "gave=give", "given=give", "got=get", "found=find", "grew=grow", "grown=grow", "rose=rise", "risen=rise", "fell=fall", "fallen=fall", "felt=feel", "kept=keep", "left=leave", "led=lead", "lost=lose", "won=win", "met=meet", "paid=pay", "said=say", "saw=see", "seen=see", "sold=sell", "sent=send", "slept=sleep", "spoke=speak", "spoken=speak", "spent=spend", "taught=teach", "thought=think", "told=tell", "understood=understand", "wore=wear", "worn=wear", "wrote=write", "written=write", "began=begin", "begun=begin", "broke=break", "broken=break", "brought=bring", "built=build", "bought=buy", "came=come", "chose=choose", "chosen=choose", "drew=draw", "drawn=draw", "drove=drive", "driven=drive", "flew=fly", "forgot=forget", "forgotten=forget", "froze=freeze", "frozen=freeze", "held=hold", "knew=know", "known=know", "lying=lie", "dying=die", "tying=tie", "shown=show", "hidden=hide", "became=become", "heard=hear", "learnt=learn", "lay=lie", "shot=shoot", "swam=swim", "thrown=throw", "threw=throw", "sank=sink", "worse=worse", "does=do", "did=do", "done=do", "is=be", "are=be", "was=be", "were=be", "been=be", "being=be", "has=have", "had=have", "this=this", "its=its"]
)

_TURKISH = re.compile(
    r"[ığşİĞŞ]|\b(?:ve|bir|bu|için|ile|değil|yok|gibi|ama|fakat|veya|çok|daha|bence|asla|olarak"
    r"|yeni|eski|zor|kolay|iyi|olan|kadar)\b|\w(?:maz|mez|iyor|uyor|üyor|dir|ların|lerin)\b"
)

# Turkish verbs show negation inside the word; what is left of it is the stem. Folded: no accents.
_TURKISH_END = "(?:l[ae]r|sin|sun|[iu]m|[iu]z|k|m|n)?(?:[dt][iu]r?)?"
_TURKISH_NEGATIVE = re.compile(
    "(?P<stem>.{2,}?)(?:m[ae]z|m[iu]yor|m[ae]di|m[ae]y[ae]c[ae][kg]|m[ae]mis|m[ae]m[ae]li)"
    + _TURKISH_END
)
_TURKISH_POSITIVE = re.compile(
    "(?P<stem>.{2,}?)(?:[iu]yor|[aeiu]?r|[dt][iu]|[ae]c[ae][kg]|m[iu]s|m[ae]li)" + _TURKISH_END
)
_TURKISH_STEM = 5
"""Turkish suffixes only follow: the first five letters keep most words apart."""


def fold(word: str) -> str:
    """Lower case without accents and with one kind of apostrophe."""
    return fold_text(word).replace("\u2019", "'")


def is_turkish(text: str) -> bool:
    """Whether a text reads as Turkish rather than English."""
    return _TURKISH.search(text) is not None


def turkish_negative(word: str) -> bool:
    """Whether a folded Turkish word is a negated finite verb."""
    return len(word) > 4 and _TURKISH_NEGATIVE.fullmatch(word) is not None


def turkish_verb(word: str) -> bool:
    """Whether a folded Turkish word at the end of a sentence reads as a finite predicate."""
    return word in {"degil", "var", "yok"} or (
        len(word) > 3 and (turkish_negative(word) or _TURKISH_POSITIVE.fullmatch(word) is not None)
    )


@lru_cache(maxsize=32768)
def turkish_stem(word: str) -> str:
    """The key a folded Turkish word shares with its inflected forms."""
    match = _TURKISH_NEGATIVE.fullmatch(word) if len(word) > 4 else None
    if match is None and len(word) > 4:
        match = _TURKISH_POSITIVE.fullmatch(word)
    stem = match["stem"] if match else word.split("'", maxsplit=1)[0]
    if match and len(stem) > 3:
        stem = stem.rstrip("aeiu")
    if stem.endswith("d"):
        stem = stem[:-1] + "t"
    return stem[:_TURKISH_STEM]


@lru_cache(maxsize=32768)
def english_stem(word: str) -> str:
    """The key a folded English word shares with its inflected forms."""
    word = word.removesuffix("'s").removesuffix("'")
    word = _IRREGULAR.get(word, word)
    if len(word) > 3:
        if word.endswith("ies") and len(word) > 4:
            word = word[:-3] + "y"
        elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
            word = word[:-2]
        elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    for suffix in ("ing", "ied", "ed"):
        root = word.removesuffix(suffix)
        if (
            root != word
            and len(root) > 2
            and not word.endswith("eed")
            and any(letter in "aeiouy" for letter in root)
        ):
            word = root + "y" if suffix == "ied" else root
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word


def stem(word: str, *, turkish: bool = False) -> str:
    """The key a folded word shares with its inflected forms."""
    return turkish_stem(word) if turkish else english_stem(word)


type _Sides = Mapping[str, frozenset[tuple[int, bool]]]


def _sides(table: str, *, turkish: bool) -> _Sides:
    sides: dict[str, set[tuple[int, bool]]] = {}
    for number, line in enumerate(table.strip().splitlines()):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                sides.setdefault(stem(fold(word), turkish=turkish), set()).add((number, bool(side)))
    return {word: frozenset(places) for word, places in sides.items()}


def _groups(table: str) -> Mapping[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(table.strip().splitlines()):
        for word in line.split():
            groups.setdefault(english_stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in groups.items()}


_OPPOSITES: Mapping[bool, _Sides] = {
    False: _sides(_ENGLISH_OPPOSITES, turkish=False),
    True: _sides(_TURKISH_OPPOSITES, turkish=True),
}
_SYNONYM_GROUPS = _groups(_SYNONYMS)
_EXCLUSIVE_GROUPS = {
    stem(fold(word), turkish=turkish): number
    for turkish in (False, True)
    for number, line in enumerate(_EXCLUSIVE.strip().splitlines())
    for word in line.split()
}
PEOPLE = frozenset(english_stem(word) for word in _PEOPLE.split())
PERSON = frozenset({"person", "someon", "somebody", "anyon", "anybody", "nobody", "noon"})
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "non-")
_NO_PREFIX = frozenset(
    english_stem(word) for word in ["include", "involve", "to", "form", "vest", "put", "sure"]
)


def opposite(one: str, other: str, *, turkish: bool = False) -> bool:
    """Whether two stems cannot both be said of one thing in one respect."""
    sides = _OPPOSITES[turkish]
    others = sides.get(other, frozenset())
    if any((line, not side) in others for line, side in sides.get(one, frozenset())):
        return True
    if turkish:
        return False
    short, long = sorted((one, other), key=len)
    return (
        len(short) > 3
        and short not in _NO_PREFIX
        and any(long == prefix + short for prefix in _PREFIXES)
    )


def exclusive(one: str, other: str) -> bool:
    """Whether two stems are different values of an attribute that a thing has one of."""
    group = _EXCLUSIVE_GROUPS.get(one)
    return (
        one != other
        and group is not None
        and group == _EXCLUSIVE_GROUPS.get(other)
        and frozenset((one, other)) not in _SAME_VALUE
    )


def synonymous(one: str, other: str, *, turkish: bool = False) -> bool:
    """Whether two stems say nearly the same, or the second only names the first more broadly."""
    if one == other:
        return True
    sides = _OPPOSITES[turkish]
    if _SYNONYM_GROUPS.get(one, frozenset()) & _SYNONYM_GROUPS.get(other, frozenset()):
        return True
    return bool(sides.get(one, frozenset()) & sides.get(other, frozenset()))


_VERBS = """
accept accompany account achieve act adapt add affect agree aim allow amplify announce answer appear
apply appreciate argue arise arrive ask assert assume attach attempt attract avoid balance ban beat
become begin behave believe belong benefit block boost break bring build burn buy call carry cause
challenge change choose claim close come compare compete complain comprise conclude confirm connect
consist constitute consume contain continue contradict contribute control convert cool correlate
cost cover create cut damage decide decline decrease define degrade delay deliver demand
demonstrate denote deny depend derive describe deserve destroy determine develop die differ diminish
disagree disappear disprove distinguish dominate drink drive drop earn eat embody emerge employ
enable encourage end enhance enjoy ensure entail enter equal establish evolve exceed exist expand
expect explain express extend fail fall favour favor feed feel fill find finish fit flow flower
follow force foster found freeze function gain generate get give go govern grow guarantee happen
harm hate have help hide hinder hold hurt ignore impair imply improve include increase
indicate induce influence inform inhibit inspire intend interfere introduce invent invite involve
keep kill know lack last lead learn leave let lie like limit live look lose love lower maintain make
matter mean measure meet melt mix motivate move must need negate observe obtain occur offer open
oppose originate outperform outweigh own pay perform persist play point possess precede predict
prefer prevent proceed produce prohibit promise promote propose protect prove provide publish
put raise reach react read recall receive recommend reduce reflect refuse regulate reinforce reject
relate release rely remain remember remove render replace represent require resemble resist
resolve rest result return reveal reward rise run save say scale see seek seem sell send
separate serve shape share shrink shift show sink sit slow smell solve sound speak speed spend
spread stand start stay stem stop store strengthen struggle succeed suffer suggest suit
supply support surpass survive take tap taste teach tell tend think thrive treat trigger
trust turn undermine understand use vary wait want warm waste weaken weigh widen win wish
work worry worsen write yield
abandon absorb accelerate accumulate adjust admit advise afford alter amount analyse analyze approach
approve arrange assess assign assume attack avoid bear bend bind blame bloom boil bore borrow bounce
breathe breed broaden calm capture care catch celebrate centre charge check climb cling collapse
collect combine commit communicate conduct confuse constrain construct consume contract contrast
coordinate cost count criticise cross cultivate cure dance date deal debate decay defend deliver
deter diagnose dictate die dig direct discourage discover discuss dislike dissolve distract divide
doubt draw dream drift dry earn ease effect eliminate emit emphasise engage enrich escape estimate
examine exclude exercise exploit explore expose fade fear feature fight flourish fold forbid force
fuel fulfil gather germinate grasp guide halve handle happen heal hear heat heighten hire hunt
identify illustrate imagine impact impose inhabit inherit insist install integrate interact
interpret invest isolate join judge jump justify kick lack land leak lend lessen lift limp link
listen load lock manage manipulate mark marry master match melt mention merge mind mirror miss
narrow note notice nourish obey offset operate organise organize outlast overcome overlap paint
participate pass pause permit pick plan please pose postpone pour practise praise preserve press
pretend print prioritise process prompt prune pull pursue push qualify quit rank recognise recognize
recover refer refine regret remind repair repeat repel report reserve respond restrict retain
reuse revolve ride ripen rot rule satisfy scan schedule score search seal secure select settle
shorten shout signal simplify skip slip solidify sort spark specify split spoil spring stabilise
steal stick stimulate stretch strike study submit succeed sum surround sustain swim switch target
tempt tend test tire touch track trade train transfer transform translate travel trap trick type
underlie unite update upset value visit vote wake walk warn wash watch wear wonder wrap
"""
VERBS = frozenset(english_stem(word) for word in _VERBS.split())
