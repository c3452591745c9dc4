"""A reading by a model, in words."""

from tools.graph.extraction.job import ExtractionJob


def job_in_words(job: ExtractionJob, *, under_way: bool) -> str:
    """How far a run is, in one line; for `brain status` too."""
    done = f"{job.notes_done} of {job.notes} notes"
    failed = f", {job.notes_failed} given up" if job.notes_failed else ""
    said = f" Last problem: {job.error}" if job.error else ""
    if under_way:
        left = job.seconds_left
        rate = f", {job.seconds_per_part:.0f} s a part" if job.seconds_per_part else ""
        when = f", about {in_words(left)} left" if left is not None else ""
        return f"{done}{failed}{rate}{when}.{said}"
    match job.state:
        case "waiting":
            return f"{done}, waiting to begin."
        case "finished":
            return f"{done}{failed}, done.{said}"
        case "stopped":
            return f"{done}{failed}, ended early. {job.error or ''} Start it again to go on."
        case "running":
            return f"{done}{failed}, interrupted. Start it again to go on."


def in_words(seconds: float) -> str:
    """A length of time as one would say it."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
