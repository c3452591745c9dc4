"""What the milliseconds of a run mean: which phases follow each other, which was the slowest.

A name without a dot is a phase. Phases follow each other, but for the searches of a
question, which run side by side (``beside``; in an indexing run none do). A name with a dot is a
part of the phase before the dot; parts may overlap. One of an indexing run outlasts its phase:
``scan.wake``, the servers' start, begins with the scan and goes on beside what follows. What of it
is left when the other phases have ended is the phase ``wake``.
"""

from collections.abc import Collection, Mapping

OTHER = "other"
"""What no phase accounts for: LangGraph between the phases, and its checkpoint."""
_START = "start_"
_WORDS = {
    "guard.wake": "waiting for the servers",
    "guard.catch_up": "reading changed notes",
    OTHER: "between the phases",
}


def in_order(timings: Mapping[str, float], *, beside: Collection[str]) -> dict[str, float]:
    """The phases that follow each other; the searches count as one, as long as the longest."""
    phases = {
        name: ms
        for name, ms in timings.items()
        if "." not in name and name not in beside and name != "total"
    }
    searches = [timings[source] for source in beside if source in timings]
    return {**phases, "search": max(searches)} if searches else phases


def spent(timings: Mapping[str, float], *, beside: Collection[str]) -> float:
    """Milliseconds of all phases, one after another."""
    return round(sum(in_order(timings, beside=beside).values()), 1)


def complete(
    timings: Mapping[str, float], *, total: float, beside: Collection[str]
) -> dict[str, float]:
    """The timings with the ``total`` of the whole run, and what of it no phase accounts for."""
    phases = {name: ms for name, ms in timings.items() if name not in (OTHER, "total")}
    rest = max(0.0, round(total - spent(phases, beside=beside), 1))
    return {**phases, OTHER: rest, "total": round(total, 1)}


def bottleneck(timings: Mapping[str, float], *, beside: Collection[str]) -> str:
    """The phase that took longest, or the part of it that took at least half of its time.

    Waiting for a server to start is such a part, and is named before what waited for it. Empty
    where nothing was timed.
    """
    phases = in_order(timings, beside=beside)
    if not phases:
        return ""
    phase = max(phases, key=lambda name: phases[name])
    if phase == "search":
        phase = max(beside, key=lambda source: timings.get(source, 0.0))
    half = timings[phase] / 2
    parts = {name: ms for name, ms in timings.items() if name.startswith(f"{phase}.")}
    large = [name for name, ms in parts.items() if ms >= half]
    starts = [name for name in large if name.startswith(f"{phase}.{_START}")]
    return max(starts or large, key=lambda name: parts[name], default=phase)


def in_words(phase: str) -> str:
    """A phase or a part of one as a person is told of it."""
    step, _, inner = phase.partition(".")
    if inner.startswith(_START):
        return f"waiting for the {inner.removeprefix(_START)} server to start"
    if inner == "model":
        return f"the language model ({step})"
    return _WORDS.get(phase, phase)
