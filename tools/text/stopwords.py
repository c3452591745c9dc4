"""English and Turkish words that ask, join or judge, and so do not say what a text is about.

All as ``tools.text.normalize`` writes them: lower case, without marks, with straight apostrophes.
"""


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set; written so, a list of words stays readable."""
    return frozenset(text.split())


# --- words that only build sentences -------------------------------------------------------

GRAMMAR = word_set(
    "a an the this that these those it its he she they we i you him her them me us my your his "
    "our their there here of to in on at by for with from into onto about as than and or nor "
    "both either is are was were be been being am has have had having do does did doing can "
    "could will would shall should must may might ought one who which what whose whom where how "
    "also very really quite too so just only even still rather much more most less least any "
    "some several all every each no not never always often sometimes usually up out off "
    "over under above below near before after during between through within such own same other "
    "another if when while because since although though but yet then thus hence however indeed "
    "per via vs something someone somebody anyone"
)
TURKISH_GRAMMAR = word_set(
    "ve bir bu su o icin ile de da ki daha en cok olarak gibi kadar ama hic ise mi degil var yok "
    "olan olur eder"
)

# --- words a question adds -----------------------------------------------------------------

_SMALL = GRAMMAR | word_set(
    "what's whats who who's where's when's why whether isn't aren't wasn't don't doesn't didn't "
    "can't won't haven't hasn't it's i'm i've mine myself itself until upon versus towards "
    "without across against along among around behind beyond like again already ever many few "
    "neither else everything anything nothing ones please let yes done"
)
_TURKISH_SMALL = TURKISH_GRAMMAR | word_set(
    "nedir ne neyi neye neden nicin niye nasil kim kimdir kimin kime hangi nerede nereye kac "
    "zaman veya ya mu midir muyum hakkinda her tum butun bana benim ben biz sen sonra bunu "
    "acaba biraz diye hem yani oldu once neler yoksa lutfen peki"
)
_REQUESTS = word_set("tell show give find explain define list compare explore summarize summarise")
# At the start of a question these ask; in a search they may be what is looked for.
LOOSE_REQUESTS = word_set(
    "describe name contrast browse search look looking collect gather surface suggest trace "
    "track walk dig help"
)
_VAGUE = word_set(
    "differ difference differences different get happen happened know overview related timeline "
    "use used"
)
_FILLER = _VAGUE | word_set(
    "knew think thought thoughts say said says mean means meant happens happening affect affects "
    "affected influence influences influenced impact impacts cause causes caused causing improve "
    "improves improved reduce reduces reduced increase increases increased lead leads led "
    "leading result results helps helped make makes made making gets got keep keeps kept become "
    "becomes became evolve evolved evolves evolving evolution changed changes changing differs "
    "similarity similarities comparison compared comparing distinguish relationship "
    "relationships relate relates connection connections connected link links linked reason "
    "reasons effect effects consequence consequences benefit benefits advantages disadvantages "
    "pros cons purpose role mechanism chronology progression history definition meaning kind "
    "kinds sort example examples information info details better worse best worst learn learned "
    "learnt write wrote written read noted decide decided mention mentioned talk began believe "
    "believed call called exist exists uses using need needs want wants prefer stand stands "
    "contribute contributes contributed depend depends understand similar closely collected "
    "understanding opinion view views torn ours yours theirs latest tagged labelled labeled titled"
)
_TURKISH_FILLER = word_set(
    "nedeni hangisi ilgili gore uzerine olmak arasinda arasindaki fark farki farklar farklari "
    "farklilik benzerlik benzerlikler ortak noktalari yonleri karsilastir kiyasla sey seyi beri "
    "iyi kotu hizli etkiler etkiliyor etkisi etkileri etkiledi degisti gelisti evrildi "
    "biliyorum biliyoruz yazdim ogrendim okudum dusunuyorum anlat goster acikla tanimla bul "
    "listele kesfet bahset bahsetti demek sebebi sebepleri sonuclari acar acti artirir azaltir "
    "saglar calisir calisiyor iliskisi iliski tarihcesi kronolojisi zamanla icinde genel bakis "
    "nelerdir notlarim notlarimi notlarima notlari fikirler hakkindaki yapilir kullanilir "
    "kullaniyorum yapar nerde tarihce ilk notuna notunu notlarini listemde yildir son yakindan "
    "benzeyen benzer gelince ozetle ozetler ozetleyin kimler kimlerle baglantili iliskili alakali"
)
# The ending says whose they are: my thought, my view, my understanding, what I know.
_TURKISH_OWN = word_set(
    "dusuncem dusuncemi dusuncemiz dusuncelerim dusuncelerimi dusuncelerimiz gorusum gorusumu "
    "gorusumuz goruslerim goruslerimi goruslerimiz anlayisim anlayisimi anlayisimiz bilgim "
    "bilgimi bilgimiz bilgilerim bilgilerimi bilgilerimiz fikrim fikrimi fikrimiz fikirlerim "
    "fikirlerimi fikirlerimiz"
)

STOP = _SMALL | _REQUESTS | _FILLER
TURKISH_STOP = _TURKISH_SMALL | _TURKISH_FILLER | _TURKISH_OWN

_NOTES = word_set("note notes thing things")
META = _NOTES | word_set(
    "idea ideas vault stuff topic topics concept concepts subject material people way ways lot "
    "not fikir fikirler konu sey notlar tldr tl;dr"
)
"""Words for the notes themselves: no topic, unless nothing else is asked about."""

# Where something lies is often what is looked for: the flow behind a wing.
_PLACES = word_set("above below across against along among around behind beyond off onto upon")
SEARCH_STOP = (_SMALL | _TURKISH_SMALL | _REQUESTS | _VAGUE | _NOTES) - _PLACES
"""What a text search leaves out; it keeps more than ``STOP`` does, since any word may be rare."""

NOTING = word_set(
    "write wrote written note noted learn learned learnt read mention mentioned first last "
    "earliest latest yazdim ogrendim okudum ilk son"
)
"""What one does to have a note: "when did I first write about trust?" asks for trust alone."""

# --- telling the two languages apart -------------------------------------------------------

_COLLIDING = word_set("not o on her de da en ki su sen ben ya an me son bu")
_COMPARING = word_set(
    "bu yerine kiyasla kiyasen nazaran oranla karsilastir haric disinda hakkindaki arasindaki"
)
TURKISH_ONLY = (TURKISH_STOP - STOP - _COLLIDING) | _COMPARING
ENGLISH_ONLY = (_SMALL | _REQUESTS | LOOSE_REQUESTS) - _COLLIDING - TURKISH_STOP
