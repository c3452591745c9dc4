"""What a judge of claims knows about words without a model: English and Turkish, written by hand.

Words are compared by stem, a key that inflected forms share; it is not always a word.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from tools.folding import fold as fold_text


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set; written so, a list of words stays readable."""
    return frozenset(text.split())


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
wake | sleep
stand | sit lie
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

_IRREGULAR_WORDS = """
men=man women=woman children=child people=person feet=foot teeth=tooth mice=mouse lives=life
leaves=leaf knives=knife wives=wife data=data ran=run sat=sit stood=stand ate=eat eaten=eat
drank=drink drunk=drink went=go gone=go made=make took=take taken=take gave=give given=give
got=get found=find grew=grow grown=grow rose=rise risen=rise fell=fall fallen=fall felt=feel
kept=keep left=leave led=lead lost=lose won=win met=meet paid=pay said=say saw=see seen=see
sold=sell sent=send slept=sleep spoke=speak spoken=speak spent=spend taught=teach thought=think
told=tell understood=understand wore=wear worn=wear wrote=write written=write began=begin
begun=begin broke=break broken=break brought=bring built=build bought=buy came=come chose=choose
chosen=choose drew=draw drawn=draw drove=drive driven=drive flew=fly forgot=forget
forgotten=forget froze=freeze frozen=freeze held=hold knew=know known=know lying=lie dying=die
tying=tie shown=show hidden=hide became=become heard=hear learnt=learn lay=lie shot=shoot
swam=swim thrown=throw threw=throw sank=sink does=do did=do done=do is=be are=be was=be were=be
been=be being=be has=have had=have
"""
_IRREGULAR = {form: base for pair in _IRREGULAR_WORDS.split() for form, base in [pair.split("=")]}

