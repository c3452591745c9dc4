"""Words that ask, join or judge and so do not say what a question is about.

All as ``flatten`` writes them: lower case, Turkish letters without their marks.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ASKING = _words(
    "what what's whats who who's whom whose where where's when when's why how which whether "
    "if tell show give find explain describe define list name compare contrast explore browse "
    "search look looking collect gather summarize summarise surface suggest trace track walk "
    "dig let help can could would should shall will may might must do does did doing done is "
    "are was were be been being am has have had having isn't aren't wasn't don't doesn't "
    "didn't can't won't haven't hasn't"
)
_SMALL = _words(
    "a an the this that these those it its it's i i'm i've me my mine myself we us our you "
    "your he she they them their his her him and or but nor so as at by for from in into of "
    "off on onto out over per than then through to towards under until up upon vs versus via "
    "with within without about around across after against along among before behind below "
    "between beyond during like near since there here not no yes please just only also too "
    "very really ever still already again much many more most less least few any some all "
    "each every both either neither other another else everything anything something nothing "
    "one ones own such same"
)
_FILLER = _words(
    "know knew think thought thoughts say said says mean means meant happen happens happened "
    "happening affect affects affected influence influences influenced impact impacts cause "
    "causes caused causing improve improves improved reduce reduces reduced increase "
    "increases increased lead leads led leading result results help helps helped make makes "
    "made making get gets got keep keeps kept become becomes became evolve evolved evolves "
    "evolving evolution changed changes changing differ differs different difference "
    "differences similarity similarities comparison compared comparing distinguish "
    "relationship relationships related relate relates connection connections connected link "
    "links linked reason reasons effect effects consequence consequences benefit benefits "
    "advantages disadvantages pros cons purpose role mechanism timeline chronology "
    "progression history overview definition meaning kind kinds sort example examples "
    "everything information info details better worse best worst learn learned learnt write "
    "wrote written read noted decide decided mention mentioned talk began believe believed "
    "call called exist exists use uses used using need needs want wants prefer stand stands "
    "contribute contributes contributed depend depends understand similar closely collected "
    "understanding opinion view views"
)
STOP = _ASKING | _SMALL | _FILLER
META = _words(
    "note notes idea ideas vault thing things stuff topic topics concept concepts subject "
    "material people way ways lot not fikir fikirler konu sey notlar"
)
TURKISH_STOP = _words(
    "nedir ne neyi neye neden nedeni nicin niye nasil kim kimdir kimin kime hangi hangisi nerede "
    "nereye kac zaman ile ve veya ya da de ki mi mu midir hakkinda ilgili icin gore uzerine "
    "olarak olan olur oldu olmak arasinda arasindaki fark farki farklar farklari farklilik "
    "benzerlik benzerlikler ortak noktalari yonleri karsilastir kiyasla her sey seyi tum "
    "butun bana benim ben biz sen bu su o bir en daha cok gibi kadar sonra once beri var yok "
    "yoksa iyi kotu hizli etkiler etkiliyor etkisi etkileri etkiledi degisti gelisti evrildi "
    "biliyorum biliyoruz yazdim ogrendim okudum dusunuyorum anlat goster acikla tanimla bul "
    "listele kesfet bahset bahsetti demek sebebi sebepleri sonuclari acar acti artirir "
    "azaltir saglar calisir calisiyor iliskisi iliski tarihcesi kronolojisi zamanla icinde "
    "genel bakis neler nelerdir notlarim notlarimi notlarima notlari fikirler gorusum "
    "anlayisim hakkindaki yapilir kullanilir kullaniyorum lutfen yapar nerde tarihce ilk"
)
_COLLIDING = _words("not o on her de da en ki su sen ben ya an me son bu")
TURKISH_ONLY = (TURKISH_STOP - STOP - _COLLIDING) | {"bu"}
ENGLISH_ONLY = (_ASKING | _SMALL) - _COLLIDING - TURKISH_STOP
_JUDGING = _words(
    "cheaper faster slower bigger smaller longer shorter easier harder stronger weaker taller "
    "older newer higher lower good bad effective useful common alike worth iyi ucuz "
    "pahali kolay zor"
)
EDGE = STOP | _JUDGING
TURKISH_EDGE = TURKISH_STOP | _JUDGING
AMBIGUOUS_VERBS = _words(
    "work works change grow help matter form function develop act run fail start end begin shift"
)
