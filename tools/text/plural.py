"""Numbers of things in words. Pure."""


def counted(count: int, one: str, many: str = "") -> str:
    """``1 note`` or ``2,000 notes``; ``many`` where it is not ``one`` with an s behind it."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
