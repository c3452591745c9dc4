"""Learning from what a person accepts and rejects of suggested links.

Nothing of it leaves the machine. What cannot be kept or read is told in a warning and stops
nothing. All of it blocks.
"""

from collections.abc import Callable, Iterable, Set
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from agents.linker import personal
from agents.linker.ranking import Ranking
from graphs.stores.ownership import require_writable
from tools.base.domain import SourceWarning
from tools.base.errors import BrainError
from tools.links.feedback_stats import LinkStats, feedback_stats
from tools.links.suggestion import LinkSuggestion
from tools.settings.settings import Settings
from tools.vault.storage.link_feedback import LinkDecision, LinkFeedback

_NOT_KEPT = "What you decided just now is not learned from; all else is done."
_NOT_FORGOTTEN = "What you took back just now is still learned from; all else is done."


def decision_on(one: LinkSuggestion, *, of: str, chosen: str | None, at: datetime) -> LinkDecision:
    """What was decided on a suggestion for the note at ``of``; with a type it was accepted."""
    return LinkDecision(
        at=at,
        source=of,
        target=one.note_path,
        accepted=chosen is not None,
        probability=one.probability,
        suggested=one.relation and one.relation.relation,
        chosen=chosen,
        features=one.features,
    )


def learn(settings: Settings, decisions: Iterable[LinkDecision]) -> tuple[SourceWarning, ...]:
    """Keep decisions, by which the next suggestions are ranked; say what could not be kept."""
    return _changed(settings, lambda feedback: feedback.add(decisions), otherwise=_NOT_KEPT)


def withdraw(
    settings: Settings, source: str, target: str, *, accepted: bool
) -> tuple[SourceWarning, ...]:
    """Forget the last such decision on a link, for it was taken back; say why it was not."""

    def forget(feedback: LinkFeedback) -> tuple[SourceWarning, ...]:
        feedback.withdraw(source, target, accepted=accepted)
        return ()

    return _changed(settings, forget, otherwise=_NOT_FORGOTTEN)


def personal_ranking(settings: Settings) -> tuple[Ranking, tuple[SourceWarning, ...]]:
    """The ranking that fits what was decided, and what of that could not be read."""
    path = settings.link_feedback_path
    return _fitted(path, _stamp(path))


def rejected_pairs(settings: Settings) -> Set[frozenset[str]]:
    """The two notes, by path, of each suggestion that was rejected and not accepted since."""
    path = settings.link_feedback_path
    return _rejected(path, _stamp(path))


def link_stats(settings: Settings) -> LinkStats:
    """How the suggestions fared that were decided on; nothing is written."""
    path = settings.link_feedback_path
    decisions, warnings = LinkFeedback(path).read()
    return feedback_stats(decisions, file=path.name, warnings=warnings)


def _changed(
    settings: Settings,
    change: Callable[[LinkFeedback], tuple[SourceWarning, ...]],
    *,
    otherwise: str,
) -> tuple[SourceWarning, ...]:
    try:
        require_writable(settings)
        return change(LinkFeedback(settings.link_feedback_path))
    except BrainError as error:
        return (SourceWarning(source="link feedback", error=str(error), impact=otherwise),)


@lru_cache(maxsize=8)
def _fitted(path: Path, _: tuple[int, ...]) -> tuple[Ranking, tuple[SourceWarning, ...]]:
    decisions, warnings = LinkFeedback(path).read()
    return personal.personal_ranking(decisions), warnings


@lru_cache(maxsize=8)
def _rejected(path: Path, _: tuple[int, ...]) -> Set[frozenset[str]]:
    decisions, _warnings = LinkFeedback(path).read()
    last = {frozenset((one.source, one.target)): one.accepted for one in decisions}
    return {pair for pair, accepted in last.items() if not accepted}


def _stamp(path: Path) -> tuple[int, ...]:
    """What changes with the file; reading tells what is wrong with one that has none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
