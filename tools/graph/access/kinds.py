"""The names of the tiers; what parses a command line needs no more of them."""

from typing import Literal, get_args

type Tier = Literal["reader", "contributor", "librarian", "curator"]

TIERS: tuple[Tier, ...] = get_args(Tier.__value__)
"""From the least to the most."""
