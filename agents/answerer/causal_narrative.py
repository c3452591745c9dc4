"""Why something is so, told from the notes: chains of causes in order, then what notes say. Pure.

A link of a chain is told in a note's own words where one states it, else in those of the graph.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set

from agents.entailment.support import unsupported_reason
from tools.base.domain import Excerpt, GraphRelation, QuestionReading, Result
from tools.claims.alignment import content_stems
from tools.claims.assertions import asserts
from tools.claims.verbs import verb_at
from tools.evidence.citations import CitedSentence, cite, cite_relation
from tools.evidence.coverage import coverage, covering
from tools.graph.causal_chains import (
    cause_and_effect,
    closes_cycle,
    forward,
    link,
    maximal_chains,
    prevents,
)
from tools.text.causal_markers import gives_reason, has_causal_marker
from tools.text.language import is_turkish
from tools.text.markdown.links import LINK, leaves_open, unlinked
from tools.text.normalize import fold
from tools.vault.catalog.text import text_query

_QUOTED_NOTES = 4
_SENTENCE_WORDS = 3
"""Words besides links that a quotation needs to be told as a sentence."""
_ON_TOPIC = 0.5
"""Share of the asked words that a sentence which says why must have, with its note's name."""
_ANSWERING = 0.6
"""Share of all words of the question that another sentence must have."""
_TITLE_WORDS = 2
"""A title of more words is set in quotation marks within a sentence."""
_NAMED_BY = 0.6
"""Share of the words of a title by which a sentence names the note."""
_WORD = re.compile(r"[^\W_]{3,}|\d+(?:[.,]\d+)?")
_NO_SENTENCE = re.compile(
    rf"\W*(?:{LINK})\W*(?:[;:—–(-]|$)"  # a link and what it is called
    r"|[>\s]*(?:[-*+]\s+)?\[?[\w -]{1,40}::|[>\s]*(?:#{1,6}\s|\|)"  # field, heading, table
)
_POINTER = re.compile(rf"(?:\b(?:see|cf|bkz)\b[^.]{{0,20}}|:\s*)(?:{LINK})\W*$", re.IGNORECASE)
"""A sentence that ends by sending its reader to another note."""
_NAMED_ASIDE = re.compile(rf"\W*(?:{LINK})\s*,(?P<aside>.*)", re.DOTALL)
"""A link and, behind a comma, what is said of it: a sentence only if a verb follows."""


def narrative(
    results: Sequence[Result], reading: QuestionReading, concepts: Sequence[str]
) -> tuple[CitedSentence, ...]:
    """The chains, each link once and each chain a paragraph, and one of what notes say.

    What gives the reason asked for in a note's own words, or says yes or no where that is asked,
    comes first. So do the notes' other sentences where one of them has more words of what is asked
    about, the concepts or else the whole question, than all the chains.
    """
    words = text_query(reading.question).words
    about = text_query(" ".join(concepts)).words or words
    answering = _answering(words, about, whether=reading.asks("yesno"))
    told: list[CitedSentence] = []
    known: set[tuple[str, str]] = set()
    leading: set[tuple[str, str]] = set()
    quoted: set[Excerpt] = set()
    for number, chain in enumerate(maximal_chains(results)):
        new = [step for step in chain if link(step) not in known]
        known |= {link(step) for step in chain}
        before = ""
        for step in new:
            told.append(_told(step, results, quoted, before=before, paragraph=number))
            if closes_cycle(step, leading):
                told.append(_circle(step, paragraph=number))
            if not prevents(step):
                leading.add(link(step))
            before = link(step)[1]
    last = told[-1].paragraph + 1 if told else 0
    own = dict.fromkeys(
        _quotation(r, e, paragraph=last)
        for r, e in _quotations(results, words, about, quoted, answering)
    )
    by_chains = coverage(" ".join(step.text for step in told), about)
    if any(coverage(said.text, about) > by_chains for said in own):
        return (*own, *told)
    answers = [said for said in own if answering(said.text)]
    return (*answers, *told, *(said for said in own if said not in answers))


# --- the chains ----------------------------------------------------------------------------


def _told(
    step: GraphRelation,
    results: Sequence[Result],
    quoted: set[Excerpt],
    *,
    before: str,
    paragraph: int,
) -> CitedSentence:
    """One link; ``quoted`` takes in the excerpt whose words tell it."""
    place = cite_relation(step)
    inferred = step.origin == "inferred"
    stating = None if inferred else next(_stating(step, results, quoted), None)
    if stating is not None:
        result, excerpt = stating
        quoted.add(excerpt)
        own = cite(result, excerpt)
        places = (
            (own,) if (own.note_path, own.line) == (place.note_path, place.line) else (own, place)
        )
        return CitedSentence(text=sentence(excerpt.text), citations=places, paragraph=paragraph)
    cause, effect = map(_named, cause_and_effect(step))
    joined = f"{cause}, in turn," if before == link(step)[0] else cause
    text = f"{joined} {forward(step.relation)} {effect}"
    return CitedSentence(
        text=f"{text} (inferred)." if inferred else f"{text}.",
        citations=(place,),
        paragraph=paragraph,
    )


