"""How suggested links fared with a person: accepted by type, and by what was promised. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import fmean

from tools.base.domain import SourceWarning
from tools.vault.storage.link_feedback import LinkDecision

_BOUNDS = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeAcceptance:
    """How many links were suggested with a type, None for those without, and how many accepted."""

    relation: str | None
    decided: int
    accepted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BandAcceptance:
    """The suggestions whose probability lay from ``lower`` to below ``upper``, 1.0 in the last.

    ``promised`` is their mean probability, to be compared with the share that was accepted.
    """

    lower: float
    upper: float
    decided: int
    accepted: int
    promised: float

    @property
    def share(self) -> float:
        return self.accepted / self.decided


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStats:
    """What is kept of a person's decisions on suggested links.

    ``retyped`` of those accepted were given another type than was suggested. ``since`` is the first
    decision, None without any; ``file`` is the name, in the data directory, of the file with them.
    """

    file: str
    decided: int
    accepted: int
    retyped: int
    since: datetime | None
    by_type: tuple[TypeAcceptance, ...]
    by_band: tuple[BandAcceptance, ...]
    warnings: tuple[SourceWarning, ...] = ()


def feedback_stats(
    decisions: Sequence[LinkDecision], *, file: str, warnings: Sequence[SourceWarning] = ()
) -> LinkStats:
    """Count; the type that was suggested most comes first, bands without a suggestion are none."""
    accepted = [one for one in decisions if one.accepted]
    types = {one.suggested: _of_type(decisions, one.suggested) for one in decisions}
    bands = [_of_band(decisions, *bounds) for bounds in pairwise(_BOUNDS)]
    return LinkStats(
        file=file,
        decided=len(decisions),
        accepted=len(accepted),
        retyped=sum(
            one.suggested is not None and one.chosen not in (None, one.suggested)
            for one in accepted
        ),
        since=min((one.at for one in decisions), default=None),
        by_type=tuple(sorted(types.values(), key=lambda one: (-one.decided, one.relation or ""))),
        by_band=tuple(band for band in bands if band is not None),
        warnings=tuple(warnings),
    )


def _of_type(decisions: Sequence[LinkDecision], relation: str | None) -> TypeAcceptance:
    inside = [one for one in decisions if one.suggested == relation]
    return TypeAcceptance(
        relation=relation, decided=len(inside), accepted=sum(one.accepted for one in inside)
    )


def _of_band(
    decisions: Sequence[LinkDecision], lower: float, upper: float
) -> BandAcceptance | None:
    last = upper == _BOUNDS[-1]
    inside = [
        one for one in decisions if lower <= one.probability and (last or one.probability < upper)
    ]
    if not inside:
        return None
    return BandAcceptance(
        lower=lower,
        upper=upper,
        decided=len(inside),
        accepted=sum(one.accepted for one in inside),
        promised=round(fmean(one.probability for one in inside), 3),
    )
