"""What a question asks of the vault that leans on the one before it in its thread. Pure.

Behind a listing a trained head tells whether a question goes on with it ("the newest of them?"),
asks what was listed says ("what does the first one say?"), or stands alone; its weights are learned
by ``evals/train_listed.py``.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from agents.features import Features
from agents.heads import Vector, read_head
from agents.name_forms import as_named
from agents.vault_questions import VaultNames
from tools.domain import Before, Period
from tools.text.normalize import distinct, fold_name
from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import words_of
from tools.vault_query import VaultQuery

WEIGHTS = Path(__file__).with_name("listed.npz")
Leans = Literal["list", "content", "alone"]
LEANS: tuple[Leans, ...] = ("list", "content", "alone")
"""What the head's outputs stand for."""
_SLOTS = ("tags", "folders", "notes", "topics")
_IDLE = STOP | TURKISH_STOP
_WEAK = ("notes", "topics")
"""What a name is taken for that nothing but itself tells of what kind it is."""


def leans_on_listing(features: Features, vector: Vector | None) -> Leans:
    """How a question behind a listing leans on that."""
    head = read_head(WEIGHTS)
    shares = head.shares(head.outputs(features, vector), with_vector=vector is not None)
    return max(zip(shares, LEANS, strict=True))[1]


def of_the_note(query: VaultQuery, before: Before) -> VaultQuery | None:
    """What leads to the note that answered before, or from it, or its tags; else None."""
    asked = query.subject in ("backlinks", "links", "tags") and not _narrowing(query)
    if not (asked and before.notes):
        return None
    return replace(query, notes=(before.notes[0].removesuffix(".md"),))


def going_on(
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
    listed = before.listed or VaultQuery(subject="notes")
    if asked := of_the_note(query, before):
        return asked, period
    own = _narrowing(query)
    if not (own or query.order or query.counts or period != Period() or query.subject == "tasks"):
        own = {"topics": tuple(concepts)} if concepts else own
    narrowed: dict[str, list[str]] = {}
    if query.mentions and listed.mentions:
        narrowed["topics"] = [*listed.topics]
    for slot, values in own.items():
        for value in values:
            swaps = (kept for kept in _narrowing(listed) if _may_be(kept, value, names, turkish))
            kind = next(swaps, slot) if slot in _WEAK and not query.mentions else slot
            narrowed.setdefault(kind, []).append(value)
    ordered = query if query.order or query.counts else listed
    together = replace(
        listed,
        subject=listed.subject if query.subject == "notes" else query.subject,
        state=query.state if query.subject == "tasks" else listed.state,
        counts=query.counts or (listed.counts and bool(narrowed or period != Period())),
        order=ordered.order,
        most=ordered.most,
        mentions=query.mentions or listed.mentions,
        **{slot: distinct(values) for slot, values in narrowed.items()},
    )
    return together, before.period if period == Period() else period


def _narrowing(query: VaultQuery) -> dict[str, tuple[str, ...]]:
    """What narrows it down, without names that name nothing ("that")."""
    named = {
        slot: tuple(one for one in getattr(query, slot) if not _IDLE.issuperset(words_of(one)))
        for slot in _SLOTS
    }
    return {slot: values for slot, values in named.items() if values}


def _may_be(slot: str, value: str, names: VaultNames, turkish: bool) -> bool:
    match slot:
        case "tags":
            return bool(names.tags.meant(value, turkish=turkish))
        case "folders":
            return bool(names.folders.meant(value, turkish=turkish))
        case "notes":
            return fold_name(as_named(value, names.notes, turkish=turkish)) in names.notes
        case _:
            return True
