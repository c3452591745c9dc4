"""The values that travel between layers: frozen, JSON-able, without behaviour.

Paths are vault-relative with ``/``. Lines are 1-based and inclusive. Scores lie in [0, 1].
Datetimes are timezone-aware.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from tools.base.vault_query import Listing, VaultQuery

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None
Reading = Literal["together", "alone"]
"""Whether spans are read beside what stands around them, or each under its headings alone."""
type Scores = Sequence[Sequence[float | None]]
"""For each of several marked texts what each of its parts scores: None for one not looked at."""


class Marked(NamedTuple):
    """A text that is read beside a question; ``marks`` are where some parts of it stand.

    They are characters, from and to.
    """

    question: str
    text: str
    marks: Sequence[tuple[int, int]]


Intent = Literal["factual", "temporal", "causal", "comparative", "exploratory"]
Source = Literal["semantic", "text", "graph"]
Mode = Literal["auto", "llm", "local"]
DecidedBy = Literal["local", "llm", "user", "command", "fallback"]
AnswerFormat = Literal["list", "narrative", "table", "timeline"]
Tier = Literal["highly_relevant", "relevant", "somewhat_relevant", "low_relevance"]
Direction = Literal["causes", "effects", "both"]
MatchType = Literal["semantic", "title", "exact_phrase", "text", "neighbour", "chain", "version"]
ContradictionType = Literal[
    "negation", "conflicting_values", "opposing_sentiment", "semantic_conflict"
]
DateOrigin = Literal["frontmatter", "filename", "git", "mtime"]
FactOrigin = Literal["written", "inferred"]
EventKind = Literal["created", "modified", "linked", "unlinked", "superseded", "renamed", "deleted"]
ClashRelation = Literal["contradiction", "disagreement"]
ChangeBasis = Literal["claims", "notes", "succession", "versions"]
Status = Literal["answered", "needs_clarification", "needs_confirmation", "no_results", "failed"]

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
SOURCES: tuple[Source, ...] = ("semantic", "text", "graph")


# --- the vault -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFile:
    """A note as the directory listing shows it, before it is read."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    text: str
    level: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A wikilink, embed or markdown link to another note.

    ``relation`` is the word the note gives a typed link (``supports:: [[X]]``), as written.
    """

    target: str
    line: int
    alias: str | None = None
    heading: str | None = None
    block_id: str | None = None
    embed: bool = False
    relation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineField:
    """A Dataview-style ``key:: value``."""

    key: str
    value: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A checkbox: ``done`` with ``[x]``, open with ``[ ]``; None with a mark of another meaning."""

    text: str
    done: bool | None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Callout:
    kind: str
    title: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block id (``^id``) and the lines of the block it names."""

    block_id: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One parsed note. ``text`` is the whole decoded file, frontmatter included.

    ``stated_created`` and ``stated_modified`` are the dates that the note or its file name gives;
    None where ``created`` and ``modified`` had to come from elsewhere.
    """

    path: str
    title: str
    text: str
    content_hash: str
    body_line: int
    created: datetime
    modified: datetime
    date_origin: DateOrigin
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    fields: tuple[InlineField, ...] = ()
    tasks: tuple[Task, ...] = ()
    callouts: tuple[Callout, ...] = ()
    blocks: tuple[Block, ...] = ()
    frontmatter: Mapping[str, Json] = field(default_factory=dict[str, Json])
    note_type: str | None = None
    building_block: str | None = None
    stated_created: datetime | None = None
    stated_modified: datetime | None = None
    modified_origin: DateOrigin = "mtime"
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of one note.

    ``text`` stands verbatim at its lines; ``embedding_text`` is what the encoder reads (title and
    heading path before the passage); ``vector_id`` is derived from ``embedding_text`` alone, so
    equal passages share one vector.
    """

    note_path: str
    ordinal: int
    text: str
    embedding_text: str
    vector_id: str
    line_start: int
    line_end: int
    heading_path: tuple[str, ...] = ()
    block_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something about one note that the user should know; the note's other parts still count."""

    note_path: str
    message: str


# --- the question --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A span of valid time, half-open: ``start <= t < end``; None is unbounded."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A point on both axes of time, None being the latest.

    ``as_of`` is when it was true (valid time), ``known_at`` by when it was known.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None


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
    period: Period = Period()

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes that answered, the first one's first."""
        return tuple(dict.fromkeys(path for path, _, _ in self.places))

    @property
    def told(self) -> str:
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
        return f"{self.before.told} / {self.question}" if self.before else self.wanted

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
    ``route`` lists the sources to ask. ``reason`` says in a few words why this verdict.
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
    route: tuple[Source, ...]
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


