"""What of the vault itself a question asks for, by learned tags.

The second network of ``tools.semantic.phrase_tagger`` gives logits to each piece of a question.
Those of the first piece say what is listed, whether it is counted, in which state and order; the
others become tags of its words, the likeliest row of them (a linear chain: Lafferty et al. 2001),
which say what narrows it down. Which words are names in the vault is seen, too.
``evals/training/vault_questions.py`` learns all of it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from agents.interpreter.vault.names import Names
from agents.interpreter.wording.concepts import (
    FIRST,
    INSIDE,
    KINDS,
    OUTSIDE,
    Array,
    likeliest,
    pieces_of,
    runs,
    seen,
)
from agents.interpreter.wording.name_forms import as_named
from agents.interpreter.wording.question_words import Span, Word, unmarked, words_of
from tools.base.guards import concept as clean
from tools.base.vault_query import ORDERS, STATES, SUBJECTS, Order, Subject, TaskState, VaultQuery
from tools.claims.units import NUMBER_WORDS, TURKISH_NUMBER_WORDS
from tools.semantic.phrase_tagger import OF_PHRASES
from tools.text.language import is_turkish
from tools.text.normalize import distinct, flatten, fold, fold_name
from tools.text.stopwords import STOP, TURKISH_STOP
from tools.text.tokens import words_of as tokens

WEIGHTS = Path(__file__).with_name("vault_tags.npz")
"""``steps`` (tags × tags): from a word's tag to that of the next; ``kinds`` (3 SEEN × tags): of
what is seen of the word before, of the word itself, and of the one after; ``named`` (3 × outputs of
``GROUPS``): of whether any word is called like a tag, a folder, a note."""
ASKS = 0.7
"""From this probability on a question is taken for one about the vault."""
_EVEN = 0.5
"""A question likelier than this to ask for nothing of the vault does not say what to list."""
NARROWS = ("tag", "folder", "note", "topic")
"""What of the vault a phrase may name: of each its first word has a tag, and each further one."""
VAULT_TAGS = 1 + 2 * len(NARROWS)
SEEN = KINDS + 3
"""What is seen of a word: what ``concepts`` sees; whether a tag, folder or note is called so."""
GROUPS: tuple[Sequence[str | None], ...] = (
    (None, *SUBJECTS),
    (None, "counts"),
    STATES,
    (None, *ORDERS),
    (None, "mentions"),
    (None, "one"),
)
"""What the logits of the first piece stand for, group by group: the likeliest of each holds."""
_NUMBER_OR_WORD = re.compile(
    r"(?<![\w#.:/-])(?<!\bof )(?<!\bof the )(?<!\bof my )(?:\d{1,3}|[^\W\d_]+)(?![\w:/-]|\.\w)"
)
_FEWEST_WORDS = 2
_SPELLED = range(2, 100)
"""Numbers that are read in words: "one" may stand for a note, "half" is no number of them."""
_IDLE = STOP | TURKISH_STOP
_ENDING = re.compile(r"['’]\w+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultNames:
    """What tags, folders and notes of a vault are called; notes as ``fold_name`` writes them."""

    tags: Names = field(default_factory=Names)
    folders: Names = field(default_factory=Names)
    notes: Set[str] = frozenset()

    @property
    def whole(self) -> Set[str]:
        """The names that are kept whole where they stand in a question."""
        return self.notes | self.folders.known.keys()


def read_vault_query(
    question: str,
    logits: Array | None,
    names: VaultNames,
    *,
    dates: Span | None = None,
    leans: bool = False,
    goes_on: bool = False,
) -> VaultQuery | None:
    """What of the vault is asked for; None where it is asked what notes say, or nothing is known.

    ``dates`` is where in the question a date stands. One that ``leans`` on the question before it
    says little ("what links to it?"), and is taken for one more readily; one that ``goes_on`` with
    a listing asks for something of the vault, whatever it says.
    """
    if logits is None:
        return None
    if len(words_of(question)) < _FEWEST_WORDS and not goes_on:
        return None  # a bare name asks nothing of the vault
    words = words_of(question, names=names.whole)
    words, first, _ = pieces_of(words, logits[:, :2].astype(np.int64))
    around, own = seen_in_vault(question, words, names, dates), logits[:, 2 + OF_PHRASES :]
    asked = _asked(own[0, VAULT_TAGS:], named_at_all(around))
    if asked.ordinary > (_EVEN if leans else 1 - ASKS) and not goes_on:
        return None
    scores = own[first, :VAULT_TAGS] + around @ _weights()["kinds"]
    tags = likeliest(scores, _weights()["steps"])
    found = _narrowing(question, words, tags, names, dates)
    mentions = asked.mentions and bool(found["topic"] or found["note"])
    narrowed = dates or _names_some(found, names, turkish=is_turkish(question))
    told = asked.counts or asked.order or mentions or narrowed or goes_on
    if asked.subject == "notes" and not told:
        return None  # notes on something: what lies near it is looked for, too
    most = _most(question, found, dates) or (1 if asked.alone else None)
    return VaultQuery(
        subject=asked.subject,
        counts=asked.counts,
        state=asked.state if asked.subject == "tasks" or goes_on else "any",
        order=asked.order,
        tags=found["tag"],
        folders=found["folder"],
        notes=found["note"],
        topics=found["topic"],
        mentions=mentions,
        most=most if asked.order else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The likeliest of each of the ``GROUPS``, and how likely nothing of the vault is asked for."""

    ordinary: float
    subject: Subject
    counts: bool
    state: TaskState
    order: Order | None
    mentions: bool
    alone: bool


