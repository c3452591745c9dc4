"""What each command about time does, as a coroutine that ends in an exit code."""

from datetime import datetime
from pathlib import Path

from graphs import terminal, terminal_time
from graphs.app import open_brain
from tools.date_moments import read_moment
from tools.domain import Moment
from tools.errors import InputError

OK = 0


async def facts(
    subject: str,
    *,
    vault: Path | None,
    data_dir: Path | None,
    as_of: str | None,
    known_at: str | None,
    ever: bool,
    as_json: bool,
) -> int:
    """List facts."""
    at = moment(as_of, known_at)
    if ever and at != Moment():
        raise InputError("--ever lists every time: leave out --as-of and --known-at.")
    async with open_brain(vault, data_dir=data_dir) as brain:
        found = await brain.facts(subject, at=at, ever=ever)
        if as_json:
            terminal.show_json(found.facts)
        else:
            terminal_time.show_facts(found, subject=subject, at=at, ever=ever)
    return OK


def moment(as_of: str | None, known_at: str | None) -> Moment:
    """The point on both axes that the options name. Raises InputError."""
    now = datetime.now().astimezone()
    return Moment(
        as_of=read_moment(as_of, now=now) if as_of is not None else None,
        known_at=read_moment(known_at, now=now) if known_at is not None else None,
    )
