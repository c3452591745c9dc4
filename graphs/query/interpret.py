"""From the question's words to the plan that will be carried out: read it, ask back if unsure."""

import asyncio
from collections.abc import Mapping, Set
from dataclasses import replace
from datetime import datetime

from langgraph.types import interrupt

from agents.interpreter.clarification import clarification, with_as_written
from agents.interpreter.classifiers.intents import SURE
from agents.interpreter.did_you_mean import near_names, respelled
from agents.interpreter.interpreter import QuestionContext
from agents.interpreter.plan import MAX_SUBJECTS, as_of, choose, left_out, moment, with_reading
from agents.interpreter.sense_choice import searched_all, which_sense
from graphs.core.deps import Deps
from graphs.core.nodes import Update, load_and_set_language
from graphs.core.state import QueryContext, QueryState
from graphs.query import ambiguity_log, asking_back, replies
from graphs.query.retrieval.retriever import Nearest
from graphs.query.retrieval.senses import with_senses
from graphs.query.retrieval.spelling import misspelt, with_spelling
from tools.base import guards
from tools.base.domain import (
    AmbiguousName,
    Before,
    Clarification,
    Intent,
    Moment,
    QueryPlan,
    Sense,
)
from tools.senses.mentions import name_key
from tools.temporal.periods.moments import read_moment
from tools.text.normalize import fold_name
from tools.text.other_languages import other_language
from tools.text.voice import stamp, translate


def question_context(
    deps: Deps, context: QueryContext, *, intent: Intent | None, before: Before | None = None
) -> QuestionContext:
    """What a question of this vault is read with, now. Blocks."""
    return QuestionContext(
        now=deps.clock(),
        limit=context.limit,
        forced_intent=intent,
        mode=context.mode or deps.settings.mode,
        known_names=deps.catalog.name_set(),
        vault_names=deps.vault_names(),
        before=before,
    )


def query_moment(plan: QueryPlan, context: QueryContext, *, now: datetime) -> Moment:
    """The moment that the knobs name, else the question's own words. Raises InputError."""
    said = moment(plan)
    return Moment(
        as_of=read_moment(context.as_of, now=now) if context.as_of else said.as_of,
        known_at=read_moment(context.known_at, now=now) if context.known_at else said.known_at,
    )


async def interpret_question(
    state: QueryState, deps: Deps, context: QueryContext, search: Nearest | None = None
) -> Update:
    """Read the question, with what the thread already said and how it was chosen there.

    ``search`` gives what of the vault is like a text, to tell the senses of a name apart.
    """
    question, intent = state["question"], state.get("intent")
    remarks: list[str] = []

    def look() -> tuple[str | None, QuestionContext]:
        asked = question_context(deps, context, intent=intent, before=state.get("before"))
        return other_language(question), asked

    foreign, asked = await asyncio.to_thread(look)
    names = asked.known_names
    plan = await deps.interpret(question, asked)
    await load_and_set_language(plan.reading.language)
    remarks += _of_language(foreign)
    if plan.reading.before:
        first = plan.reading.before.questions[0]
        remarks.append(translate("Read with what was asked before: {question}", question=first))
    turkish = plan.reading.turkish
    named = (*asked.vault_names.folders.known, *asked.vault_names.tags.known)
    meant = await asyncio.to_thread(misspelt, question, deps.catalog, turkish=turkish, names=named)
    meant = {word: one for word, one in meant.items() if word not in _named(plan)}
    # Who is asked back can say what was meant.
    if meant and not (context.interactive and clarification(plan)):
        plan = await deps.interpret(with_spelling(question, meant), asked)
        remarks += [
            translate("No note has “{word}”: read as “{meant}”.", word=word, meant=one)
            for word, one in meant.items()
        ]
    guards.threshold(plan.similarity_threshold)
    at = query_moment(plan, context, now=asked.now)
    began = await asyncio.to_thread(deps.history.first_known_at) if at.known_at else None
    if began and at.known_at and at.known_at < began and not context.known_at:
        # A vault without a history knows when things were true, not when they were written.
        at = replace(at, known_at=None)
        remarks.append(
            translate(
                "What the notes said is known since {day} only: this is what was true then.",
                day=stamp(began.astimezone()),
            )
        )
    plan = as_of(plan, at)
    chosen = state.get("choices", {}).get(ambiguity_log.form(plan))
    back = clarification(plan)
    if chosen is not None and back is not None and back.options:
        plan = choose(plan, chosen)
        remarks.append(
            translate("Read as {intent}, as you chose before.", intent=translate(chosen))
        )
    if not foreign and plan.vault is None:  # in another language no word is known to say nothing
        plan, told = await with_senses(plan, state.get("senses", {}), deps, search)
        remarks += told
    remarks += _left_out(plan)
    if clarification(plan) is None:
        if plan.vault is None:  # a listing tells itself what is near a name that the vault lacks
            remarks += _did_you_mean(await _near(plan, names, deps))
        remarks += await _without_text(plan, names, deps)
    return {"plan": plan, "remarks": remarks}


def _left_out(plan: QueryPlan) -> list[str]:
    """A line for what is too much for one comparison."""
    without = left_out(plan)
    if not without or clarification(plan) is not None:
        return []
    named = ", ".join(f"“{subject}”" for subject in without)
    most = MAX_SUBJECTS
    return [
        translate(
            "At most {count} things are compared; left out: {names}.", count=most, names=named
        )
    ]


def _named(plan: QueryPlan) -> str:
    """What a question about the vault names: of a name that it lacks those near it are told."""
    asked = plan.vault
    return " ".join((*asked.tags, *asked.folders, *asked.notes)) if asked else ""


