"""What this process is to its logs: one of ours with a name, or somebody's program that uses us."""

from tools.runtime.telemetry_off import silence_telemetry

_name: str | None = None


def name_process(name: str | None) -> None:
    """Say that this process is ours (None: not), before it imports much.

    Its libraries' warnings are ours to log, their telemetry is ours to turn off, and its garbage
    ours to collect; somebody's program that uses us is left as it was.
    """
    global _name  # noqa: PLW0603 - a process has one name
    _name = name
    if name is not None:
        silence_telemetry()


def process_name() -> str | None:
    """Our name for this process; None where it is not ours."""
    return _name
