"""An evolution in few signs: a mark for each kind of event, how much went on, a summary."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from tools.base.domain import Event, EventKind, Evolution

MARKS: Mapping[EventKind, str] = {
    "created": "●",
    "modified": "◆",
    "linked": "▲",
    "unlinked": "▽",
    "superseded": "■",
    "renamed": "★",
    "deleted": "✕",
}
"""One column wide each, and told apart without colour."""

_BARS = "▁▂▃▄▅▆▇█"


def density(moments: Sequence[datetime], *, width: int) -> str:
    """How many moments fall into each of ``width`` equal spans from the first to the last.

    A span without any is blank; the fullest has the highest bar. Empty without two moments apart.
    """
    written = [moment.replace(tzinfo=None) for moment in moments]
    if width < 1 or not written or min(written) == max(written):
        return ""
    first, span = min(written), max(written) - min(written)
    counts = [0] * width
    for moment in written:
        counts[min(int((moment - first) / span * width), width - 1)] += 1
    most = max(counts)
    return "".join(_BARS[-(-len(_BARS) * count // most) - 1] if count else " " for count in counts)


def summary(evolution: Evolution) -> str:
    """In a line: how many events in how many notes, from when to when."""
    moments = [one.event.timestamp.replace(tzinfo=None) for one in evolution.occurrences]
    if not moments:
        return "Nothing is dated about this."
    notes = len({one.note_path for one in evolution.occurrences})
    first, last = f"{min(moments):%Y-%m-%d}", f"{max(moments):%Y-%m-%d}"
    when = f"on {first}" if first == last else f"from {first} to {last}"
    events = len(moments)
    return (
        f"{events} {'event' if events == 1 else 'events'} in {notes} "
        f"{'note' if notes == 1 else 'notes'}, {when}"
    )


def remarks(event: Event) -> str:
    """What there is to say beside the kind: the detail, the line, when it became known if later."""
    detail = f"by {event.detail}" if event.kind == "superseded" else event.detail
    said = [detail] if detail else []
    said += [f"line {event.line}"] if event.line is not None else []
    if event.known_at is not None and abs(event.known_at - event.timestamp).days >= 1:
        said.append(f"known since {event.known_at:%Y-%m-%d}")
    return " · ".join(said)
