"""Kinds of arguments that several tools take, with their limits."""

from typing import Annotated

from pydantic import Field

type Text = Annotated[str, Field(min_length=1, max_length=2000)]
type NodeId = Annotated[str, Field(min_length=1, max_length=500)]
"""A note's path, title or alias, ``tag:NAME`` or ``name:NAME``."""
type Types = Annotated[tuple[Annotated[str, Field(max_length=100)], ...], Field(max_length=20)]
type Depth = Annotated[int, Field(ge=1, le=4)]
type Share = Annotated[float, Field(ge=0, le=1)]
type Limit = Annotated[int, Field(ge=1, le=100)]
type Cursor = Annotated[str, Field(max_length=200)] | None
type When = Annotated[str, Field(max_length=100)] | None
"""A date, a moment, or words such as "last March"."""