def _of_language(language: str | None) -> list[str]:
    if language is None:
        return []
    return [
        translate(
            "This looks like {language}. Questions are understood in English and Turkish; this one "
            "was read as well as can be.",
            language=translate(language),
        )
    ]


async def _near(plan: QueryPlan, names: Set[str], deps: Deps) -> dict[str, tuple[str, ...]]:
    """The titles near each thing asked about that no note is called by, but for a slip or two."""

    def look() -> dict[str, tuple[str, ...]]:
        concepts = dict.fromkeys((*plan.subjects, *plan.concepts))
        near = {concept: found for concept in concepts if (found := near_names(concept, names))}
        titles = deps.catalog.titles_by_name() if near else {}
        return {
            concept: shown
            for concept, found in near.items()
            # A note that has just gone has a name, but no title any more.
            if (shown := tuple(dict.fromkeys(titles[name] for name in found if name in titles)))
        }

    return await asyncio.to_thread(look)


def _did_you_mean(near: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [
        translate(
            "No note is called “{name}”. Did you mean {titles}?",
            name=concept,
            titles=translate(" or ").join(f"“{title}”" for title in titles),
        )
        for concept, titles in near.items()
    ]


async def _without_text(plan: QueryPlan, names: Set[str], deps: Deps) -> list[str]:
    """A line for each thing asked about that a note is called by in which nothing is written."""
    concepts = dict.fromkeys((*plan.subjects, *plan.concepts))
    known = [concept for concept in concepts if fold_name(concept) in names]

    def look() -> list[str]:
        paths = {concept: deps.catalog.resolve(concept) for concept in known}
        written = deps.catalog.with_text(path for found in paths.values() for path in found)
        return [
            translate("The note “{name}” has no text, so nothing of it can be found.", name=concept)
            for concept, found in paths.items()
            if found and written.isdisjoint(found)
        ]

    return await asyncio.to_thread(look) if known else []


async def clarify(state: QueryState, deps: Deps, context: QueryContext) -> Update:
    """Ask the person what was meant, until a reply says it; where nobody answers take it as fact.

    So is what is asked in a language whose wording is not read: all such questions look unclear.
    A choice holds for the thread, for every question of the same form.
    """
    plan = with_reading(state["plan"])
    senses: list[str] = []
    if plan.ambiguous is not None:
        if context.interactive:
            return _settle_sense(plan, plan.ambiguous)
        senses = [searched_all(plan.ambiguous)]
        plan = replace(plan, ambiguous=None)
    asked = clarification(plan)
    if asked is None:
        return {"plan": plan, "remarks": senses}
    names = await asyncio.to_thread(deps.catalog.name_set)
    near = await _near(plan, names, deps)
    spelling = [] if plan.vault else _did_you_mean(near)  # a listing tells it itself
    said = _of_language(await asyncio.to_thread(other_language, plan.reading.question))
    if not context.interactive or (said and asked.options):
        if asked.options and not said:
            await _log_ambiguous(plan, asked, deps, context, chosen=None)
        if plan.decided_by == "command":  # what was told stays, as far as its words go
            one = translate("Only one thing to compare was named.")
            return {"plan": plan, "remarks": [*senses, one, *spelling]}
        taken = asking_back.assume_factual(plan, asked)
        if context.interactive:  # so that it is not asked after all
            taken["plan"] = replace(taken["plan"], confidence=SURE)
        return {**taken, "remarks": [*senses, *taken["remarks"], *spelling]}
    meant = respelled(plan, near) if asked.options else plan
    if meant is not plan:
        asked = with_as_written(clarification(meant) or asked, plan)
    asked = replace(asked, question=" ".join((*said, *spelling, asked.question)))

    def read_reply(reply: object) -> QueryPlan | None:
        as_written = asked.options and str(reply).strip() == str(asked.options[-1].number)
        return replies.chosen(plan if as_written else meant, asked, reply, names=names)

    reply: object = interrupt(asking_back.clarification_payload(asked))
    while (settled := read_reply(reply)) is None:
        again = replies.repeat_clarification(plan, asked, reply, names=names)
        reply = interrupt(asking_back.clarification_payload(again))
    if not asked.options:
        return {"plan": settled, "remarks": spelling}
    await _log_ambiguous(plan, asked, deps, context, chosen=settled.intent)
    respelt = (
        []
        if settled.reading == plan.reading
        else [translate("Asked as: {question}", question=plan.reading.question)]
    )
    return {
        "plan": settled,
        "choices": {ambiguity_log.form(plan): settled.intent},
        "remarks": [*respelt, *_left_out(settled)],
    }


async def _log_ambiguous(
    plan: QueryPlan,
    asked: Clarification,
    deps: Deps,
    context: QueryContext,
    *,
    chosen: Intent | None,
) -> None:
    """Keep the question for its writer to look at, where the settings let texts be kept."""
    if deps.settings.log_text and context.logged:
        path, now = deps.settings.ambiguity_log_path, deps.clock()
        await asyncio.to_thread(
            ambiguity_log.remember, path, plan, asked=asked, now=now, chosen=chosen
        )


def _settle_sense(plan: QueryPlan, ambiguous: AmbiguousName) -> Update:
    """Ask which sense of a name is meant; the choice holds for the name in the whole thread."""
    asked = which_sense(ambiguous)
    reply: object = interrupt(asking_back.clarification_payload(asked))
    while (settled := replies.chosen(plan, asked, reply)) is None:
        reply = interrupt(asking_back.clarification_payload(asked))
    return {
        "plan": settled,
        "senses": {name_key(ambiguous.name): settled.sense or Sense()},
        "remarks": _left_out(settled),
    }
