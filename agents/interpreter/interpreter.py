"""What a question asks for, and how it will be answered: question → QueryPlan.

A trained model reads it when it is clear; otherwise a language model may, if one answers; what then
is still open goes back to the person as a question of ours. What the question is about always comes
from its own words, never from a model.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, Protocol

from agents.interpreter import plan as planning
from agents.interpreter.classifiers.answer_kinds import answer_kinds
from agents.interpreter.classifiers.contradiction_questions import (
    ASKS,
    classify_contradiction_question,
)
from agents.interpreter.classifiers.head import Vector, vector_text
from agents.interpreter.classifiers.intents import SURE, read_intent
from agents.interpreter.classifiers.overview_kinds import overview_kind
from agents.interpreter.conversation import LEANS, context_dependence
from agents.interpreter.llm import LocalReading, Observer, make_reader
from agents.interpreter.question import reading_of
from agents.interpreter.vault.follow_ups import (
    Follows,
    about_answered_note,
    carry_over,
    follows_listing,
)
from agents.interpreter.vault.questions import VaultNames, names_date, read_vault_query
from agents.interpreter.wording.concepts import Array, read_phrases
from agents.interpreter.wording.whole_names import whole_name
from agents.llm.structured import StructuredModel
from tools.base import guards
from tools.base.domain import (
    INTENTS,
    AnswerKind,
    Before,
    Intent,
    Mode,
    OverviewKind,
    Period,
    QueryPlan,
)
from tools.base.errors import BrainError
from tools.base.vault_query import VaultQuery
from tools.runtime.llm_cache import ReplyCache
from tools.text.tokens import words_of

type ReadQuestion = Callable[[str], Awaitable[Vector]]
"""The vector of a ``vector_text`` by the reader. Raises BrainError."""
type TagQuestion = Callable[[str], Awaitable[Array]]
"""The tagger's logits for the pieces of a question without its command. Raises BrainError."""

