"""Evidence → cited answer. Locally the words are the notes' own; a model may write them anew."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict

import prompts
from agents.models import StructuredModel
from agents.planning import moment
from agents.verdict import verdict
from tools.causation import whole_chains
from tools.citations import Citation, CitedSentence, cite
from tools.domain import (
    AnswerFormat,
    DecidedBy,
    Excerpt,
    GraphRelation,
    Mode,
    Moment,
    QueryPlan,
    Result,
)
from tools.errors import ModelUnavailableError
from tools.evidence import coverage
from tools.facts import as_known
from tools.folding import fold
from tools.relations import phrase

_EVIDENCE_LIMIT = 16
_QUOTED_NOTES = 4
_SENTENCE_WORDS = 3
"""Words besides links that a quotation needs to be told in a narrative."""
_FACTS = 12
_MENTIONS = ("LINKS_TO", "EMBEDS", "TAGGED")
_SUPPORT = 0.5
"""Share of a sentence's content words its evidence must hold."""
_SHAPES: Mapping[AnswerFormat, str] = {
    "list": "one to three sentences that answer directly",
    "narrative": "a short connected explanation from cause to effect",
    "table": "two to four sentences on what is alike and what differs",
    "timeline": "two to four sentences in order of time",
}
_WORD = re.compile(r"[^\W_]{3,}|\d+(?:[.,]\d+)?")
_WIKILINK = re.compile(r"!?\[\[[^\]]*\]\]")
_MARKS = re.compile(r"\s*(?:\[\^?\d+\]|\[\[[^\]]*\]\])")
"""References that a model may put into a sentence, besides naming its evidence."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What an answer may rest on: verified results only."""

    plan: QueryPlan
    format: AnswerFormat
    results: Sequence[Result]
    mode: Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Sentences of an answer, who wrote them, and what the reader should know about that."""

    statements: tuple[CitedSentence, ...]
    decided_by: DecidedBy
    remarks: tuple[str, ...] = ()


class Answerer(Protocol):
    """Write an answer from the material, every sentence with its citations."""

    async def __call__(self, material: Material) -> Written: ...


def make_answerer(model: StructuredModel | None) -> Answerer:
    """Compose the two ways: the model's words when they can be had and hold, else the notes'."""

    async def write(material: Material) -> Written:
        local = Written(statements=write_locally(material), decided_by="local")
        if model is None or material.mode == "local" or not material.results:
            return local
        try:
            return await _write_with(model, material, local)
        except ModelUnavailableError as error:
            return Written(
                statements=local.statements,
                decided_by="local",
                remarks=(f"Written without a language model: {error}",),
            )

    return write


def write_locally(material: Material) -> tuple[CitedSentence, ...]:
    """For a causal question, the chains in words, then what the notes say.

    For the state of things at a moment, what held then; else nothing.
    """
    if material.format == "list" and moment(material.plan) != Moment():
        return _held(material.results, moment(material.plan))
    if material.format != "narrative":
        return ()
    asked = [word for concept in material.plan.concepts for word in _WORD.findall(fold(concept))]
    asked = asked or _WORD.findall(fold(material.plan.query))
    told = [statement for chain in whole_chains(material.results) for statement in _told(chain)]
    quoted = [
        CitedSentence(text=_sentence(result.excerpts[0].text), citations=(cite(result, e),))
        for result in _current(material.results)[:_QUOTED_NOTES]
        for e in result.excerpts[:1]
        if len(_WORD.findall(_WIKILINK.sub(" ", e.text))) >= _SENTENCE_WORDS
        and coverage(e.text, asked) > 0
    ]
    return tuple(dict.fromkeys([*told, *quoted]))


def _current(results: Sequence[Result]) -> list[Result]:
    """The results that no later note took the place of."""
    return [r for r in results if not any(event.kind == "superseded" for event in r.events)]


def _held(results: Sequence[Result], at: Moment) -> tuple[CitedSentence, ...]:
    """What the notes stated with a word of their own, links in passing left out."""
    facts = [fact for r in results for fact in r.chain if fact.relation not in _MENTIONS]
    return tuple(_stated(fact, _times(fact, at)) for fact in facts[:_FACTS])


def _times(fact: GraphRelation, at: Moment) -> str:
    """Since when it held, and until when, if that was known by then."""
    since = f"since {fact.valid_at:%Y-%m-%d}" if fact.valid_at else "undated"
    ended = as_known(fact, at.known_at).invalid_at
    return f"{since}, until {ended:%Y-%m-%d}" if ended else since


def _told(chain: Sequence[GraphRelation]) -> list[CitedSentence]:
    return [_stated(step) for step in chain]


def _stated(step: GraphRelation, *remarks: str) -> CitedSentence:
    """One edge in words; in brackets that a model inferred it, and what else there is to say."""
    said = ", ".join((*(("inferred",) if step.origin == "inferred" else ()), *remarks))
    words = f"{step.source_title} {phrase(step.relation)} {step.target_title}"
    return CitedSentence(
        text=f"{words} ({said})." if said else f"{words}.",
        citations=(
            Citation(
                note_path=step.note_path,
                note_title=step.source_title,
                line=step.line,
                version=step.valid_at if step.expired_at else None,
            ),
        ),
    )


def _sentence(text: str) -> str:
    plain = " ".join(text.split())
    return plain if plain.endswith((".", "!", "?", "…", ":", ".”", '."')) else f"{plain}."


# --- with a model --------------------------------------------------------------------------


class _Sentence(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    evidence: list[int]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answered: bool
    sentences: list[_Sentence]


async def _write_with(model: StructuredModel, material: Material, local: Written) -> Written:
    dated = material.format == "timeline"
    results = material.results if dated else _current(material.results)
    evidence = [(result, e) for result in results for e in result.excerpts][:_EVIDENCE_LIMIT]
    listed = [
        {
            "number": number,
            "note": result.note_title,
            "date": f"{result.metadata.created_date:%Y-%m-%d}"
            if result.metadata.created_date
            else None,
            "text": e.text,
        }
        for number, (result, e) in enumerate(evidence, start=1)
    ]
    prompt = await asyncio.to_thread(
        prompts.render,
        "answerer",
        question=json.dumps(material.plan.query, ensure_ascii=False),
        evidence=json.dumps(listed, ensure_ascii=False, indent=1),
        shape=_SHAPES[material.format],
    )
    reply = await model(prompt, _Reply)
    kept: list[CitedSentence] = []
    for sentence in reply.sentences:
        numbers = [n for n in dict.fromkeys(sentence.evidence) if 1 <= n <= len(evidence)]
        text = _MARKS.sub("", sentence.text)
        if numbers and supported(text, [_evidence_text(*evidence[n - 1]) for n in numbers]):
            citations = tuple(cite(*evidence[n - 1]) for n in numbers)
            kept.append(CitedSentence(text=_sentence(text), citations=citations))
    dropped = len(reply.sentences) - len(kept)
    remarks: tuple[str, ...] = ()
    if dropped:
        noun = "sentence" if dropped == 1 else "sentences"
        remarks = (f"{dropped} {noun} of the model's dropped: the cited lines do not say it.",)
    if not reply.answered:
        remarks += ("The model found no answer in the evidence; these are the notes' own words.",)
    if not kept or not reply.answered:
        return Written(statements=local.statements, decided_by="local", remarks=remarks)
    return Written(statements=tuple(kept), decided_by="llm", remarks=remarks)


def supported(sentence: str, evidence: Sequence[str]) -> bool:
    """Say whether the evidence holds the sentence: half of its words, every number, no denial."""
    held = fold(" ".join(evidence))
    if not set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(held)):
        return False
    words = {word[:6] for word in _WORD.findall(fold(sentence))}
    if not words or sum(word in held for word in words) / len(words) < _SUPPORT:
        return False
    return not any(verdict(sentence, text).contradiction for text in evidence)


def _evidence_text(result: Result, excerpt: Excerpt) -> str:
    created = result.metadata.created_date
    return f"{created:%Y-%m-%d}: {excerpt.text}" if created else excerpt.text
