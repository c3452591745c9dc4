"""Whether a sentence says a thing the same way round as the lines it rests on. Pure.

Its words stand there; what is asked, supposed or denied, which of two opposites it is, and who does
what to whom must be as it is there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.claims.forms import ClaimForm, Token
from tools.claims.kinds import antonyms
from tools.claims.meanings import opposite
from tools.claims.verbs import verb_at
from tools.text.stopwords import word_set

SHOWN = 30
"""Letters of a word that an objection repeats."""
_COMPARING = word_set("more less fewer better worse")
_FORWARD = word_set(
    "caus lead trigger produc creat yield prevent reduc increas improv worsen enabl"
)
_BACKWARD = word_set("becaus due owing thank stem result")


def contradiction_reason(claim: ClaimForm, held: Sequence[ClaimForm]) -> str | None:
    """What the sentences of the lines say otherwise, in a few words; None if nothing."""
    return (
        _assertion(claim, held)
        or _polarity(claim, held)
        or _opposites(claim, held)
        or _order(claim, held)
    )


def _telling(form: ClaimForm) -> dict[str, list[Token]]:
    """The tokens that say something, by their stems."""
    found: dict[str, list[Token]] = {}
    for token in form.tokens:
        if token.weight == 1.0:
            found.setdefault(token.stem, []).append(token)
    return found


def _closest(claim: ClaimForm, held: Sequence[ClaimForm]) -> list[ClaimForm]:
    """The sentences of the lines that share the most with the claim."""
    said = _telling(claim).keys()
    shared = [len(said & _telling(form).keys()) for form in held]
    most = max(shared, default=0)
    return [form for form, count in zip(held, shared, strict=True) if count == most and most]


def _assertion(claim: ClaimForm, held: Sequence[ClaimForm]) -> str | None:
    """A question, a supposition and an exception are no statements that it is so."""
    closest = _closest(claim, held)
    if closest and not claim.question and all(form.question for form in closest):
        return "the line only asks it"
    unsure = claim.hedged or claim.conditional
    if closest and not unsure and all(form.hedged for form in closest):
        return "the line only says it may be so"
    if closest and not claim.weak and all(form.weak for form in closest):
        return "the line names exceptions"
    return None


def _polarity(claim: ClaimForm, held: Sequence[ClaimForm]) -> str | None:
    """What is denied must be denied there, and what is asserted asserted."""
    polarities: dict[str, set[bool]] = {}
    for form in held:
        for key, tokens in _telling(form).items():
            polarities.setdefault(key, set()).update(token.negated for token in tokens)
    for key, tokens in _telling(claim).items():
        if key in polarities and polarities[key].isdisjoint(token.negated for token in tokens):
            denied = "denies" if True in polarities[key] else "does not deny"
            return f"the line {denied} “{tokens[0].text[:SHOWN]}”"
    return None


def _opposites(claim: ClaimForm, held: Sequence[ClaimForm]) -> str | None:
    """A word whose opposite stands in its place turns the sentence round."""
    closest = _closest(claim, held)
    own = {token.stem for token in claim.tokens}
    theirs = {token.stem for form in closest for token in form.tokens}
    replaced = [t for t in claim.tokens if t.word.isalpha() and t.stem not in theirs]
    others = [t for f in closest for t in f.tokens if t.word.isalpha() and t.stem not in own]
    for token in replaced:
        for other in others:
            if opposite(token.stem, other.stem, turkish=claim.turkish) or (
                not claim.turkish and antonyms(token.word, other.word)
            ):
                return f"the line says “{other.text[:SHOWN]}”, not “{token.text[:SHOWN]}”"
    return None


@dataclass(frozen=True, slots=True)
class _Relation:
    """Two sides and what relates them; a cause stands first, and what is more, and what does."""

    kind: str
    first: frozenset[str]
    second: frozenset[str]


def _order(claim: ClaimForm, held: Sequence[ClaimForm]) -> str | None:
    """Who does what to whom, what causes what and what exceeds what must not be exchanged."""
    known = [relation for form in held for relation in _relations(form)]
    for said in _relations(claim):
        alike = [one for one in known if one.kind == said.kind]
        straight = any(said.first & one.first and said.second & one.second for one in alike)
        crossed = any(
            said.first & one.second
            and said.second & one.first
            and not said.first & one.first
            and not said.second & one.second
            for one in alike
        )
        if crossed and not straight:
            return "the line says it the other way round"
    return None


def _relations(form: ClaimForm) -> Iterator[_Relation]:
    words = [token.word for token in form.tokens]
    places = [at for at in range(len(words)) if _kind(form, at)]
    if not places and not form.turkish and (verb := verb_at(words)) is not None:
        places = [verb]
    for number, at in enumerate(places):
        start = places[number - 1] + 1 if number else 0
        end = places[number + 1] if number + 1 < len(places) else len(words)
        first, second = _said(form, range(start, at)), _said(form, range(at + 1, end))
        kind = _kind(form, at) or f"verb {form.tokens[at].stem}"
        if "by" in words[at + 1 : at + 3] or _backward(form, at):
            first, second = second, first
        if first - second and second - first:
            yield _Relation(kind, first - second, second - first)


def _kind(form: ClaimForm, at: int) -> str | None:
    token = form.tokens[at]
    if token.word == "than":
        ranked = [t.word for t in form.tokens[:at] if t.word in _COMPARING or t.word.endswith("er")]
        return f"than {' '.join(ranked[-1:])}"
    if token.word in {"before", "after"}:
        return "time"
    if token.stem in _FORWARD | _BACKWARD or token.word == "because":
        return "cause"
    return None


def _backward(form: ClaimForm, at: int) -> bool:
    """Whether what stands second comes first: the cause behind ``because``, the time ``after``."""
    token = form.tokens[at]
    following = [t.word for t in form.tokens[at + 1 : at + 3]]
    if token.stem == "result":
        return "from" in following
    return token.word in {"because", "after"} or token.stem in _BACKWARD


def _said(form: ClaimForm, span: range) -> frozenset[str]:
    return frozenset(form.tokens[at].stem for at in span if form.tokens[at].weight == 1.0)
