"""A review of suggested links: what is shown, what a person replies, how it went. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, cast

from tools.links.places import SPOTS
from tools.links.planned import LinkRequest, NoteChange
from tools.links.rules import OTHER_SIDE
from tools.links.suggestion import LinkSuggestion
from tools.vault.editing.places import DEFAULT_SECTION
from tools.vault.storage.link_journal import LinkWrite

type Choice = Literal["accept", "reject", "edit", "skip", "undo"]
_ANSWERS: Mapping[str, Choice] = {
    "y": "accept", "yes": "accept", "accept": "accept", "approve": "accept",
    "n": "reject", "no": "reject", "reject": "reject",
    "e": "edit", "edit": "edit",
    "s": "skip", "skip": "skip",
    "u": "undo", "undo": "undo",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions:
    """Knobs of a review. JSON-able, so that LangGraph Studio can show and set them.

    ``limit`` is how many suggestions of each note are shown, of those that are made with a
    probability of at ``least`` so much. ``spot`` is where links go, in a
    ``section`` of this heading; ``one_way`` writes nothing into the other note.
    """

    limit: int = 5
    least: float = 0.1
    threshold: float = 0.0
    either_way: bool = False
    spot: str = "section"
    section: str = DEFAULT_SECTION
    one_way: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a link is to be; without a ``relation`` it cannot be written yet."""

    relation: str | None
    context: str = ""
    spot: str = "section"
    section: str = DEFAULT_SECTION


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A suggested link of the note at ``source`` as it is shown, with what it would change.

    ``write`` is what is written if it is accepted, None where that cannot be; ``refused`` says why
    it may not be. ``remark`` is a line on what was replied before.
    """

    source: str
    suggestion: LinkSuggestion
    wanted: Wanted
    write: LinkWrite | None = None
    changes: tuple[NoteChange, ...] = ()
    warnings: tuple[str, ...] = ()
    refused: str = ""
    remark: str = ""

    def request(self, *, one_way: bool) -> LinkRequest:
        """The link that is wanted, which has to have its type."""
        return LinkRequest.at_spot(
            self.source,
            self.suggestion.note_path,
            relation=self.wanted.relation or "",
            context=self.wanted.context,
            spot=self.wanted.spot,
            section=self.wanted.section,
            one_way=one_way,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a person said to a proposal; of what they did not say the proposal's own is kept.

    ``refused`` says why a reply is none.
    """

    answer: Choice | None
    relation: str | None = None
    context: str | None = None
    spot: str | None = None
    section: str | None = None
    refused: str = ""

    @classmethod
    def read(cls, given: object) -> Self:
        """Read a key (y, n, e, s, u), its word, or a mapping with one as its ``answer``."""
        is_mapping = isinstance(given, Mapping)
        said = cast("Mapping[str, Any]", given) if is_mapping else {"answer": given}
        answer = _ANSWERS.get(str(said.get("answer", "")).strip().casefold())
        if answer is None:
            return cls(answer=None, refused="Reply with y, n, e, s or u.")
        relation, spot = _text(said.get("relation")), _text(said.get("spot"))
        if relation and relation not in OTHER_SIDE:
            types = ", ".join(OTHER_SIDE)
            return cls(answer=None, refused=f"That is no type of link: choose one of {types}.")
        if spot and spot not in SPOTS:
            return cls(answer=None, refused=f"A link goes to one of {', '.join(SPOTS)}.")
        return cls(
            answer=answer,
            relation=relation or None,
            context=_text(said.get("context")),
            spot=spot or None,
            section=_text(said.get("section")),
        )

    def changed(self, wanted: Wanted) -> Wanted:
        """What is wanted after this reply."""
        return Wanted(
            relation=self.relation or wanted.relation,
            context=wanted.context if self.context is None else self.context,
            spot=self.spot or wanted.spot,
            section=self.section or wanted.section,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A proposal that was decided; ``number`` is that of the link in the journal, if it is in."""

    proposal: Proposal
    answer: Choice
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How far a review is: ``notes`` looked at ``of`` all, and what became of what was shown."""

    notes: int = 0
    of: int = 0
    accepted: int = 0
    rejected: int = 0
    skipped: int = 0

    def counted(self, answer: Choice, by: int = 1) -> "Tally":
        """The same with one more of an answer, or one less."""
        match answer:
            case "accept":
                return replace(self, accepted=self.accepted + by)
            case "reject":
                return replace(self, rejected=self.rejected + by)
            case _:
                return replace(self, skipped=self.skipped + by)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
