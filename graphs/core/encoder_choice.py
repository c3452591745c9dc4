"""Which encoder a vault's index is made with, as its settings and its notes have it."""

import contextlib

from tools.semantic.choosing import AUTO, SAMPLE, choose, encoder_named, is_due
from tools.settings.settings import Settings
from tools.vault.catalog.catalog import Catalog


def named_encoder(settings: Settings) -> str:
    """The encoder by its name, where it is left to the notes what was chosen last."""
    return encoder_named(settings.encoder, settings.data_dir)


def is_choice_due(settings: Settings, catalog: Catalog) -> bool:
    """Whether the next indexing run would choose."""
    return settings.encoder == AUTO and is_due(settings.data_dir, catalog.counts().passages)


def choose_encoder(settings: Settings, catalog: Catalog) -> None:
    """Choose by the languages of some passages, if that is left to the notes and due."""
    if not is_choice_due(settings, catalog):
        return
    # An id is a hash, so the first ones in order are as good as any.
    vectors = sorted(catalog.outbox.needed())[:SAMPLE]
    found = catalog.passages_by_vector(vectors)
    texts = [passages[0].text for passages in found.values()]
    with contextlib.suppress(OSError):  # then the next run chooses again
        choose(texts, passages=catalog.counts().passages, data_dir=settings.data_dir)
