"""Whether two claims tell of one occasion: an event, an activity, a phase. Pure."""

from collections.abc import Sequence
from itertools import pairwise

from tools.claims.alignment import Alignment
from tools.claims.forms import ClaimForm
from tools.claims.meanings import PEOPLE, PERSON
from tools.claims.verbs import verb_at
from tools.text.stemming import stems_of, turkish_past
from tools.text.stopwords import word_set

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


def are_start_and_end(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> bool:
    """Whether one tells the beginning and one the end, each with a time of its own."""
    opposed = ({one.stem, other.stem} for one, other in aligned.opposites)
    return any(pair & _BEGIN and pair & _END for pair in opposed) and _times(a) != _times(b)


def _times(form: ClaimForm) -> frozenset[object]:
    return form.dates | {(one.low, one.high) for one in form.quantities}


def are_diary_entries(a: ClaimForm, b: ClaimForm) -> bool:
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


_CASES = word_set("outside inside before after during while when since out back haric")
_AROUND = word_set("disinda icinde once sonra iken yokken gidis donus")
"""Turkish words of a case, which stand behind what they govern."""


def _circumstances(form: ClaimForm) -> frozenset[str]:
    """The words that say in which case a claim holds: outside town, since the repair."""
    words = [token.word for token in form.tokens if not token.timed]
    if form.turkish:
        return frozenset(words) & _AROUND
    return frozenset(
        one for one, then in pairwise(words) if one in _CASES and then not in {",", "."}
    )


def are_different_cases(a: ClaimForm, b: ClaimForm) -> bool:
    """Whether two claims hold in cases that differ: in town and outside it, before and since.

    A detail of one, that it was done before the storm, makes no other case.
    """
    one, other = _circumstances(a), _circumstances(b)
    if one == other:
        return False
    leading = {form.tokens[0].word for form in (a, b)}
    return bool((one and other) or (one ^ other) & (_LEADING | _AROUND | leading))


_LEADING = word_set("outside inside out back")


def is_narrower(a: ClaimForm, b: ClaimForm, aligned: Alignment) -> bool:
    """Whether one is about a part of what the other is: the canton "of" Bern, and its town."""
    return _within(a, aligned.only_a) or _within(b, aligned.only_b)


def _within(form: ClaimForm, only: Sequence[str]) -> bool:
    """Whether an extra word of the claim stands behind an "of" before its verb."""
    words = [token.word for token in form.tokens]
    end = verb_at(words) if not form.turkish else None
    if end is None or "of" not in words[:end]:
        return False
    start = words.index("of")
    return any(token.text in only for token in form.tokens[start:end])
