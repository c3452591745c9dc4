"""What tells a sentence of markdown from its links, and an answer from a question. Pure."""

import re

# No part of these patterns ever gives back what it took, and none reads past a bracket that opens
# another link: what they cost grows with the text, whatever is written in it.
LABEL = r"(?:[^\[\]\n]++|\n(?!\n)|\[[^\[\]\n]*+\])*+"
"""What a link says, with brackets or a picture in it; it crosses no paragraph."""
TARGET = (
    r"\(\s*+(?:<[^<>\n]*+>|[^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)*+)"
    r"(?:\s++(?:\"[^\"\n]*+\"|'[^'\n]*+'))?+\s*+\)"
)
"""Where a link to elsewhere leads, with its title and the parentheses around both."""
NOTE_LINK = r"!?\[\[[^\[\]\n]*+\]\]"
"""A link to a note, or the note put in its place."""
LINK = rf"{NOTE_LINK}|!?\[{LABEL}\]{TARGET}"
"""A link to a note or to elsewhere, as a part of a pattern."""
CODE = r"(?P<tick>(?<!`)`++)(?P<code>[^`\n]++)(?P=tick)"
"""Code within a line."""
COMMENT = r"<!--(?:[^<-]|<(?!!--)|-(?!->))*+-->"
"""What a page made of the text would not show."""

_LINK = re.compile(LINK)
_CLOSING = "\"'”’)*_ "


def unlinked(text: str) -> str:
    """The text without its links."""
    return _LINK.sub(" ", text)


def leaves_open(text: str) -> bool:
    """Whether a sentence asks, or announces what follows: then it tells nothing by itself."""
    return text.rstrip(_CLOSING).endswith(("?", ":"))
