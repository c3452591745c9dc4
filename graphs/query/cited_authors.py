"""Whom the sides of contradictions are cited from, by the notes that tell what others wrote."""

from collections.abc import Sequence

from agents.judge.report import cited_from
from graphs.core.deps import Deps
from tools.base.domain import Contradiction
from tools.claims.report import Conflict, sides
from tools.vault.notes.authors import read_authors


def with_cited_authors[T: Conflict](found: Sequence[T], deps: Deps) -> list[T | Contradiction]:
    """The pairs, each contradiction with its sides' authors where it names nobody. It blocks."""
    paths = {side.path for one in found if isinstance(one, Contradiction) for side in sides(one)}
    kinds = {path: record.note_type for path, record in deps.catalog.records(paths).items()}
    settings = deps.settings
    authors = read_authors(kinds, root=settings.vault, max_bytes=settings.max_note_bytes)
    return [cited_from(one, authors) if isinstance(one, Contradiction) else one for one in found]
