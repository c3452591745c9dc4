"""Where in a note a link goes, as a person or a program names it."""

from typing import get_args

from tools.base.errors import InputError
from tools.links.kinds import Spot
from tools.links.rules import check_heading
from tools.vault.editing.places import DEFAULT_SECTION, AsField, InFrontmatter, InSection, Place

SPOTS: tuple[str, ...] = get_args(Spot)


def place_of(spot: str, *, section: str = DEFAULT_SECTION) -> Place:
    """The place with one of the three names; ``section`` is the heading of the first of them.

    Raises InputError for another name, and for a heading that is more than words.
    """
    match spot:
        case "section":
            return InSection(heading=check_heading(section))
        case "field":
            return AsField()
        case "frontmatter":
            return InFrontmatter()
        case _:
            raise InputError(f"There is no place {spot[:20]!r}: there are {', '.join(SPOTS)}.")