# --- evidence ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Words quoted from a note: ``text`` stands in the file within these lines.

    They stand under ``heading``, and that under those ``over`` it, the outermost first. With
    ``version`` they stand in the version of the note that held from then on. ``columns`` are the
    headings of the table in which the words begin; ``reads`` is how they read where that is
    otherwise than they stand: a row with its columns, a part of a long sentence, a reply under the
    question, an item under what introduces it, and the best sentence with what follows it.
    """

    text: str
    line_start: int
    line_end: int
    heading: str | None = None
    block_id: str | None = None
    version: datetime | None = None
    columns: tuple[str, ...] = ()
    reads: str | None = None
    over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRelation:
    """One edge as an answer shows it: who says so (note, line), when it held, when that was known.

    Known from ``created_at``; from ``expired_at`` on it is known to have ended at ``invalid_at``;
    from ``retracted_at`` on it is not believed at all.
    """

    source_title: str
    relation: str
    target_title: str
    source_path: str | None
    target_path: str | None
    note_path: str
    line: int
    strength: float
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    created_at: datetime | None = None
    expired_at: datetime | None = None
    retracted_at: datetime | None = None
    origin: FactOrigin = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A dated thing that happened to a note, for timelines.

    ``known_at`` is when it was committed or seen; ``line`` where it stands in the note of today;
    ``added`` and ``removed`` are the sentences in which two versions differ; ``successor`` is the
    path of the note that took its place, ``detail`` its title.
    """

    timestamp: datetime
    kind: EventKind
    detail: str
    known_at: datetime | None = None
    line: int | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    successor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """An event and the note it happened to."""

    event: Event
    note_path: str
    note_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolution:
    """What happened to the notes about a concept, oldest first, and what is lacking."""

    concept: str
    occurrences: tuple[Occurrence, ...]
    warnings: tuple["SourceWarning", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """An entity as a picture shows it; ``hops`` from the one in the middle.

    ``kind`` is note, tag, value or unresolved; ``path`` is set when it is a note of today.
    """

    uuid: str
    title: str
    kind: str
    hops: int
    path: str | None = None
    note_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedEdge:
    """An edge between two nodes of a picture, in one of the times in which it held."""

    source: str
    target: str
    relation: GraphRelation


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """What lies around some entities, with every edge that held at some time; what is lacking."""

    name: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[DatedEdge, ...]
    warnings: tuple["SourceWarning", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One note found by one source. ``score`` is comparable across sources.

    ``places`` are the note's passages that meaning found: their lines (1-based, inclusive), and
    how similar each is to what was searched for.
    """

    source: Source
    note_path: str
    note_title: str
    score: float
    match_type: MatchType
    excerpts: tuple[Excerpt, ...] = ()
    subject: str | None = None
    chain: tuple[GraphRelation, ...] = ()
    events: tuple[Event, ...] = ()
    places: tuple[tuple[int, int, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMetadata:
    created_date: datetime | None
    modified_date: datetime | None
    building_block: str | None
    date_origin: DateOrigin | None = None

    @property
    def written(self) -> datetime | None:
        """When the note was written; that its file was saved says nothing of it."""
        return None if self.date_origin == "mtime" else self.created_date


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One note after merging: every source that found it, ranked."""

    note_path: str
    note_title: str
    relevance_score: float
    composite_relevance: float
    tier: Tier
    sources: tuple[Source, ...]
    primary_source: Source
    match_types: tuple[MatchType, ...]
    excerpts: tuple[Excerpt, ...]
    metadata: NoteMetadata
    subject: str | None = None
    chain: tuple[GraphRelation, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def superseded(self) -> Event | None:
        """That another note took this one's place; None if it holds."""
        return next((one for one in reversed(self.events) if one.kind == "superseded"), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One asserted sentence and where it stands.

    ``read_as`` is how it reads under what stands over it, where that is known. ``version`` is set
    where an earlier version of the note says it: from when on that one held.
    ``ended`` is since when another note, at ``ended_by``, has taken the place of this one, or since
    when a later version no longer says it.
    """

    note_path: str
    note_title: str
    text: str
    line: int
    heading: str | None = None
    timestamp: datetime | None = None
    opinion: bool = False
    version: datetime | None = None
    ended: datetime | None = None
    ended_by: str | None = None
    read_as: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionSide:
    """One of two claims that clash, and the note that makes it.

    ``source`` is whom the claim is cited from, None where the note speaks for itself;
    ``speaks_of`` the year, month or day (ISO 8601) that the claim itself names; ``version`` is set
    where an earlier version of the note says it, which held from then on.
    """

    path: str
    title: str
    claim: str
    line: int
    heading: str | None
    timestamp: datetime | None
    source: str | None = None
    opinion: bool = False
    speaks_of: str | None = None
    version: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two claims that cannot both hold. ``similarity`` says how much they are about one thing.

    It is a ``disagreement`` where each is cited from another source: the notes report both.
    """

    note_a: ContradictionSide
    note_b: ContradictionSide
    confidence: float
    similarity: float
    type: ContradictionType
    newer: Literal["a", "b", "unknown"]
    explanation: str
    decided_by: DecidedBy
    relation: ClashRelation = "contradiction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Two claims that would clash, but speak of different times: ``after`` is the newer.

    ``changed_on`` is the first day on which the newer is known to hold, None where only the words
    tell the order. ``known_from`` says what tells it: dates in the claims, the dates of the notes,
    that one note superseded the other, or two versions of one note.
    """

    before: ContradictionSide
    after: ContradictionSide
    changed_on: datetime | None
    known_from: ChangeBasis
    confidence: float
    similarity: float
    type: ContradictionType
    explanation: str
    decided_by: DecidedBy


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWarning:
    """A source, or something else, that did not do its part, and what the answer lacks for it."""

    source: str
    error: str
    impact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checklist:
    score: float
    passed: tuple[str, ...]
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one question came to: the object that ``brain ask --json`` prints.

    ``answerable`` is how likely the notes found hold what is asked, ``confidence`` how likely the
    line quoted first says it (calibrated); None where nothing was read for it. ``listing`` is what
    the catalog says to a question about the vault itself.
    """

    status: Status
    query: str
    thread_id: str
    plan: QueryPlan | None = None
    clarification: Clarification | None = None
    format: AnswerFormat | None = None
    answer: str = ""
    results: tuple[Result, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    changes: tuple[Change, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()
    sources_available: tuple[Source, ...] = ()
    sources_failed: tuple[Source, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    checklist: Checklist | None = None
    answerable: float | None = None
    confidence: float | None = None
    listing: Listing | None = None
