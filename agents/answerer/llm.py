"""A language model's sentences from numbered evidence, each kept only if its cited lines hold it.

A reply can do no more than that: whatever else stands in it (links, markup, references, orders that
came from a note) is taken out or makes the sentence fall.
"""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

import prompts
from agents.answerer.causal_narrative import sentence
from agents.entailment.support import shared_words, unsupported_reason
from agents.llm.structured import StructuredModel
from tools.base.domain import AnswerFormat, Result
from tools.base.guards import one_line
from tools.evidence.citations import Citation, CitedSentence, cite, cite_relation
from tools.graph.causal_chains import cause_and_effect, forward, maximal_chains
from tools.text.markdown.sentences import sentences

_EVIDENCE_LIMIT = 16
_SENTENCES = 12
"""Sentences of a reply that are looked at: an answer has less than half as many."""
_LONGEST = 1500
"""Letters of one sentence of a reply that are looked at."""
_CITED = 4
"""Citations of one sentence: what needs more lines than these rests on none of them."""
_TOLD = 5
"""Dropped sentences of which the answer says why."""
_SHAPES: Mapping[AnswerFormat, str] = {
    "list": "one to three sentences that answer directly",
    "narrative": "a short connected explanation from cause to effect",
    "table": "two to four sentences on what is alike and what differs",
    "timeline": "two to four sentences in order of time",
}
_REFERENCE = re.compile(r"\s*\[\^?\d+(?:\s*,\s*\d+)*\]|\s*!?\[\[[^\]]*\]\]")
"""What a model may put into a sentence besides naming its evidence."""
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_ADDRESS = re.compile(
    r"\b(?:https?|ftp|file|javascript|vbscript|data|mailto|obsidian|blob):\S*|\bwww\.\S+",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[\[\]{}`|^\\*]|<(?![\s\d=])|(?<!\s)>|(?<!\w)_|_(?!\w)|(?<!\S)[#~]+")
"""Signs that markup is made of; without them no text can become any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One numbered piece: its words, what it belongs to, and the place to cite."""

    text: str
    note: str
    date: str | None
    citation: Citation
    inferred: bool = False

    @property
    def about(self) -> str:
        """Names and dates that a sentence may use of it."""
        return f"{self.note} {self.citation.heading or ''} {self.date or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """The sentences that hold; ``remarks`` say which did not, and whether an answer was found."""

    sentences: tuple[CitedSentence, ...]
    answered: bool
    remarks: tuple[str, ...] = ()


class _Sentence(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    evidence: list[int]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answered: bool
    sentences: list[_Sentence]


class _DraftSentence(BaseModel):
    text: str = ""


class _Draft(BaseModel):
    sentences: list[_DraftSentence] = []


type OnDraft = Callable[[str], None]
"""Hears all that a model has written by now, again and again; nobody has checked that yet."""


async def synthesise(
    model: StructuredModel,
    question: str,
    shown: AnswerFormat,
    results: Sequence[Result],
    *,
    on_draft: OnDraft | None = None,
) -> Synthesis:
    """Have ``model`` answer from the results. Raises ModelUnavailableError."""

    def hear(partial: Mapping[str, object]) -> None:
        if on_draft is not None:
            on_draft(_drafted(partial))

    evidence = _evidence(results, shown)
    prompt = await asyncio.to_thread(_prompt, question, shown, evidence)
    reply = await model(prompt, _Reply, on_partial=hear if on_draft else None)
    return await asyncio.to_thread(_checked, reply, evidence)


def _drafted(partial: Mapping[str, object]) -> str:
    """The sentences of a reply that is not complete, whatever form it has."""
    try:
        written = _Draft.model_validate(partial)
    except ValidationError:
        return ""
    return " ".join(one.text for one in written.sentences if one.text)


def _evidence(results: Sequence[Result], shown: AnswerFormat) -> list[Evidence]:
    """The quotations, best notes first; for a causal answer also the links of its chains."""
    chains = maximal_chains(results) if shown == "narrative" else []
    links = [
        Evidence(
            text="{0} {2} {1}.".format(*cause_and_effect(step), forward(step.relation)),
            note=step.source_title,
            date=f"{step.valid_at:%Y-%m-%d}" if step.valid_at else None,
            citation=cite_relation(step),
            inferred=step.origin == "inferred",
        )
        for step in dict.fromkeys(step for chain in chains for step in chain)
    ]
    quoted = [
        Evidence(
            text=excerpt.reads or excerpt.text,
            note=result.note_title,
            date=f"{result.metadata.created_date:%Y-%m-%d}"
            if result.metadata.created_date
            else None,
            citation=cite(result, excerpt),
        )
        for result in results
        for excerpt in result.excerpts
    ]
    return [*quoted[: max(0, _EVIDENCE_LIMIT - len(links))], *links][:_EVIDENCE_LIMIT]


def _prompt(question: str, shown: AnswerFormat, evidence: Sequence[Evidence]) -> str:
    listed = [
        {
            "number": number,
            "note": one.note,
            "date": one.date,
            "text": one.text,
            **({"inferred": True} if one.inferred else {}),
        }
        for number, one in enumerate(evidence, start=1)
    ]
    return prompts.render(
        "answerer",
        question=prompts.quoted(question),
        evidence=prompts.quoted(listed),
        shape=_SHAPES[shown],
    )


# --- what is kept --------------------------------------------------------------------------


def _checked(reply: _Reply, evidence: Sequence[Evidence]) -> Synthesis:
    kept: list[CitedSentence] = []
    dropped: list[str] = []
    told = reply.sentences[:_SENTENCES]
    for number, one in enumerate(told, start=1):
        cited = [evidence[n - 1] for n in dict.fromkeys(one.evidence) if 1 <= n <= len(evidence)]
        for part in _plain(one.text):
            # Citations that have no word of the sentence were not what it rests on.
            lines = sorted(cited, key=lambda e: -shared_words(part, e.text))[:_CITED]
            lines = [e for e in cited if e in lines and shared_words(part, e.text)]
            if (wrong := _wrong(part, lines or cited)) is not None:
                dropped.append(f"sentence {number}{_places(lines or cited)}: {wrong}")
            else:
                kept.append(_cited(part, lines))
    if len(reply.sentences) > len(told):
        dropped.append(f"{len(reply.sentences) - len(told)} more than an answer has")
    return Synthesis(
        sentences=tuple(dict.fromkeys(kept)),
        answered=reply.answered,
        remarks=_remarks(dropped),
    )


def _plain(text: str) -> list[str]:
    """The sentences of a reply's text as bare words: nothing in them is markup or an address."""
    text = _REFERENCE.sub("", _IMAGE.sub("", one_line(text[:_LONGEST])))
    bare = (one.text for one in sentences(text))
    cleaned = (" ".join(_SIGNS.sub("", _ADDRESS.sub("", one)).split()) for one in bare)
    return list(cleaned) or [""]


def _wrong(text: str, cited: Sequence[Evidence]) -> str | None:
    if not cited:
        return "it cites nothing that was given"
    lines = [one.text for one in cited]
    return unsupported_reason(text, lines, about=" ".join(one.about for one in cited))


def _cited(text: str, lines: Sequence[Evidence]) -> CitedSentence:
    told = sentence(text)
    if any(one.inferred for one in lines):
        told = f"{told[:-1]} (inferred){told[-1]}"
    return CitedSentence(text=told, citations=tuple(dict.fromkeys(one.citation for one in lines)))


def _remarks(dropped: Sequence[str]) -> tuple[str, ...]:
    if not dropped:
        return ()
    count = f"{len(dropped)} sentence{'s' if len(dropped) > 1 else ''}"
    more = len(dropped) - _TOLD
    return (
        f"{count} of the model's dropped: the lines cited do not say it.",
        *(f"Dropped: {one}." for one in dropped[:_TOLD]),
        *([f"Dropped: {more} more."] if more > 0 else []),
    )


def _places(cited: Sequence[Evidence]) -> str:
    """Where the citations that did not hold point to, in plain words."""
    named = [f"{_SIGNS.sub('', one_line(e.note))} line {e.citation.line}" for e in cited[:_CITED]]
    return f", which cites {', '.join(named)}" if named else ""
