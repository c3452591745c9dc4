"""What a tool is: its arguments, what it gives, who may call it, and what goes before and after."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Literal,
    TypeAliasType,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import TypeAdapter

from graphs.brain import Brain
from graphs.core.credentials import Credential, own_credential
from graphs.core.deps import Deps
from graphs.toolkit.arguments import Depth, Limit, NodeId, Share
from graphs.toolkit.audit_log.callers import Caller, caller
from graphs.toolkit.audit_log.log import AuditLog
from graphs.toolkit.audit_log.redaction import Rule
from graphs.toolkit.audit_log.vault_log import vault_log
from tools.graph.access.kinds import Tier, reaches
from tools.graph.access.secrets import Login

type Removal = Literal["nothing", "content", "notes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What a tool is given; each field says in the line below it what it is for."""

    __pydantic_config__: ClassVar = {"extra": "forbid", "use_attribute_docstrings": True}


@dataclass
class Session:
    """What one caller calls in a row; ``called`` are the tools that have answered it.

    ``login`` is what the database knows the caller by, and what its ``brain`` asks the graph with;
    without one it is the program's own, and only we hold the caller to its tier. ``tell`` hears how
    far a call is: how much is done, of how much if that is known, and what. To ``written`` a tool
    adds each path as soon as it has written it, for the audit log, also if it is cancelled then.
    """

    brain: Brain
    caller: Caller = field(default_factory=lambda: caller("python"))
    login: Login | None = None
    called: list[str] = field(default_factory=list[str])
    tell: Callable[[float, float | None, str], None] = lambda _, __, ___: None
    written: list[str] = field(default_factory=list[str])

    @property
    def deps(self) -> Deps:
        return self.brain.deps

    @property
    def author(self) -> str:
        """Who is told to have written what this session writes."""
        return self.caller.author

    @cached_property
    def log(self) -> AuditLog:
        """Where calls are told of."""
        return vault_log(self.brain.settings)


async def open_session(brain: Brain, client: str, credential: Credential) -> Session:
    """A session with the rights that somebody has proven, and no more."""
    login = credential.login
    own = brain if login is None else await brain.with_login(login)
    return Session(own, caller(client, tier=credential.tier), login=login)


class OwnSession:
    """The session of the one client of a process of ours, which has the rights of a tier."""

    def __init__(self, client: str, tier: Tier) -> None:
        self._client = client
        self._tier: Tier = tier
        self._session: Session | None = None

    async def over(self, brain: Brain) -> Session:
        """It, as long as the tier has the same login: it may be taken away, or expire, meanwhile.

        Raises InputError, AccessError and StorageError.
        """
        credential = await asyncio.to_thread(own_credential, brain.settings, self._tier)
        one = self._session
        if one is None or one.login != credential.login:
            self._session = one = await open_session(brain, self._client, credential)
        return one


@dataclass(frozen=True, kw_only=True)
class Tool[A, R]:
    """One tool; ``run`` raises BrainError with words that a person, or a model, can act on.

    ``prerequisites`` are tools that are better called before, ``next_steps`` those that go on from
    its result; both are suggestions. ``removes`` says what it takes away: the notes that it tells
    that it wrote, or something of what they say. ``hints`` say, by the name of an error, what else
    to try. ``looks_itself`` says that it brings the index
    up to date where it needs it, and tells what that lacks; for others this is done before they
    run.
    """

    name: str
    title: str
    run: Callable[[Session, A], Awaitable[R]]
    tier: Tier = "reader"
    removes: Removal = "nothing"
    prerequisites: Sequence[str] = ()
    next_steps: Sequence[str] = ()
    hints: Mapping[str, str] = field(default_factory=dict[str, str])
    looks_itself: bool = False

    @property
    def is_destructive(self) -> bool:
        return self.removes != "nothing"

    def is_open_to(self, tier: Tier) -> bool:
        return reaches(tier, self.tier)

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

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """What the audit log keeps of each argument; of texts nothing."""
        kinds = get_type_hints(self._types["given"], include_extras=True)
        return {name: _rule(kind) for name, kind in kinds.items() if not name.startswith("_")}

    @property
    def _types(self) -> dict[str, Any]:
        return get_type_hints(self.run, include_extras=True)


def _rule(kind: Any) -> Rule:
    if kind is NodeId:
        return "path"
    if get_origin(kind) in (Union, UnionType):
        kinds = [one for one in get_args(kind) if one is not NoneType]
        return _rule(kinds[0]) if len(kinds) == 1 else "text"
    choice = kind.__value__ if isinstance(kind, TypeAliasType) else kind
    if get_origin(choice) is Literal:
        return frozenset(get_args(choice))
    if kind in (int, bool, Depth, Limit, Share):
        return "number"
    return "text"


def tool[A, R](
    title: str,
    *,
    tier: Tier = "reader",
    removes: Removal = "nothing",
    prerequisites: Sequence[str] = (),
    next_steps: Sequence[str] = (),
    hints: Mapping[str, str] | None = None,
    looks_itself: bool = False,
) -> Callable[[Callable[[Session, A], Awaitable[R]]], Tool[A, R]]:
    """Make a tool of a function: its name, docstring and types are the tool's."""

    def made(run: Callable[[Session, A], Awaitable[R]]) -> Tool[A, R]:
        return Tool(
            name=run.__name__,
            title=title,
            run=run,
            tier=tier,
            removes=removes,
            prerequisites=prerequisites,
            next_steps=next_steps,
            hints=hints or {},
            looks_itself=looks_itself,
        )

    return made
