"""How surely mentions mean their notes, by how the whole vault uses their words."""

from collections.abc import Sequence

from tools.links.mention_score import Usage, mention_probability
from tools.links.mentions import Mention
from tools.text.tokens import words_of
from tools.vault.catalog.catalog import Catalog
from tools.vault.catalog.link_graph import LinkGraph


def mention_usages(catalog: Catalog, graph: LinkGraph, mentions: Sequence[Mention]) -> list[Usage]:
    """How the vault uses the words of each mention, in their order; it blocks.

    Raises StorageError.
    """
    notes = catalog.note_count()
    saying = {words: catalog.inventory.notes_saying(words) for words in map(_words, mentions)}
    usages: list[Usage] = []
    for one in mentions:
        linking = len(graph.sources(one.path) - {one.path})
        said = max(saying[_words(one)], linking)
        usages.append(Usage(notes=notes, saying=said, linking=linking))
    return usages


def mention_probabilities(
    catalog: Catalog, graph: LinkGraph, mentions: Sequence[Mention]
) -> list[float]:
    """How surely each mention means its note, of 0 to 1; it blocks. Raises StorageError."""
    usages = mention_usages(catalog, graph, mentions)
    return [mention_probability(*both) for both in zip(mentions, usages, strict=True)]


def _words(mention: Mention) -> tuple[str, ...]:
    return words_of(mention.words)
