"""How a question was read, and what will be done to answer it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from tools.base.domain.sources import DecidedBy, Source
from tools.base.domain.time import Period
from tools.base.vault_query import VaultQuery

Intent = Literal["factual", "temporal", "causal", "comparative", "exploratory"]
AnswerFormat = Literal["list", "narrative", "table", "timeline"]
Direction = Literal["causes", "effects", "both"]
AnswerKind = Literal[
    "definition", "fact", "list", "when", "why", "howto", "yesno", "compare", "explore"
]
ANSWER_KINDS: tuple[AnswerKind, ...] = (
    "definition", "fact", "list", "when", "why", "howto", "yesno", "compare", "explore",
)  # fmt: skip
OverviewKind = Literal["overview", "summary", "sides", "quotes"]
"""Of all there is on something, of one note, of what speaks for and against, of words quoted."""
OVERVIEW_KINDS: tuple[OverviewKind, ...] = ("overview", "summary", "sides", "quotes")
INTENTS: tuple[Intent, ...] = ("factual", "temporal", "causal", "comparative", "exploratory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What a thread has said that its next question may lean on.

    ``questions`` are the one that says what it is about and, if that is another, the last;
    ``line`` is what answered the last first, ``places`` where its answers stand, as note, first and
    last line. ``concepts`` and ``intent`` are those of the last; ``listed`` is what it asked of the
    vault itself, within ``period``.
    """

    questions: tuple[str, ...] = ()
    line: str = ""
    places: tuple[tuple[str, int, int], ...] = ()
    concepts: tuple[str, ...] = ()
    intent: Intent = "factual"
    listed: VaultQuery | None = None
    period: Period = Period()  # noqa: RUF009 - frozen, as all values here

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes that answered, the first one's first."""
        return tuple(dict.fromkeys(path for path, _, _ in self.places))

    @property
    def context_text(self) -> str:
        """What a question that leans on it is read behind."""
        return " / ".join(filter(None, (*self.questions, self.line)))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReading:
    """What the words of a question say, whatever it is taken for.

    ``question`` is it without its command, ``asked`` also without when something was known, and
    ``wanted`` without what it excludes; ``dates`` is where in ``asked`` a date stands, ``compared``
    what its words set against each other. It may ask for a ``change``, not for one event; ``kinds``
    is how likely each kind of answer is asked for. ``names`` are those it names, folded.
    ``language`` is what it is asked in (ISO 639-1), ``english`` what is wanted once more, word by
    word in English, where that is Turkish. ``before`` is what it leans on; then ``wanted`` has what
    was asked there, too. ``overview`` is the kind of overview asked for, if one is; ``clashes``
    says that contradictions are.
    """

    question: str = ""
    asked: str = ""
    wanted: str = ""
    dates: tuple[int, int] | None = None
    compared: tuple[str, ...] = ()
    turkish: bool = False
    language: str = "en"
    change: bool = False
    direction: Direction = "both"
    names: tuple[str, ...] = ()
    kinds: Mapping[AnswerKind, float] = field(default_factory=dict[AnswerKind, float])
    english: str = ""
    before: Before | None = None
    overview: OverviewKind | None = None
    clashes: bool = False

    @property
    def read_as(self) -> str:
        """What the reader of evidence is given."""
        return f"{self.before.context_text} / {self.question}" if self.before else self.wanted

    def asks(self, kind: AnswerKind) -> bool:
        """Whether no other kind of answer is likelier asked for."""
        return max(self.kinds, key=self.kinds.__getitem__, default=None) == kind

    def likely(self, *kinds: AnswerKind) -> float:
        """How likely an answer of one of these kinds is asked for."""
        return sum(self.kinds.get(kind, 0.0) for kind in kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sense:
    """One of the things that a name stands for in the notes.

    ``notes`` are those about it, the main one first, which ``title`` is of; ``about`` is what tells
    it from the others: its folder, or how it begins. Without notes it is none in particular.
    """

    title: str = ""
    notes: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguousName:
    """A name as the notes write it, and what it stands for there, the likeliest sense first."""

    name: str
    senses: tuple[Sense, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """What the question asks for and how it will be answered.

    ``confidence`` is the calibrated probability of ``intent``; ``probabilities`` covers all five.
    ``route`` lists the sources to ask, once the graph has decided on them. ``reason`` says in a few
    words why this verdict.
    ``start_date`` and ``end_date`` bound, half-open, when it was true (valid time); ``known_at``
    is the moment by which it was known, None for now. ``as_of`` is set when the state of things at
    one moment is asked for. ``excluded`` is what shall not be found. ``ambiguous`` is a name whose
    sense the question leaves open, ``sense`` the one that was chosen. Only the interpreter reads
    ``query``; what it found there is ``reading``. ``vault`` is set where the vault itself is asked
    about, which the catalog answers.
    """

    query: str
    intent: Intent
    confidence: float
    probabilities: Mapping[Intent, float]
    decided_by: DecidedBy
    reason: str
    concepts: tuple[str, ...]
    subjects: tuple[str, ...]
    start_date: datetime | None
    end_date: datetime | None
    similarity_threshold: float
    limit: int
    route: tuple[Source, ...] = ()
    format: AnswerFormat
    known_at: datetime | None = None
    as_of: datetime | None = None
    excluded: tuple[str, ...] = ()
    reading: QuestionReading = QuestionReading()
    vault: VaultQuery | None = None
    ambiguous: AmbiguousName | None = None
    sense: Sense | None = None

    @property
    def asks_for_change(self) -> bool:
        """Whether it is asked how something changed."""
        return self.intent == "temporal" and self.reading.change


@dataclass(frozen=True, slots=True, kw_only=True)
class ClarificationOption:
    """One way to go on: the ``number`` to reply with, from 1, and what it stands for.

    That is a reading of the question (``intent``), or else a sense of a name: its ``notes``, or
    without any all senses.
    """

    number: int
    label: str
    intent: Intent | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarification:
    """What the person is asked back; without options, any words are a reply."""

    question: str
    options: tuple[ClarificationOption, ...]
