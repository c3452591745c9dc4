"""The present moment, in the zone of the machine."""

import os
from datetime import datetime, tzinfo
from functools import lru_cache


def local_now() -> datetime:
    """Now, in a zone that knows what its offset was and will be on other days.

    The first call reads files, so an event loop wants it made before.
    """
    zone = _zone(os.environ.get("TZ"))
    return datetime.now(zone) if zone is not None else datetime.now().astimezone()


@lru_cache(maxsize=4)
def _zone(named: str | None) -> tzinfo | None:
    """The machine's zone, which ``named`` may change; None where nobody knows it by its name."""
    del named
    from tzlocal import reload_localzone

    try:
        return reload_localzone()
    except (LookupError, ValueError, OSError):
        return None