_NO_NAMES = VaultNames()
_OVERVIEW = 0.85
"""From this probability on an overview is asked for, however sure the intent: that one was not
learned from titles, whose words may ask why and when."""
_DEFINES = 0.4
"""How likely a question for no more than a note's name is one for what that is, and not for what
the vault has that is called so: "What is Open?"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionContext:
    """What surrounds a question: ``known_names`` are note names as ``fold_name`` writes them.

    ``vault_names`` are those of tags and folders, too; ``before`` is what it may lean on.
    """

    now: datetime
    limit: int
    forced_intent: Intent | None = None
    mode: Mode = "auto"
    known_names: Set[str] = frozenset()
    vault_names: VaultNames = _NO_NAMES
    before: Before | None = None


class Interpreter(Protocol):
    """A question, already past its guard, to a plan. Raises InputError for an unusable date."""

    async def __call__(self, question: str, context: QuestionContext) -> QueryPlan: ...


def make_interpreter(
    model: StructuredModel | None,
    *,
    read_question: ReadQuestion,
    tag_question: TagQuestion,
    name: str = "model",
    kept: ReplyCache | None = None,
    observe: Observer | None = None,
    admitted: Callable[[], bool] = lambda: True,
) -> Interpreter:
    """The interpreter that ``context.mode`` asks for; ``model`` is None where there is none.

    ``name`` is the model's, by which its verdicts are calibrated and ``kept``; ``observe`` is given
    each of them as the model stated it. In ``auto`` it is asked only where it is ``admitted``.
    Without vector and logits the wording decides.
    """
    ask_model = make_reader(model, name=name, kept=kept or ReplyCache(), observe=observe)

    async def read_locally(question: str, context: QuestionContext) -> QueryPlan:
        said = planning.without_command(question)
        (logits, untagged), (vector, unread) = await asyncio.gather(
            _come(tag_question, said), _come(read_question, vector_text(said))
        )
        missing = untagged or unread
        plan = interpret_locally(
            question,
            now=context.now,
            vector=vector,
            logits=logits,
            forced_intent=context.forced_intent,
            limit=context.limit,
            known_names=context.known_names,
            vault_names=context.vault_names,
            before=context.before,
        )
        by_words = f"{plan.reason}; by its words alone: {missing}"
        return replace(plan, reason=by_words) if missing else plan

    async def interpret(question: str, context: QuestionContext) -> QueryPlan:
        local = await read_locally(question, context)
        told = local.decided_by == "command" or local.reading.before is not None
        settled = told or local.vault is not None or context.mode == "local"
        if settled or (
            context.mode == "auto" and (model is None or local.confidence >= SURE or not admitted())
        ):
            return local
        reading = await ask_model(
            planning.without_command(question),
            LocalReading(
                intent=local.intent, probabilities=local.probabilities, reason=local.reason
            ),
        )
        return replace(
            planning.with_intent(local, reading.intent),
            confidence=reading.probabilities[reading.intent],
            probabilities=reading.probabilities,
            decided_by=reading.decided_by,
            reason=reading.reason,
        )

    return interpret


async def _come(
    ask: Callable[[str], Awaitable[Array]], text: str
) -> tuple[Array | None, BrainError | None]:
    """What the server gives for a text, or why it does not."""
    try:
        return await ask(text), None
    except BrainError as error:
        return None, error


def interpret_locally(
    question: str,
    *,
    now: datetime,
    vector: Vector | None = None,
    logits: Array | None = None,
    forced_intent: Intent | None = None,
    limit: int = 10,
    known_names: Set[str] = frozenset(),
    vault_names: VaultNames = _NO_NAMES,
    before: Before | None = None,
) -> QueryPlan:
    """The plan without a language model: pure, within milliseconds.

    ``vector`` is the reader's and ``logits`` are the tagger's for the question without its command;
    without them its words alone decide. Only a question that leans on what was ``before`` it is
    read with that; where its own words leave open what kind it is, it is of the last one's.
    Raises InputError for a date or a limit that cannot be used.
    """
    forced = forced_intent or planning.commanded(question)
    asked = planning.parse_question(question, now=now)
    follows = "alone" if forced or before is None else _follows(asked, vector, before)
    before = None if follows == "alone" else before
    if before and follows == "list":
        asked = planning.behind_period(asked, before.period, now=now)
    kind = _kind_of(asked, vector, forced, before)
    phrases = read_phrases(asked.text, logits, dates=asked.dates, names=known_names)
    said = planning.without_command(question)
    kinds = answer_kinds(asked.features, vector)
    named = () if kind.of_all else phrases.concepts
    concepts = (*named, *(before.concepts if before else ()))
    reading = reading_of(
        said,
        asked=asked.text,
        dates=asked.dates,
        wanted=planning.with_year(phrases.wanted if phrases.excluded else said, asked.found),
        compared=phrases.subjects,
        kinds=kinds,
        before=before,
        overview=kind.overview,
        clashes=kind.clashes,
    )
    period = asked.found.period if asked.found else Period()
    ordinary = (
        forced or kind.clashes or (before is None and _of_one_note(asked, vault_names, kinds))
    )
    goes_on = follows == "list" and kind.overview != "summary"  # one note's is no listing
    vault = (
        None
        if ordinary
        else read_vault_query(
            asked.text,
            logits,
            vault_names,
            dates=asked.dates,
            leans=before is not None,
            goes_on=goes_on,
        )
    )
    if vault and before and not goes_on:
        vault = about_answered_note(vault, before)
    if vault and _names_date(vault, asked):
        period = Period()
    if vault and before and goes_on:
        own, turkish = phrases.concepts, reading.turkish
        vault, period = carry_over(
            vault, period, before, vault_names, concepts=own, turkish=turkish
        )
    plan = QueryPlan(
        query=question,
        intent=kind.intent,
        confidence=kind.probabilities[kind.intent],
        probabilities=kind.probabilities,
        decided_by="command" if forced else "local",
        reason=kind.reason,
        concepts=tuple(dict.fromkeys(concepts)),
        subjects=planning.subjects(kind.intent, reading, named),
        start_date=period.start,
        end_date=period.end,
        similarity_threshold=planning.threshold(kind.intent, asked.text),
        limit=guards.limit(limit),
        format=planning.FORMATS[kind.intent],
        known_at=planning.queried_transaction_time(asked),
        as_of=planning.queried_valid_time(asked),
        excluded=phrases.excluded,
        reading=reading,
        vault=vault,
    )
    return planning.as_of(plan, planning.moment(plan))


def _follows(asked: planning.DatedQuestion, vector: Vector | None, before: Before) -> Follows:
    if before.listed:
        return follows_listing(asked.features, vector)
    return "content" if context_dependence(asked.features, vector) >= LEANS else "alone"


def _names_date(query: VaultQuery, asked: planning.DatedQuestion) -> bool:
    """Whether the question's date is a part of a note's name."""
    dates = asked.dates
    return bool(dates) and any(names_date(note, asked.text, dates) for note in query.notes)


class _Kind(NamedTuple):
    """What kind of question it is, how likely each is, and why.

    One that asks for clashes may do so ``of_all`` notes, whatever it calls these.
    """

    intent: Intent
    probabilities: Mapping[Intent, float]
    reason: str
    overview: OverviewKind | None = None
    clashes: bool = False
    of_all: bool = False


def _kind_of(
    asked: planning.DatedQuestion,
    vector: Vector | None,
    forced: Intent | None,
    before: Before | None,
) -> _Kind:
    if forced:
        return _Kind(forced, planning.certain(forced), f"asked for as {forced}")
    probabilities = read_intent(asked.features, vector)
    intent, second, *_ = sorted(INTENTS, key=probabilities.__getitem__, reverse=True)
    reason = f"likelier than {second}, {probabilities[second]:.2f}"
    if before and probabilities[intent] < SURE:
        intent, reason = before.intent, "as the question before it"
        probabilities = planning.certain(intent)
    found = classify_contradiction_question(asked.features, vector)
    if found.asks >= ASKS and words_of(asked.text):
        of_all = found.of_all > found.on_subject
        why = f"{reason}; asks for contradictions{' of all notes' * of_all}, {found.asks:.2f}"
        return _Kind(intent, probabilities, why, clashes=True, of_all=of_all)
    overview, likely = overview_kind(asked.features, vector)
    if overview == "sides" or likely > min(probabilities[intent], _OVERVIEW):
        # What speaks for and against one thing compares it with nothing.
        why = f"an overview ({overview}), {likely:.2f}"
        return _Kind("exploratory", planning.certain("exploratory"), why, overview)
    return _Kind(intent, probabilities, reason, overview if intent in planning.GATHERING else None)


def _of_one_note(
    asked: planning.DatedQuestion, names: VaultNames, kinds: Mapping[AnswerKind, float]
) -> bool:
    """Whether no more than a note's name is asked for, or what that is."""
    name = whole_name(asked.text, names.notes)
    if name is None:
        return False
    return len(name.split()) == len(asked.text.split()) or kinds["definition"] >= _DEFINES
