"""What tells a sentence of markdown from its links, and an answer from a question. Pure."""

import re

LINK = r"!?\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\)"
"""A link to a note or to elsewhere, as a part of a pattern."""

_LINK = re.compile(LINK)
_CLOSING = "\"'”’)*_ "


def unlinked(text: str) -> str:
    """The text without its links."""
    return _LINK.sub(" ", text)


def leaves_open(text: str) -> bool:
    """Whether a sentence asks, or announces what follows: then it tells nothing by itself."""
    return text.rstrip(_CLOSING).endswith(("?", ":"))
