"""Whether two claims tell of one occasion: an event, an activity, a phase. Pure."""

from itertools import pairwise

from tools.claims.alignment import Alignment
from tools.claims.forms import ClaimForm
from tools.claims.meanings import PEOPLE, PERSON
from tools.claims.stems import stems_of, turkish_past

_EVENTS = stems_of(
    "founded established born released published died invented discovered launched built signed "
    "created installed opened planted bought acquired married graduated hired adopted completed "
    "finished started began ends expires due appeared"
)
"""What happens once."""
_ACTIVITIES = stems_of(
    "run walk jog cycle swim ride drive hike climb row travel visit eat drink sleep nap read write "
    "work study train practise practice lift spend pay buy cook bake play watch earn sell score "
    "meet call email"
) | stems_of(
    "kostu yurudu yuzdu surdu gitti gezdi okudu yazdi calisti yedi icti uyudu harcadi odedi aldi "
    "pisirdi oynadi izledi kazandi satti gordu bulustu",
    turkish=True,
)
"""What is done again and again, to another extent each time."""
_BEGIN = stems_of("start begin open arrive enter") | stems_of(
    "baslar basladi acar acilir gelir", turkish=True
)
_END = stems_of("stop end finish cease close shut leave depart exit") | stems_of(
    "biter bitti kapatir kapanir gider", turkish=True
)
_PEOPLE = PEOPLE | PERSON | stems_of("people")


def happens_once(aligned: Alignment) -> bool:
    """Whether both date what happens once; anything else may have changed between two dates."""
    told = (one for one, _ in aligned.shared_tokens if not one.in_subject)
    return aligned.dates_differ and any(one.stem in _EVENTS for one in told)


def phases(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> bool:
    """Whether one tells the beginning and one the end, each with a time of its own."""
    opposed = ({one.stem, other.stem} for one, other in aligned.opposites)
    return any(pair & _BEGIN and pair & _END for pair in opposed) and _times(a) != _times(b)


def _times(form: ClaimForm) -> frozenset[object]:
    return form.dates | {(one.low, one.high) for one in form.quantities}


def diary(a: ClaimForm, b: ClaimForm) -> bool:
    """Whether they tell what somebody once did: it may have been on different days."""
    mine = {"i", "we"} & {*a.subject, *b.subject} and (a.past_tense or b.past_tense)
    return (bool(mine) or (_episode(a) and _episode(b))) and not a.dates & b.dates


def _episode(form: ClaimForm) -> bool:
    """Whether a claim tells what a certain person did, or where they were, at some time."""
    words = [token.word for token in form.tokens]
    if form.turkish:
        stayed = words[-1].endswith(("deydi", "daydi", "teydi", "taydi"))
        return stayed or (turkish_past(words[-1]) and form.tokens[-1].stem in _ACTIVITIES)
    first = form.tokens[0]
    # A bare noun first is a name more often than not.
    named = first.in_subject and first.weight > 0 and first.stem not in _PEOPLE
    if not (named and form.past_tense):
        return False
    if not {"was", "were"}.isdisjoint(words):
        return any(one == "was" and then in {"in", "at"} for one, then in pairwise(words))
    return any(not token.in_subject and token.stem in _ACTIVITIES for token in form.tokens)
