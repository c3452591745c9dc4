"""Whether a question names something that stands for several things in the notes."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.interpreter.sense_choice import in_words
from graphs.core.deps import Deps
from graphs.query.retrieval.named_notes import named_notes
from graphs.query.retrieval.retriever import Nearest
from tools.base.domain import AmbiguousName, QueryPlan, Sense
from tools.senses.decision import Senses, disambiguator, most_open, senses_in
from tools.senses.mentions import written_as
from tools.senses.notes import NamedNote
from tools.text.markdown.quotes import link_texts
from tools.text.markdown.sentences import split
from tools.text.voice import translate

_ABOUT = 60
"""Characters of how a note begins that tell it from others."""


async def with_senses(
    plan: QueryPlan, chosen: Mapping[str, Sense], deps: Deps, search: Nearest | None
) -> tuple[QueryPlan, list[str]]:
    """The plan with a name whose sense it leaves open, or with the sense chosen in the thread.

    ``chosen`` has those by the key of the name. Second, what is to be said of that.
    """
    found = await named_notes(plan, deps, search)
    if not found:
        return plan, []
    every = senses_in(found, disambiguator())
    for senses in every:
        known = chosen.get(senses.mention.name)
        if known is not None and _holds(known, senses, plan):
            return _as_chosen(plan, known, senses)
    asked = most_open(every)
    if asked is None:
        return plan, []
    return replace(plan, ambiguous=await asyncio.to_thread(_described, asked)), []


def _as_chosen(plan: QueryPlan, known: Sense, senses: Senses) -> tuple[QueryPlan, list[str]]:
    if not known.notes:
        return plan, []
    # Notes may have been written on it since.
    notes = next(own for own in map(_paths, senses.senses) if known.notes[0] in own)
    meant = replace(known, notes=(known.notes[0], *(p for p in notes if p != known.notes[0])))
    name = written_as(senses.mention, senses.senses[0][0].name_for(senses.mention))
    return replace(plan, sense=meant), [
        translate("“{name}” is {sense}, as you chose before.", name=name, sense=in_words(known))
    ]


def _holds(known: Sense, senses: Senses, plan: QueryPlan) -> bool:
    """Whether a choice is one for this question too, which may itself say what it means."""
    if not known.notes:
        return True
    there = any(known.notes[0] in _paths(sense) for sense in senses.senses)
    follows = plan.reading.before is not None or known.notes[0] in _paths(senses.senses[0])
    return there and (senses.is_open() or follows)


def _described(senses: Senses) -> AmbiguousName:
    """The senses in words that tell them apart: by their folders, else by how they begin."""
    mains = [sense[0] for sense in senses.senses]
    folders = ["/".join(note.folder) for note in mains]
    apart = all(folders) and len(set(folders)) == len(folders)
    about = folders if apart else [_beginning(note) for note in mains]
    return AmbiguousName(
        name=written_as(senses.mention, mains[0].name_for(senses.mention)),
        senses=tuple(
            Sense(title=sense[0].title, notes=_paths(sense), about=said)
            for sense, said in zip(senses.senses, about, strict=True)
        ),
    )


def _beginning(note: NamedNote) -> str:
    """The first sentence of a note, shortened; its path where it has none."""
    first = next((one.text for one in split(note.text) if one.kind == "prose"), "")
    words = " ".join(link_texts(first).split())
    if len(words) <= _ABOUT:
        return words or note.path
    return f"{words[:_ABOUT].rsplit(' ', 1)[0]} …"


def _paths(sense: Sequence[NamedNote]) -> tuple[str, ...]:
    return tuple(note.path for note in sense)
