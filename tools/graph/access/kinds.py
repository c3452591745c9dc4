"""The names of the tiers; what parses a command line needs no more of them."""

from typing import Literal, get_args

type Tier = Literal["reader", "contributor", "librarian", "curator"]

TIERS: tuple[Tier, ...] = get_args(Tier.__value__)
"""From the least to the most."""


def reaches(tier: Tier, needed: Tier) -> bool:
    """Whether who has a tier may do what another one may."""
    return TIERS.index(tier) >= TIERS.index(needed)


def known_tier(name: str) -> Tier | None:
    """The tier of that name; None where there is none."""
    known: dict[str, Tier] = {tier: tier for tier in TIERS}
    return known.get(name)
