"""What a tool is: its arguments, what it gives, who may call it, and what goes before and after."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, get_type_hints

from pydantic import TypeAdapter

from graphs.brain import Brain
from graphs.core.deps import Deps

type Tier = Literal["reader", "contributor", "librarian", "curator"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What a tool is given; each field says in the line below it what it is for."""

    __pydantic_config__: ClassVar = {"extra": "forbid", "use_attribute_docstrings": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoArguments(Arguments):
    """A tool that needs to be told nothing."""


@dataclass(slots=True)
class Session:
    """What one client calls in a row; ``called`` are the tools that have answered it."""

    brain: Brain
    called: list[str] = field(default_factory=list[str])

    @property
    def deps(self) -> Deps:
        return self.brain.deps


@dataclass(frozen=True, kw_only=True)
class Tool[A, R]:
    """One tool; ``run`` raises BrainError with words that a person, or a model, can act on.

    ``prerequisites`` are tools that are better called before, ``next_steps`` those that go on from
    its result; both are suggestions. ``hints`` say, by the name of an error, what else to try.
    """

    name: str
    title: str
    run: Callable[[Session, A], Awaitable[R]]
    tier: Tier = "reader"
    prerequisites: Sequence[str] = ()
    next_steps: Sequence[str] = ()
    hints: Mapping[str, str] = field(default_factory=dict[str, str])

    @cached_property
    def description(self) -> str:
        """What a model reads to choose among tools."""
        return inspect.cleandoc(self.run.__doc__ or "")

    @cached_property
    def arguments(self) -> TypeAdapter[A]:
        return TypeAdapter(self._types["given"])

    @cached_property
    def result(self) -> TypeAdapter[R]:
        return TypeAdapter(self._types["return"])

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        return self.arguments.json_schema()

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        return self.result.json_schema(mode="serialization")

    @property
    def _types(self) -> dict[str, Any]:
        return get_type_hints(self.run, include_extras=True)


def tool[A, R](
    title: str,
    *,
    tier: Tier = "reader",
    prerequisites: Sequence[str] = (),
    next_steps: Sequence[str] = (),
    hints: Mapping[str, str] | None = None,
) -> Callable[[Callable[[Session, A], Awaitable[R]]], Tool[A, R]]:
    """Make a tool of a function: its name, docstring and types are the tool's."""

    def made(run: Callable[[Session, A], Awaitable[R]]) -> Tool[A, R]:
        return Tool(
            name=run.__name__,
            title=title,
            run=run,
            tier=tier,
            prerequisites=prerequisites,
            next_steps=next_steps,
            hints=hints or {},
        )

    return made
