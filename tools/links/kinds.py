"""The types of links and the places that they go to, by name; imports nothing of ours."""

from typing import Literal

LinkType = Literal[
    "supports",
    "contradicts",
    "elaborates",
    "analogous_to",
    "generalizes",
    "specializes",
    "influences",
]
"""What the source of a link does to its target."""
Spot = Literal["section", "field", "frontmatter"]
"""Where in a note a link goes: to the end of a section, as an inline field, as a property."""
