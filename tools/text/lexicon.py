"""Words that carry little content but steer how a claim is read; all are folded."""

from collections.abc import Mapping

from tools.text.stopwords import GRAMMAR, TURKISH_GRAMMAR, word_set

type Phrases = Mapping[str, frozenset[str]]
"""Phrases of up to three words, joined by a plus, under the first of them."""


def _phrases(text: str) -> Phrases:
    found: dict[str, set[str]] = {}
    for phrase in text.split():
        found.setdefault(phrase.split("+")[0], set()).add(phrase)
    return {first: frozenset(known) for first, known in found.items()}


CLITICS = word_set("'s 're 've 'll 'm 'd")
ABBREVIATIONS = word_set(
    """dr mr mrs ms prof st jr sr vs v eg ie e.g i.e cf approx ca fig figs eq no vol pp p ch sec
    al inc ltd co corp dept est gen gov rev hon etc u.s u.k u.n e.u a.m p.m a.d b.c ph.d m.d
    min max esp jan feb mar apr jun jul aug sep sept oct nov dec resp incl excl viz orn bkz vb yy
    sn doc av cad sok yrd alm ing"""
)
STARTERS = word_set(
    """the a an it this that these those he she we they you i there in on at for but and so if
    when while however its our my his her bu su o bir biz ama ve"""
)
AUXILIARIES = word_set(
    """is are was were am isn't aren't wasn't weren't has have had hasn't haven't hadn't do does
    did don't doesn't didn't can could will would shall should must may might can't cannot
    couldn't won't wouldn't shouldn't mustn't needn't it's that's there's he's she's what's
    i'm you're we're they're i've you've we've they've i'll you'll we'll they'll it'll i'd"""
)
BEFORE_NOUNS = word_set(
    """a an the this these those my your his her its our their no any some each every to of in on
    at by for with from into about without between through as than and or very more most less"""
)
IMPERATIVES = word_set(
    """add ask avoid be begin buy call check choose click come compare consider copy create
    define do don't download email ensure explain explore find finish fix follow get give go
    imagine install keep learn let let's list look make never notice open pick please prepare
    print put read recall remember remove repeat replace review run save schedule see send set
    skip start stop take talk tell think try update use visit watch write bak bakiniz ekle
    dene oku yaz kullan unutma hatirla arastir sor al yap kontrol"""
)
NEGATORS = word_set(
    """not no never neither nor nobody none nothing nowhere no-one without hardly barely scarcely
    lack lacks lacked"""
)
TURKISH_NEGATORS = word_set("degildir yoktur degil yok")
NEGATOR_PHRASES = _phrases(
    """no+one no+longer fail+to fails+to failed+to failing+to unable+to refuse+to refuses+to
    free+of absence+of false+that untrue+that wrong+that myth+that cease+to ceases+to
    ceased+to"""
)
NO_NEGATION = _phrases(
    """not+only not+just not+merely not+simply not+necessarily no+doubt no+matter no+wonder
    or+not no+, not+to+mention nothing+but no+more+than no+less+than not+more+than
    not+less+than if+not not+yet"""
)
WEAK = word_set(
    "many much all always every everyone everything everybody entirely completely fully"
)
UNIVERSAL = word_set("all every always each everyone everything everybody her tum butun daima")
EXISTENTIAL = word_set("some sometimes several occasionally certain partly bazi bazen kimi birkac")
HEDGES = word_set(
    """may might could perhaps maybe possibly probably potentially seem seems appear appears
    likely belki olabilir muhtemelen"""
)
CONDITIONS = word_set("if unless whether assuming provided except eger haric")
PAST = word_set("formerly previously originally once ago until yesterday initially eskiden onceden")
MOMENTARY = _phrases(
    """currently now nowadays today presently still recently lately artik simdi simdilik bugun
    bugunlerde halen hala itibariyla itibaren beri as+of no+longer any+longer any+more anymore
    at+present at+the+moment right+now for+now these+days so+far switched+to moved+to changed+to
    this+week this+month this+year su+an su+anda bu+hafta bu+ay bu+yil son+zamanlarda"""
)
"""Words of a claim that tells the state of a moment and may have changed since."""
FORMER = _phrases("formerly previously originally eskiden onceden daha+once used+to")
"""Words of a claim that tells a state which is over."""
PAST_TENSE = word_set("was were had did")
BREAKS = word_set(
    """but although though while whereas because since so if unless when until except despite yet
    ; : ( ) — ama fakat ancak cunku"""
)
COMPARISONS = _phrases(
    """compared+with compared+to relative+to rather+than instead+of opposed+to unlike"""
)
FUNCTION = (
    GRAMMAR
    | TURKISH_GRAMMAR
    | CLITICS
    | word_set(
        """need needs require requires use uses group bunch lot kind type pretty down eskiden
        onceden artik simdi simdilik halen hala bugunlerde itibariyla itibaren beri"""
    )
)
PRONOUNS = word_set("it this that these those he she they such which bu su o bunlar onlar")
PREPOSITIONS = word_set("of in for with on at from by to as than near behind between")
SEASONS = word_set("spring summer autumn winter ilkbahar yaz sonbahar kis")
BEFORE_YEARS = word_set(
    """in since until from to by of during year around circa before after early late mid and - –
    ("""
)

LABELS = word_set(
    """appendix bolum adim sayfa surum case chapter class day episode experiment figure grade group
    item lesson level line model number option page part phase plan point question room rule season
    section stage step table task tier type unit version volume week"""
)
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
