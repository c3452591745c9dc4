"""What this process is to its logs: one of ours with a name, or somebody's program that uses us."""

_name: str | None = None


def name_process(name: str | None) -> None:
    """Say that this process is ours (None: not): its libraries' warnings are ours to log, too."""
    global _name  # noqa: PLW0603 - a process has one name
    _name = name


def process_name() -> str | None:
    """Our name for this process; None where it is not ours."""
    return _name
