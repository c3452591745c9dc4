"""What a question asks of the vault that leans on the one before it in its thread. Pure.

Behind a listing a trained head tells whether a question goes on with it ("the newest of them?"),
asks what was listed says ("what does the first one say?"), or stands alone; its weights are learned
by ``evals/training/listing_follow_ups.py``.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile
from pathlib import Path
from typing import Literal

from agents.interpreter.classifiers.features import Features
from agents.interpreter.classifiers.head import Vector, read_head
from agents.interpreter.vault.questions import VaultNames
from agents.interpreter.wording.name_forms import as_named
from tools.base.domain import Before, Period
from tools.base.vault_query import VaultQuery
from tools.text.normalize import distinct, fold_name
from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import words_of

WEIGHTS = Path(__file__).with_name("follow_ups.npz")
Follows = Literal["list", "content", "alone"]
LABELS: tuple[Follows, ...] = ("list", "content", "alone")
"""What the head's outputs stand for."""
_SLOTS = ("tags", "folders", "notes", "topics")
_WEAK = ("notes", "topics")
"""What a name is taken for where nothing but itself tells of what kind it is."""
_IDLE = STOP | TURKISH_STOP
_OF_A_NOTE = ("backlinks", "links", "tags", "tasks")


def follows_listing(features: Features, vector: Vector | None) -> Follows:
    """How a question behind a listing leans on that."""
    head = read_head(WEIGHTS)
    shares = head.shares(head.outputs(features, vector), with_vector=vector is not None)
    return max(zip(shares, LABELS, strict=True))[1]


def about_answered_note(query: VaultQuery, before: Before) -> VaultQuery | None:
    """What leads to the note that answered before, or from it, its tags or its tasks; else None.

    Of several notes that were listed none is meant alone. "What does it link to?" behind "what
    links to Kiln?" is asked of Kiln.
    """
    listed, several = before.listed, before.listed is not None and len(before.notes) > 1
    if query.subject not in _OF_A_NOTE or _slots_of(query):
        return None
    if listed and listed.notes and {query.subject, listed.subject} == {"backlinks", "links"}:
        return replace(query, tags=(), folders=(), topics=(), notes=listed.notes)
    if several or not before.notes:
        return None
    note = before.notes[0].removesuffix(".md")
    return replace(query, tags=(), folders=(), topics=(), notes=(note,))


def carry_over(
    query: VaultQuery,
    period: Period,
    before: Before,
    names: VaultNames,
    *,
    concepts: Sequence[str],
    turkish: bool,
) -> tuple[VaultQuery, Period]:
    """A ``query`` that goes on with a listing keeps of that what it does not say anew.

    A name that says nothing more ("and Priya?") is of the kind that the listing was narrowed by.
    ``concepts`` are what the question is about, where it names nothing of the vault.
    """
    listed = before.listed or query
    if query.subject != listed.subject and (asked := about_answered_note(query, before)):
        return asked, period
    slots = _narrowed_anew(query, listed, period, names, concepts=concepts, turkish=turkish)
    ordered = query if query.order or query.counts else listed
    changed = bool(slots) or period != Period() or query.subject != "notes"
    subject = listed.subject if query.subject == "notes" else query.subject
    state = listed.state if query.state == "any" else query.state
    return replace(
        listed,
        subject=subject,
        state=state if subject == "tasks" else "any",
        counts=query.counts or (listed.counts and changed),
        order=ordered.order,
        most=ordered.most,
        mentions=query.mentions or listed.mentions,
        **{slot: distinct(values) for slot, values in slots.items()},
    ), before.period if period == Period() else period


def _narrowed_anew(
    query: VaultQuery,
    listed: VaultQuery,
    period: Period,
    names: VaultNames,
    *,
    concepts: Sequence[str],
    turkish: bool,
) -> dict[str, list[str]]:
    """What a question that goes on is narrowed by in place of what was ``listed``."""
    own, kept = _slots_of(query), _slots_of(listed)
    says = query.order or query.counts or period != Period() or query.state != "any"
    if query.subject == "notes" and not says and not own and concepts:
        own = {"topics": tuple(concepts)}
    slots: dict[str, list[str]] = {}
    if query.mentions and listed.topics:
        slots["topics"] = [*listed.topics]
    for slot, values in own.items():
        for value in values:
            same = (one for one in kept if _may_be(one, value, names, turkish))
            kind = next(same, slot) if slot in _WEAK and not query.mentions else slot
            slots.setdefault(kind, []).append(value)
    return slots


def _slots_of(query: VaultQuery) -> dict[str, tuple[str, ...]]:
    """The names that narrow it down, without those that name nothing ("that")."""
    named: dict[str, tuple[str, ...]] = {slot: getattr(query, slot) for slot in _SLOTS}
    for slot in _WEAK:
        named[slot] = tuple(filter(None, map(_without_idle, named[slot])))
    return {slot: values for slot, values in named.items() if values}


def _without_idle(name: str) -> str:
    """A name without words before it that name nothing: "peki Konserler"."""
    return " ".join(dropwhile(lambda word: _IDLE.issuperset(words_of(word)), name.split()))


def _may_be(slot: str, value: str, names: VaultNames, turkish: bool) -> bool:
    match slot:
        case "tags":
            return bool(names.tags.resolve(value, turkish=turkish))
        case "folders":
            return bool(names.folders.resolve(value, turkish=turkish))
        case "notes":
            return fold_name(as_named(value, names.notes, turkish=turkish)) in names.notes
        case _:
            return True
