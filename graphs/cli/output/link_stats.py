"""How what was decided on suggested links looks on a terminal."""

from collections.abc import Iterator

from graphs.cli.output import console
from tools.links.feedback_stats import LinkStats
from tools.text.voice import counted, stamp

_NO_TYPE = "without a type"


def show_link_stats(stats: LinkStats) -> None:
    """Print how many were accepted, of each type and of each share that was promised."""
    if not stats.decided:
        console.show_remark(
            "No suggested link was accepted or rejected yet: they are ranked as for everybody."
        )
    for line in _lines(stats) if stats.decided else ():
        console.show_line(line)
    console.show_warnings(stats.warnings)


def _lines(stats: LinkStats) -> Iterator[str]:
    since = f" since {stamp(stats.since)}" if stats.since else ""
    yield (
        f"{counted(stats.decided, 'suggested link')} decided on{since}: {stats.accepted} accepted "
        f"({stats.accepted / stats.decided:.0%}), {stats.retyped} with another type."
    )
    yield "by type:"
    for kind in stats.by_type:
        name = kind.relation or _NO_TYPE
        share = kind.accepted / kind.decided
        yield f"  {name:<16} {kind.accepted} of {kind.decided} accepted ({share:.0%})"
    yield "by what was promised:"
    for band in stats.by_band:
        bounds = f"{band.lower:.0%} to {band.upper:.0%}"
        yield (
            f"  {bounds:<16} {band.accepted} of {band.decided} accepted ({band.share:.0%}), "
            f"promised {band.promised:.0%}"
        )
    yield (
        f"The decisions are in {stats.file} in the data directory: read or edit it; without it "
        "learning starts anew."
    )