_TURKISH = re.compile(
    r"[ığşİĞŞ]|\b(?:ve|bir|bu|için|ile|değil|yok|var|gibi|ama|fakat|veya|çok|daha|bence|asla|olarak"
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


def fold(text: str) -> str:
    """Lower case without accents and with one kind of apostrophe."""
    return fold_text(text).replace("\u2019", "'")


@lru_cache(maxsize=32768)
def fold_word(word: str) -> str:
    """``fold`` for single words, which recur."""
    return fold(word)


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
PAST_FORMS = frozenset(_IRREGULAR) - words(
    """men women children people feet teeth mice lives leaves knives wives data is are be been being
    am has have does do lying dying tying"""
)
PEOPLE = frozenset(english_stem(word) for word in _PEOPLE.split())
PERSON = frozenset({"person", "someon", "somebody", "anyon", "anybody", "nobody", "noon"})
_EFFECT_VERBS = """improve enhance worsen impair harm damage hurt increase raise boost decrease
reduce lower diminish strengthen weaken help hinder shorten lengthen speed slow affect influence
change"""
EFFECT_VERBS = frozenset(english_stem(word) for word in _EFFECT_VERBS.split())
EFFECTS = frozenset(english_stem(word) for word in ("effect", "impact", "influence", "affect"))
_PREFIXES = frozenset({"un", "in", "im", "ir", "il", "non", "dis", "non-"})
_NO_PREFIX = frozenset(
    english_stem(word) for word in ["include", "involve", "to", "form", "vest", "put", "sure"]
)


@lru_cache(maxsize=65536)
def opposite(one: str, other: str, *, turkish: bool = False) -> bool:
    """Whether two stems cannot both be said of one thing in one respect."""
    sides = _OPPOSITES[turkish]
    if one in sides and other in sides:
        others = sides[other]
        if any((line, not side) in others for line, side in sides[one]):
            return True
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return (
        not turkish
        and len(short) > 3
        and long.endswith(short)
        and long.removesuffix(short) in _PREFIXES
        and short not in _NO_PREFIX
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


@lru_cache(maxsize=65536)
def synonymous(one: str, other: str, *, turkish: bool = False) -> bool:
    """Whether two stems say nearly the same; opposites never do."""
    if one == other:
        return True
    sides = _OPPOSITES[turkish]
    if opposite(one, other, turkish=turkish):
        return False
    grouped = _SYNONYM_GROUPS.get(one, _NOWHERE) & _SYNONYM_GROUPS.get(other, _NOWHERE)
    return bool(grouped or (one in sides and other in sides and sides[one] & sides[other]))


_NOWHERE: frozenset[int] = frozenset()
_VERBS = """
abandon absorb accelerate accept accompany account accumulate achieve act adapt add adjust admit
advise affect afford agree aim allow alter amount amplify analyse analyze announce answer appear
apply appreciate approach approve argue arise arrange arrive ask assert assess assign assume
attach attack attempt attract avoid balance ban bear beat become begin behave believe belong bend
benefit bind blame block bloom boil boost bore borrow bounce break breathe breed bring broaden
build burn buy call calm capture care carry catch cause celebrate centre challenge change charge
check choose claim climb cling close collapse collect combine come commit communicate compare
compete complain comprise conclude conduct confirm confuse connect consist constitute constrain
construct consume contain continue contract contradict contrast contribute control convert cool
coordinate correlate cost count cover create criticise cross cultivate cure cut damage dance date
deal debate decay decide decline decrease defend define degrade delay deliver demand demonstrate
denote deny depend derive describe deserve destroy deter determine develop diagnose dictate die
differ dig diminish direct disagree disappear discourage discover discuss dislike disprove
dissolve distinguish distract divide dominate doubt draw dream drift drink drive drop dry earn
ease eat effect eliminate embody emerge emit emphasise employ enable encourage end engage enhance
enjoy enrich ensure entail enter equal escape establish estimate evolve examine exceed exclude
exercise exist expand expect explain exploit explore expose express extend fade fail fall favor
favour fear feature feed feel fight fill find finish fit flourish flow flower fold follow forbid
force foster found freeze fuel fulfil function gain gather generate germinate get give go govern
grasp grow guarantee guide halve handle happen harm hate have heal hear heat heighten help hide
hinder hire hold hunt hurt identify ignore illustrate imagine impact impair imply impose improve
include increase indicate induce influence inform inhabit inherit inhibit insist inspire install
integrate intend interact interfere interpret introduce invent invest invite involve isolate join
judge jump justify keep kick kill know lack land last lead leak learn leave lend lessen let lie
lift like limit limp link listen live load lock look lose love lower maintain make manage
manipulate mark marry master match matter mean measure meet melt mention merge mind mirror miss
mix motivate move must narrow need negate note notice nourish obey observe obtain occur offer
offset open operate oppose organise organize originate outlast outperform outweigh overcome
overlap own paint participate pass pause pay perform permit persist pick plan play please point
pose possess postpone pour practise praise precede predict prefer preserve press pretend prevent
print prioritise proceed process produce prohibit promise promote prompt propose protect prove
provide prune publish pull pursue push put qualify quit raise rank reach react read recall receive
recognise recognize recommend recover reduce refer refine reflect refuse regret regulate reinforce
reject relate release rely remain remember remind remove render repair repeat repel replace report
represent require resemble reserve resist resolve respond rest restrict result retain return reuse
reveal revolve reward ride ripen rise rot rule run satisfy save say scale scan schedule score seal
search secure see seek seem select sell send separate serve settle shape share shift shorten shout
show shrink signal simplify sink sit skip slip slow smell solidify solve sort sound spark speak
specify speed spend split spoil spread spring stabilise stand start stay steal stem stick
stimulate stop store strengthen stretch strike struggle study submit succeed suffer suggest suit
sum supply support surpass surround survive sustain swim switch take tap target taste teach tell
tempt tend test think thrive tire touch track trade train transfer transform translate trap travel
treat trick trigger trust turn type underlie undermine understand unite update upset use value
vary visit vote wait wake walk want warm warn wash waste watch weaken wear weigh widen win wish
wonder work worry worsen wrap write yield
"""
VERBS = frozenset(english_stem(word) for word in _VERBS.split())


# --- words that carry no content but steer how a claim is read, folded -----------------------

ABBREVIATIONS = words(
    """dr mr mrs ms prof st jr sr vs v eg ie e.g i.e cf approx ca fig figs eq no vol pp p ch sec
    al inc ltd co corp dept est gen gov rev hon etc u.s u.k u.n e.u a.m p.m a.d b.c ph.d m.d
    min max jan feb mar apr jun jul aug sep sept oct nov dec resp incl excl viz orn bkz vb yy
    sn doc av cad sok yrd alm ing"""
)
STARTERS = words(
    """the a an it this that these those he she we they you i there in on at for but and so if
    when while however its our my his her bu su o bir biz ama ve"""
)
AUXILIARIES = words(
    """is are was were am isn't aren't wasn't weren't has have had hasn't haven't hadn't do does
    did don't doesn't didn't can could will would shall should must may might can't cannot
    couldn't won't wouldn't shouldn't mustn't needn't it's that's there's he's she's what's
    i'm you're we're they're i've you've we've they've i'll you'll we'll they'll it'll i'd"""
)
BEFORE_NOUNS = words(
    """a an the this these those my your his her its our their no any some each every to of in on
    at by for with from into about without between through as than and or very more most less"""
)
IMPERATIVES = words(
    """add ask avoid be begin buy call check choose click come compare consider copy create
    define do don't download email ensure explain explore find finish fix follow get give go
    imagine install keep learn let let's list look make never notice open pick please prepare
    print put read recall remember remove repeat replace review run save schedule see send set
    skip start stop take talk tell think try update use visit watch write bak bakiniz ekle
    dene oku yaz kullan unutma hatirla arastir sor al yap kontrol"""
)
NEGATORS = words(
    """not no never neither nor nobody none nothing nowhere no-one without hardly barely scarcely
    lack lacks lacked"""
)
TURKISH_NEGATORS = words("degildir yoktur degil yok")
NEGATOR_PHRASES = words(
    """no+one no+longer fail+to fails+to failed+to failing+to unable+to refuse+to refuses+to
    free+of absence+of false+that untrue+that wrong+that myth+that cease+to ceases+to
    ceased+to"""
)
NO_NEGATION = words(
    """not+only not+just not+merely not+simply not+necessarily no+doubt no+matter no+wonder
    or+not no+, not+to+mention nothing+but no+more+than no+less+than not+more+than
    not+less+than if+not not+yet"""
)
WEAK = words("many much all always every everyone everything everybody entirely completely fully")
UNIVERSAL = words("all every always each everyone everything everybody her tum butun daima")
EXISTENTIAL = words("some sometimes several occasionally certain partly bazi bazen kimi birkac")
HEDGES = words(
    """may might could perhaps maybe possibly probably potentially seem seems appear appears
    likely belki olabilir muhtemelen"""
)
CONDITIONS = words("if unless whether assuming provided except eger haric")
PAST = words("formerly previously originally once ago until yesterday initially eskiden onceden")
PAST_TENSE = words("was were had did")
BREAKS = words(
    """but although though while whereas because since so if unless when until except despite yet
    ; : ( ) — ama fakat ancak cunku"""
)
COMPARISONS = words(
    """compared+with compared+to relative+to rather+than instead+of opposed+to unlike"""
)
FUNCTION = words(
    """a an the this that these those it its he she they we i you him her them me us my your his
    our their there here of to in on at by for with from into onto about as than and or nor
    both either is are was were be been being am has have had having do does did doing can
    could will would shall should must may might ought 's 're 've 'll 'm 'd one who which what
    whose whom where how also very really quite too so just only even still rather pretty much
    more most less least any some several all every each no not never always often sometimes
    usually up down out off over under above below near before after during between through
    within such own same other another if when while because since although though but yet
    then thus hence however indeed per via vs need needs require requires use uses group bunch
    lot kind type something someone somebody anyone ve bir bu su o icin ile de da ki daha en
    cok olarak gibi kadar ama hic ise mi degil var yok olan olur eder"""
)
PRONOUNS = words("it this that these those he she they such which bu su o bunlar onlar")
PREPOSITIONS = words("of in for with on at from by to as than near behind between")
SEASONS = words("spring summer autumn winter ilkbahar yaz sonbahar kis")
APPROXIMATE = words("about around roughly approximately circa ca nearly almost ~ ≈ yaklasik")
AT_LEAST = words("over above > ≥ minimum exceeds exceed")
AT_MOST = words("under below < ≤ maximum within")
BEFORE_YEARS = words(
    """in since until from to by of during year around circa before after early late mid and - –
    ("""
)

LABELS = words(
    """appendix bolum adim sayfa surum case chapter class day episode experiment figure grade group
    item lesson level line model number option page part phase plan point question room rule season
    section stage step table task tier type unit version volume week"""
)
CLITICS = words("'s 're 've 'll 'm 'd")
CONTRACTIONS = {"can't": "can", "won't": "will", "shan't": "shall", "cannot": "can"}
_MONTH_NAMES = """
january ocak / february subat / march mart / april nisan / may mayis / june haziran / july temmuz /
august agustos / september eylul / october ekim / november kasim / december aralik
"""
MONTHS = {
    name: f"{number:02}"
    for number, names in enumerate(_MONTH_NAMES.split("/"), 1)
    for name in names.split()
}

# --- numbers and units -----------------------------------------------------------------------

_UNIT_FACTORS = """
length mm=.001 cm=.01 m=1 km=1000 metre=1 meter=1 centimetre=.01 centimeter=.01
length millimetre=.001 millimeter=.001 kilometre=1000 kilometer=1000 inch=.0254 foot=.3048
length mile=1609.344
mass mg=1e-6 g=.001 kg=1 gram=.001 kilogram=1 kilo=1 tonne=1000 ton=1000 pound=.4536
volume ml=.001 l=1 litre=1 liter=1 litr=1 millilitre=.001 milliliter=.001 cup=.24
time ms=.001 second=1 sec=1 minute=60 min=60 hour=3600 h=3600 day=86400 week=604800 month=2629800
time year=31557600 decade=315576000 century=3155760000 saniye=1 dakika=60 saat=3600 gun=86400
time hafta=604800 ay=2629800 yil=31557600
conductivity mS/cm=1 µS/cm=.001
concentration g/l=1 mg/l=.001
speed km/h=.277778 m/s=1
percent %=1 percent=1 percentage=1 yuzde=1
celsius °C=1 celsius=1
fahrenheit °F=1 fahrenheit=1
degree °=1 degree=1 derece=1
area m2=1 km2=1e6 hectare=1e4
data kb=1e3 mb=1e6 gb=1e9 tb=1e12 byte=1
power w=1 kw=1000 watt=1 kilowatt=1000
voltage v=1 volt=1
frequency hz=1 khz=1e3 mhz=1e6 ghz=1e9
energy kcal=1 calorie=1 kj=.239
dollar $=1 dollar=1 usd=1
euro €=1 euro=1 eur=1
sterling £=1 gbp=1
lira ₺=1 lira=1 tl=1
"""


def _units() -> Mapping[str, tuple[str, float]]:
    units: dict[str, tuple[str, float]] = {}
    for line in _UNIT_FACTORS.strip().splitlines():
        dimension, *pairs = line.split()
        for pair in pairs:
            name, factor = pair.split("=")
            units[name] = units[english_stem(name) if len(name) > 3 else name] = (
                dimension,
                float(factor),
            )
    return units


UNITS = _units()
"""A unit's dimension and its size in the dimension's base unit, by sign, name and stem."""

DIMENSIONS = frozenset(dimension for dimension, _ in UNITS.values())

_ONE_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen"""
ONES = tuple(_ONE_WORDS.split())
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = tuple(_TEN_WORDS.split())
_TURKISH_ONES = "sifir bir iki uc dort bes alti yedi sekiz dokuz on"
_TURKISH_TENS = "yirmi otuz kirk elli altmis yetmis seksen doksan"
NUMBER_WORDS: Mapping[str, float] = (
    {word: float(value) for value, word in enumerate(ONES)}
    | {word: 10.0 * value for value, word in enumerate(TENS, 2)}
    | {"dozen": 12.0, "half": 0.5}
)
TURKISH_NUMBER_WORDS: Mapping[str, float] = {
    word: float(value) for value, word in enumerate(_TURKISH_ONES.split())
} | {word: 10.0 * value for value, word in enumerate(_TURKISH_TENS.split(), 2)}
SCALES: Mapping[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "billion": 1e9,
}
TURKISH_SCALES: Mapping[str, float] = {"yuz": 1e2, "bin": 1e3, "milyon": 1e6, "milyar": 1e9}
_ORDINAL_WORDS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh
twelfth"""
_TURKISH_ORDINALS = "birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci"
ORDINALS: Mapping[str, float] = {
    word: float(value)
    for text in (_ORDINAL_WORDS, _TURKISH_ORDINALS)
    for value, word in enumerate(text.split(), 1)
}
BOUNDS: Mapping[tuple[str, str], int] = {
    ("more", "than"): 1,
    ("greater", "than"): 1,
    ("at", "least"): 1,
    ("en", "az"): 1,
    ("less", "than"): -1,
    ("fewer", "than"): -1,
    ("at", "most"): -1,
    ("up", "to"): -1,
    ("en", "fazla"): -1,
}
"""Words before a number that make it a lower (1) or an upper (-1) bound."""
