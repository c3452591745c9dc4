"""Whether two claims may be about one thing, by what their notes are called. Pure.

"The warranty is two years" is about whatever its note is about; "Basil needs sun" stands alone.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePosixPath

from agents.over_time import form
from tools.claims.alignment import content_stems
from tools.claims.forms import ClaimForm
from tools.claims.verbs import begins_with_verb, verb_at
from tools.domain import Claim
from tools.text.stemming import stems_of
from tools.text.stopwords import word_set

type Relevance = Callable[[str], float]
"""How much of what is asked a text speaks of, in [0, 1]."""

_ASKED = 0.6
"""Share of what is asked that each claim must hold to be on one thing for that alone."""
ON_SUBJECT = 1 / 2
"""Share of what is asked of which two claims must hold more together, to be told."""
_ANOTHERS = word_set("her his its their your it he she they this that these those")
_OWN = word_set("my our i we")
_PARTS = stems_of(
    "warranty guarantee price cost fee capacity weight size height length width depth "
    "color colour material brand model year age birthday phone number email address landlord owner "
    "manager author director editor publisher ending plot cast chapter seat room door key code "
    "password pin name title status deadline budget balance member treasurer population "
    "temperature dose dosage battery range power consumption filter manual breakfast wifi parking "
    "host view hour opening team client contract invoice scope rate speed result score duration "
    "distance route ticket platform gate departure arrival start end beginning finish oven time "
    "yield serving course term payment leaf root soil flower trunk lens sensor screen memory "
    "license version"
)
"""What things of many kinds have, each its own."""
_TURKISH_PARTS = stems_of(
    "garanti fiyat ucret maliyet kapasite agirlik boyut yukseklik uzunluk genislik "
    "renk malzeme marka model yil yas telefon numara adres sahibi yonetici yazar yonetmen son oda "
    "kapi anahtar sifre parola isim adi durum butce bakiye uye nufus sicaklik doz pil guc filtre "
    "kahvalti otopark ev manzara saat ekip sure mesafe bilet kalkis varis baslangic bitis",
    turkish=True,
)
_ALL_PARTS = _PARTS | _TURKISH_PARTS
_MAY_OR_MUST = re.compile(r"(?:[ae]bilir|[ae]m[ae]z|(?<!n)(?<!l)m[ae]li|[iu]n|s[iu]n)(?:l[ae]r)?$")
"""Turkish endings of what somebody may or has to do, who need not be named."""
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


def one_thing(a: Claim, b: Claim, relevance: Relevance | None = None) -> bool:
    """Whether two claims may be about one thing.

    Claims that name theirs may, and those of a note and its successor. Else the notes have to be
    called after it, or after one thing, or both claims to hold what is asked, by ``relevance``, in
    notes that are not two of a kind.
    """
    if b.note_path in (a.note_path, a.ended_by) or b.ended_by == a.note_path:
        return True
    one, other = form(a.text), form(b.text)
    if _versions(a, b) or not (one.tokens and other.tokens):
        return False
    names = _called(a.note_title, a.note_path), _called(b.note_title, b.note_path)
    within = all(names) and (names[0] <= names[1] or names[1] <= names[0])
    kindred = bool(names[0] & names[1]) and not within
    if _stands_alone(one) and _stands_alone(other):
        # "I would go back" tells of that trip, "late coffee harms sleep" of coffee at large.
        common = content_stems(a.text) & content_stems(b.text) & names[0] & names[1]
        return not kindred or bool(common) or (_named(one) and _named(other))
    if kindred or _other_days(a, b):
        return False
    if within:
        return True
    if _of_another(one) or _of_another(other):
        return False
    if any(_head(claim) in called for claim in (one, other) for called in names):
        return True
    its_own = _part(one) or _part(other) or _beside(a, b)
    asked = relevance is not None and min(relevance(a.text), relevance(b.text)) >= _ASKED
    return asked and not its_own


def on_subject(a: Claim, b: Claim, relevance: Relevance | None) -> bool:
    """Whether two claims speak together of more than half of what is asked, if that is known."""
    return (
        relevance is None or relevance(f"{a.read_as or a.text} {b.read_as or b.text}") > ON_SUBJECT
    )


def stands_alone(claim: Claim) -> bool:
    """Whether a claim says itself what it is about: by a name, a kind, or as the writer's own."""
    return _stands_alone(form(claim.text))


def _stands_alone(claim: ClaimForm) -> bool:
    if not claim.tokens:  # a citation or a date, and nothing else
        return False
    first = claim.tokens[0]
    if _named(claim) or claim.universal or first.word in _OWN:
        return True
    if claim.turkish:
        last = claim.tokens[-1].word
        return first.stem not in _TURKISH_PARTS and not _MAY_OR_MUST.search(last)
    return first.in_subject and first.weight > 0 and _head(claim) not in _PARTS


def _named(claim: ClaimForm) -> bool:
    """Whether a claim has a name in it."""
    return any(one.text[:1].isupper() and one.weight for one in claim.tokens[1:])


def _of_another(claim: ClaimForm) -> bool:
    """Whether only the text around a claim says whose it is, or who is to do it."""
    first, *rest = claim.tokens
    if claim.turkish:
        return _MAY_OR_MUST.search(claim.tokens[-1].word) is not None
    if begins_with_verb([first.word]):  # "water the fern", but not "take twice a day"
        return not any(token.weight == 1 for token in rest)
    return first.word in _ANOTHERS or not claim.subject


def _head(claim: ClaimForm) -> str:
    """The stem of the noun that is the subject, or whose it is: of "the code of the door" door."""
    said = [one for one in claim.tokens if one.weight]
    if claim.turkish or not claim.subject:
        return said[0].stem if said else ""
    inside = [one.word for one in claim.tokens[: (verb_at([t.word for t in claim.tokens]) or 0)]]
    if "of" in inside:
        owner = claim.tokens[inside.index("of") : len(inside)]
        return next((one.stem for one in reversed(owner) if one.weight), claim.subject[-1])
    return claim.subject[-1]


@lru_cache(maxsize=512)
def _called(title: str, path: str) -> frozenset[str]:
    """What the note and its file are called, less their dates."""
    return content_stems(_DATE.sub(" ", f"{title} {PurePosixPath(path).stem}"))


def _versions(a: Claim, b: Claim) -> bool:
    """Whether the notes are called after two versions of a thing: "Python 3.8", "Python 3.10"."""
    one, other = (_NUMBER.findall(_DATE.sub(" ", claim.note_title)) for claim in (a, b))
    if not (one and other) or one == other:
        return False
    names = _called(a.note_title, a.note_path), _called(b.note_title, b.note_path)
    return bool(names[0]) and names[0] == names[1]


def _other_days(a: Claim, b: Claim) -> bool:
    """Whether the notes are of two days: what was so at one meeting may not be at the next."""
    one, other = (_DATE.findall(claim.note_path) for claim in (a, b))
    return bool(one and other and one != other)


def _part(claim: ClaimForm) -> bool:
    """Whether a claim is about what every thing of its kind has: the warranty, the landlord."""
    return _head(claim) in _ALL_PARTS


def _beside(a: Claim, b: Claim) -> bool:
    """Whether two notes stand in one folder of the vault, as notes of a kind do."""
    folders = PurePosixPath(a.note_path).parent, PurePosixPath(b.note_path).parent
    return folders[0] == folders[1] and bool(folders[0].name)
