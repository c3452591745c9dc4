"""What a person decided on suggested links: whether its file can be used, and mending that."""

from graphs.operations.checks import Check
from tools.base.errors import BrainError
from tools.settings.settings import Settings
from tools.text.voice import counted
from tools.vault.storage.link_feedback import LinkFeedback


def examine_link_feedback(settings: Settings) -> Check:
    """Read the file; nothing is changed."""
    decisions, warnings = LinkFeedback(settings.link_feedback_path).read()
    if warnings:
        detail = " ".join(f"{one.error} {one.impact}" for one in warnings)
        return Check(name="link feedback", ok=False, detail=detail)
    learned = f"{counted(len(decisions), 'decision')} on suggested links to learn from."
    return Check(name="link feedback", ok=True, detail=learned if decisions else "None yet.")


def repair_link_feedback(settings: Settings) -> list[str]:
    """Set a damaged file aside; say what was done, or why nothing was."""
    if not settings.link_feedback_path.exists():
        return []
    try:
        done = LinkFeedback(settings.link_feedback_path).set_aside_if_damaged()
    except BrainError as error:  # no reason to leave the rest as it is
        return [str(error)]
    return [f"{one.error} {one.impact}" for one in done]