def _circle(step: GraphRelation, *, paragraph: int) -> CitedSentence:
    """What is said behind a link that closes a circle."""
    text = f"That leads back to {_named(cause_and_effect(step)[1])}: a circle."
    return CitedSentence(text=text, citations=(cite_relation(step),), paragraph=paragraph)


def _stating(
    step: GraphRelation, results: Sequence[Result], quoted: Set[Excerpt]
) -> Iterator[tuple[Result, Excerpt]]:
    """Quotations that name both ends of a link and say that one causes the other."""
    cause, effect = cause_and_effect(step)
    ends = content_stems(cause), content_stems(effect)
    said, about = f"{cause} {forward(step.relation)} {effect}.", f"{cause} {effect}"
    for result in results:
        for excerpt in result.excerpts:
            here = content_stems(excerpt.text)
            causal = content_stems(forward(step.relation)) & here
            causal = causal or has_causal_marker(excerpt.text)
            whole = all(end and len(end & here) >= _NAMED_BY * len(end) for end in ends)
            free = excerpt not in quoted and _states(excerpt.text)
            if (
                whole
                and causal
                and free
                and unsupported_reason(said, [excerpt.text], about=about) is None
            ):
                yield result, excerpt


def _named(title: str) -> str:
    """The title as a part of a sentence: in quotation marks where it may read like one itself."""
    return f"“{title}”" if len(title.split()) > _TITLE_WORDS else title


# --- what notes say ------------------------------------------------------------------------


def _quotations(
    results: Sequence[Result],
    words: Sequence[str],
    about: Sequence[str],
    told: Set[Excerpt],
    answering: Callable[[str], bool],
) -> list[tuple[Result, Excerpt]]:
    """One sentence of each of the best notes that speaks of what is asked; weak notes last.

    Of a weak note, beside others, only what answers, and of each note that before all else.
    """
    strong = [r for r in results if r.tier != "low_relevance"]
    spoken = [
        (result, excerpt)
        for result in results
        for excerpt in result.excerpts
        if excerpt not in told
        and _states(excerpt.text)
        and (
            answering(excerpt.text)
            or ((result in strong or not strong) and _on_topic(excerpt.text, result, words, about))
        )
    ]
    spoken.sort(key=lambda one: not answering(one[1].text))
    # What only points elsewhere is told where nothing else is.
    found = [one for one in spoken if asserts(one[1].text)] or spoken
    first = {result.note_path: (result, excerpt) for result, excerpt in reversed(found)}
    ranked = [r.note_path for r in results if r.note_path in first]
    ranked.sort(key=lambda path: not answering(first[path][1].text))
    return [first[path] for path in dict.fromkeys(ranked)][:_QUOTED_NOTES]


def _answering(
    words: Sequence[str], about: Sequence[str], *, whether: bool
) -> Callable[[str], bool]:
    """Whether a sentence by itself says why what is asked about is so, or ``whether`` it is.

    What says whether names what the question names first, and half of the rest.
    """
    named, asked, subject = covering(about), covering(words), covering(words[:1])

    def answers(text: str) -> bool:
        if gives_reason(text) and named(text) >= _ON_TOPIC:
            return True
        held = asked(text)
        enough = held >= _ON_TOPIC and held * len(words) > 1
        return whether and enough and subject(text) > 0

    return answers


def _on_topic(text: str, result: Result, words: Sequence[str], about: Sequence[str]) -> bool:
    if has_causal_marker(text) and coverage(text, about) > 0:
        return coverage(f"{result.note_title} {text}", about) >= _ON_TOPIC
    return coverage(text, words) >= _ANSWERING


def _states(text: str) -> bool:
    """Whether a quotation reads as a sentence: no list of links, field, heading or question."""
    aside = _NAMED_ASIDE.match(text)
    if aside and not is_turkish(text):
        words = _WORD.findall(fold(aside["aside"]))
        verb = verb_at(words)
        if verb is None or verb == len(words) - 1:
            return False
    return (
        not _NO_SENTENCE.match(text)
        and not _POINTER.search(text)
        and not leaves_open(text)
        and len(_WORD.findall(unlinked(text))) >= _SENTENCE_WORDS
    )


def _quotation(result: Result, excerpt: Excerpt, *, paragraph: int) -> CitedSentence:
    return CitedSentence(
        text=sentence(excerpt.text), citations=(cite(result, excerpt),), paragraph=paragraph
    )


def sentence(text: str) -> str:
    """The text on one line, ended as a sentence is."""
    plain = " ".join(text.split())
    return plain if plain.endswith((".", "!", "?", "…", ":", ".”", '."')) else f"{plain}."
