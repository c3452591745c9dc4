"""The present moment, in the zone of the machine."""

from datetime import datetime


def local_now() -> datetime:
    """Now, in a zone that knows what its offset was and will be on other days."""
    from tzlocal import get_localzone

    try:
        return datetime.now(get_localzone())
    except (LookupError, ValueError, OSError):  # a zone nobody knows by that name
        return datetime.now().astimezone()
