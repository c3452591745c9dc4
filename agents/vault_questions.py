"""Whether a question asks about the vault itself, and what of it, by learned logits.

The tagger (``tools.semantic.phrase_tagger``) reads off the whole question what is listed, whether
it is counted, in which state and in which order; what narrows it down are phrases
(``agents/phrases.py``). ``evals/train_phrases.py`` learns both.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from agents.phrases import Array
from agents.words import Span
from tools.semantic.phrase_tagger import CUTS, TAGS
from tools.vault_query import ORDERS, STATES, SUBJECTS, VaultQuery

ASKS = 0.5
"""From this probability on a question is taken for one about the vault."""
GROUPS: tuple[Sequence[str | None], ...] = (
    (None, *SUBJECTS),
    (None, "counts"),
    STATES,
    (None, *ORDERS),
)
"""What the logits of the whole question stand for, group by group: the likeliest of each holds."""
_NUMBER = re.compile(r"(?<![\w#.:/-])\d{1,3}(?![\w.:/-])")


def read_vault_query(
    question: str,
    logits: Array | None,
    narrowing: Mapping[str, tuple[str, ...]],
    *,
    dates: Span | None = None,
) -> VaultQuery | None:
    """What of the vault is asked for; None where it is asked what notes say, or nothing is known.

    ``narrowing`` has the phrases of each kind, ``dates`` is where a date stands.
    """
    if logits is None or not len(logits):
        return None
    whole, chosen = logits[0, 2 + TAGS + CUTS :], list[int]()
    of_subject = np.exp(whole[: len(GROUPS[0])] - whole[: len(GROUPS[0])].max())
    if of_subject[0] > (1 - ASKS) * of_subject.sum():
        return None
    for group in GROUPS:
        chosen.append(int(whole[: len(group)].argmax()))
        whole = whole[len(group) :]
    subject, counts, state, order = chosen
    ordered = ORDERS[order - 1] if order else None
    return VaultQuery(
        subject=SUBJECTS[max(subject, 1) - 1],
        counts=bool(counts),
        state=STATES[state],
        order=ordered,
        tags=narrowing.get("tag", ()),
        folders=narrowing.get("folder", ()),
        notes=narrowing.get("note", ()),
        topics=narrowing.get("topic", ()),
        most=_most(question, narrowing, dates) if ordered else None,
    )


def _most(
    question: str, narrowing: Mapping[str, tuple[str, ...]], dates: Span | None
) -> int | None:
    """How many are asked for: the number that stands outside of every date and name."""
    named = " ".join(name for names in narrowing.values() for name in names)
    for found in _NUMBER.finditer(question):
        within = dates is not None and dates[0] <= found.start() < dates[1]
        if not within and found[0] not in named and int(found[0]):
            return int(found[0])
    return None
