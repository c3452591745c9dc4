"""What a caller may do: each tier may do what those before it may."""

from typing import Literal

type Tier = Literal["reader", "contributor", "librarian", "curator"]