def _asked(logits: Array, named: Array) -> _Asked:
    whole = logits + named @ _weights()["named"]
    subjects, *others = np.split(whole, np.cumsum([len(group) for group in GROUPS])[:-1])
    likely = np.exp(subjects - subjects.max())
    ordinary = float(likely[0] / likely.sum())
    counted, state, ordered, mentions, alone = (int(one.argmax()) for one in others)
    return _Asked(
        ordinary=ordinary,
        # Where it names none, it goes on with what was listed.
        subject=SUBJECTS[int(subjects[1:].argmax())] if ordinary < _EVEN else "notes",
        counts=bool(counted),
        state=STATES[state],
        order=ORDERS[ordered - 1] if ordered else None,
        mentions=bool(mentions),
        alone=bool(alone),
    )


def names_date(note: str, question: str, dates: Span) -> bool:
    """Whether a date of a question stands within the name of a note, but for a word's ending."""
    at = question.find(note)
    date = _ENDING.sub("", question[slice(*dates)])
    return 0 <= at <= dates[0] and dates[0] + len(date) <= at + len(note)


def _names_some(found: Mapping[str, tuple[str, ...]], names: VaultNames, *, turkish: bool) -> bool:
    """Whether a tag is named, or a folder that the vault has or has one like."""
    folders = names.folders
    return bool(found["tag"]) or any(
        folders.resolve(name, turkish=turkish) or folders.near(name) for name in found["folder"]
    )


def _narrowing(
    question: str,
    words: Sequence[Word],
    tags: Sequence[int],
    names: VaultNames,
    dates: Span | None,
) -> dict[str, tuple[str, ...]]:
    """The phrases of each kind, by the words' ``tags``."""
    turkish = is_turkish(question)

    def named(kind: int) -> Iterator[str]:
        place = {2 * kind + FIRST: FIRST, 2 * kind + INSIDE: INSIDE}
        for start, end in runs([place.get(tag, OUTSIDE) for tag in tags]):
            if dates and all(_within(word, dates) for word in words[start:end]):
                continue
            phrase = question[words[start].start : words[end - 1].end]
            phrase = clean(unmarked(_ENDING.sub("", phrase)))
            if kind == _TOPIC and _IDLE.issuperset(tokens(phrase)):
                continue  # "the" alone is nothing that notes are about
            yield as_named(phrase, names.notes, turkish=turkish) if kind == _NOTE else phrase

    return {name: distinct(named(kind)) for kind, name in enumerate(NARROWS)}


_NOTE, _TOPIC = NARROWS.index("note"), NARROWS.index("topic")


def seen_in_vault(
    question: str, words: Sequence[Word], names: VaultNames, dates: Span | None
) -> Array:
    """What is seen of each word and its neighbours: words × 3 SEEN, each place 0 or 1."""
    by_letters = seen(question, words, dates).reshape(len(words), 3, KINDS)
    turkish = is_turkish(question)
    called = np.zeros((len(words) + 2, 3), np.float32)
    for at, word in enumerate(words, 1):
        written = unmarked(question[word.start : word.end])
        called[at] = (
            bool(names.tags.resolve(written, turkish=turkish)),
            bool(names.folders.resolve(written, turkish=turkish)),
            fold_name(as_named(written, names.notes, turkish=turkish)) in names.notes,
        )
    around = np.stack([called[:-2], called[1:-1], called[2:]], 1)
    return np.concatenate([by_letters, around], 2).reshape(len(words), 3 * SEEN)


def named_at_all(around: Array) -> Array:
    """Whether a tag, a folder, a note is called like any word; 3, of what is seen of each word."""
    return around.reshape(-1, 3, SEEN)[:, 1, KINDS:].max(0, initial=0.0)


def _within(word: Word, dates: Span) -> bool:
    return dates[0] <= word.start < dates[1]


def _most(question: str, found: Mapping[str, tuple[str, ...]], dates: Span | None) -> int | None:
    """How many are asked for: the number outside of every date and name, in digits or a word.

    "Which of the two" does not ask for two.
    """
    named = {word for names in found.values() for name in names for word in fold(name).split()}
    spelled = TURKISH_NUMBER_WORDS if is_turkish(question) else NUMBER_WORDS
    for number in _NUMBER_OR_WORD.finditer(question):
        within = dates is not None and dates[0] <= number.start() < dates[1]
        if within or fold(number[0]) in named:
            continue
        if number[0].isdecimal() and int(number[0]):
            return int(number[0])
        if (value := spelled.get(flatten(number[0]), 0)) in _SPELLED:
            return int(value)
    return None


@cache
def _weights() -> Mapping[str, Array]:
    with np.load(WEIGHTS) as kept:
        return dict(kept)
