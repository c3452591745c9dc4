"""Say of which type each suggested link would be, and why."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from agents.linker.reason import reason
from agents.linker.relation import NEVER_SHOWN, SHOWN, likeliest
from graphs.core.deps import Deps
from tools.base.domain import Note
from tools.base.errors import BrainError
from tools.links.excerpt_features import Excerpt, Vector
from tools.links.suggestion import LinkSuggestion, SuggestedRelation
from tools.semantic.choosing import is_foreign
from tools.vault.catalog.records import Passage

_FEWEST_WORDS = 17
"""Of a passage: hardly any of what the types were learned from is shorter (the fiftieth part)."""

type _Passages = Mapping[str, Sequence[Excerpt]]


async def explain(
    deps: Deps, note: Note, suggestions: Sequence[LinkSuggestion]
) -> list[LinkSuggestion]:
    """The suggestions for a note, each with the type that "note <type> other" is likeliest.

    It is read off the passages of both that are nearest in meaning. None is said where no type is
    likely enough to be shown, where the store of meaning does not answer or its encoder is another
    than the built-in ones, and of passages that are in another language than English or shorter
    than those it was learned from. Raises StorageError for the catalog's.
    """
    passages = await asyncio.to_thread(
        deps.catalog.passages_of, [note.path, *(one.note_path for one in suggestions)]
    )
    encoder = await asyncio.to_thread(deps.catalog.encoder)
    ids = {passage.vector_id for own in passages.values() for passage in own}
    try:
        vectors = await deps.index.vectors(sorted(ids))
    except BrainError:
        return [*suggestions]
    if encoder is None:
        return [*suggestions]
    return await asyncio.to_thread(
        _explained, note, suggestions, _excerpts(passages, suggestions, note, vectors), encoder
    )


def _excerpts(
    passages: Mapping[str, Sequence[Passage]],
    suggestions: Sequence[LinkSuggestion],
    note: Note,
    vectors: Mapping[str, NDArray[np.float32]],
) -> _Passages:
    titles = {one.note_path: one.note_title for one in suggestions} | {note.path: note.title}
    return {
        path: [
            Excerpt(
                title=titles[path],
                text=passage.text,
                vector=vectors[passage.vector_id].astype(np.float64),
            )
            for passage in own
            if passage.vector_id in vectors
        ]
        for path, own in passages.items()
    }


def _explained(
    note: Note, suggestions: Sequence[LinkSuggestion], excerpts: _Passages, encoder: str
) -> list[LinkSuggestion]:
    own = excerpts.get(note.path, ())
    pairs = {
        one.note_path: _nearest(own, others)
        for one in suggestions
        if own and (others := excerpts.get(one.note_path, ()))
    }
    readable = {
        path: pair for path, pair in pairs.items() if all(_is_readable(one.text) for one in pair)
    }
    found = likeliest([*readable.values()], encoder=encoder)
    if found is None:
        return [*suggestions]
    relations: dict[str, SuggestedRelation] = {}
    for (path, (a, b)), (kind, likely) in zip(readable.items(), found, strict=True):
        if likely < SHOWN or kind == NEVER_SHOWN:
            continue
        if why := reason(kind, a.text, b.text):
            relations[path] = SuggestedRelation(
                relation=kind, probability=round(likely, 3), reason=why
            )
    return [replace(one, relation=relations.get(one.note_path)) for one in suggestions]


def _is_readable(text: str) -> bool:
    return len(text.split()) >= _FEWEST_WORDS and not is_foreign(text)


def _nearest(own: Sequence[Excerpt], others: Sequence[Excerpt]) -> tuple[Excerpt, Excerpt]:
    """The passages of two notes that are nearest in meaning; the first ones of those as near."""
    cosines: Vector = (
        np.array([one.vector for one in own]) @ np.array([one.vector for one in others]).T
    )
    at, other = divmod(int(cosines.argmax()), len(others))
    return own[at], others[other]
