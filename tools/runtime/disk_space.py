"""How a disk without room, or a quota that is used up, shows in what others say."""

import errno
import re

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Error numbers of the system for a write that found no room."""

_SAID = re.compile(r"no space left|disk is full|quota exceeded", re.IGNORECASE)


def is_no_space_message(message: str) -> bool:
    """Whether the words of a library or a server mean that there is no room to write."""
    return _SAID.search(message) is not None
