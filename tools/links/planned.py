"""A typed link that is wanted, and what it would change in the notes. Pure."""

from dataclasses import dataclass
from typing import Self

from tools.links.places import place_of
from tools.vault.editing.places import DEFAULT_SECTION, InSection, NewLink, Place
from tools.vault.storage.link_journal import LinkWrite

AT_END_OF_SECTION = InSection()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRequest:
    """The link that is wanted, of one of the seven types.

    ``place`` is where it goes in the source, ``back`` where the other side goes in the target;
    with None nothing is written there.
    """

    source: str
    target: str
    relation: str
    context: str = ""
    place: Place = AT_END_OF_SECTION
    back: Place | None = AT_END_OF_SECTION

    @classmethod
    def at_spot(
        cls,
        source: str,
        target: str,
        *,
        relation: str,
        context: str,
        spot: str = "section",
        section: str = DEFAULT_SECTION,
        one_way: bool = False,
    ) -> Self:
        """A link at the same spot of both notes, or with ``one_way`` of its source alone.

        Raises InputError for a place that there is not.
        """
        place = place_of(spot, section=section)
        return cls(
            source=source,
            target=target,
            relation=relation,
            context=context,
            place=place,
            back=None if one_way else place,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSide:
    """What goes into one of the two notes, and where."""

    path: str
    link: NewLink
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChange:
    """What a note would be: its path, and the lines that come, with those around them."""

    path: str
    diff: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLink:
    """A link that would be written, what that changes, and what to think of first.

    ``sides`` are in the order of the edits of ``write``.
    """

    write: LinkWrite
    sides: tuple[LinkSide, ...]
    changes: tuple[NoteChange, ...]
    warnings: tuple[str, ...] = ()
