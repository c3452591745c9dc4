"""What tells a sentence of markdown from its links, and an answer from a question. Pure."""

import html
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
SCRIPT = (
    r"(?i:<(?:script|style)\b[^<>]*+>(?:[^<]|<(?!/?(?:script|style)\b))*+</(?:script|style)\s*+>)"
)
"""What a page would carry out, or dress itself with, instead of showing it."""
ENTITY = r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
"""A character by its name or number."""

_LINK = re.compile(LINK)
_PLAIN_MARKS = "&'\">"
_AFTER_LESS = " 0123456789="
"""What may follow a character < that opens no tag."""
_CLOSING = "\"'”’)*_ "


def unlinked(text: str) -> str:
    """The text without its links."""
    return _LINK.sub(" ", text) if "[" in text else text


def leaves_open(text: str) -> bool:
    """Whether a sentence asks, or announces what follows: then it tells nothing by itself."""
    return text.rstrip(_CLOSING).endswith(("?", ":"))


def character(entity: str, after: str) -> str:
    """What an entity before the text ``after`` stands for; itself, where that might be markup."""
    char = html.unescape(entity)
    plain = all(c.isalnum() or c.isspace() or c in _PLAIN_MARKS or not c.isascii() for c in char)
    return char if plain or (char == "<" and (not after or after[0] in _AFTER_LESS)) else entity
