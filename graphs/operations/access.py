"""``brain access``: the tiers' users in the graph database, and the file with their secrets."""

import secrets as randomness
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from graphs.core.graph_backends import (
    embedded_graph,
    falkor_server,
    neo4j_server,
    vault_graphs,
)
from graphs.stores.exclusive import exclusive
from graphs.stores.ownership import claim, require_writable
from tools.base.errors import (
    InputError,
    LoginRefusedError,
    NotPermittedError,
    RefusedError,
    ServiceUnavailableError,
    SourceError,
)
from tools.graph.access import neo4j_roles
from tools.graph.access.kinds import TIERS, Tier
from tools.graph.access.secrets import (
    LOCK,
    USERS,
    Login,
    Secrets,
    are_private,
    read_secrets,
    write_secrets,
)
from tools.graph.access.tiers import (
    FALKORDB,
    NEO4J_COMMUNITY,
    NEO4J_ENTERPRISE,
    OWNER,
    Enforcement,
    owner_rules,
    user_name,
    user_rules,
)
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.falkor_users import FalkorUsers, is_open, is_there
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.cypher.graphiti_models import GRAPH
from tools.runtime.services import ensure, graph_service, stop
from tools.settings.settings import Settings

_SECRET_BYTES = 32
_PATIENCE_SECONDS = 20.0
_NOT_KEPT = (
    "The server has no file for its users (`aclfile`), so a restart of it forgets them: run "
    "`brain access provision` again then, which keeps the secrets."
)
_OPEN = (
    "Everybody who reaches the server is its administrator, since its user `default` has no "
    "password: no tier separates anything before it has one."
)
_SAME_USER = (
    "The tiers bind who has no more than a tier's secret. Programs of your own user of this "
    "machine can read the file with all secrets, and the database's files."
)
_NOT_PRIVATE = (
    "Other users of this machine may have read the secrets, for access.json is open to them: "
    "delete it and run `brain access provision`, which makes new ones."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TierStatus:
    """One tier: its user, whether the database has it with our secret, and what binds it.

    Its token holds until it ``expires``; one that is made anew does so for ``days``, 0 for good.
    """

    tier: Tier
    user: str
    exists: bool
    expires: datetime | None
    days: int
    may: str
    database: str
    program: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The tiers of a vault in its database; ``separates`` says whether that can tell them apart."""

    engine: str
    separates: bool
    graph: str
    staging: str
    tiers: tuple[TierStatus, ...]
    remarks: tuple[str, ...]


async def provision(settings: Settings, *, days: int | None = None) -> Access:
    """Make the users of all tiers, or make them what they should be.

    Known secrets stay until they expire, in so many ``days`` from now where a number is given,
    which is kept for secrets to come; 0 is never.
    Raises SourceError where the database cannot separate tiers or does not let us, InputError while
    another process does the same, StorageError where the secrets cannot be kept.
    """
    require_writable(settings)
    claim(settings)
    with _alone(settings):
        wanted, stale = _wanted(settings, days), _stale(settings)
        match settings.graph_engine:
            case "embedded":
                # First the file, or a crash would leave a server that nobody can log in to.
                write_secrets(settings.data_dir, wanted)
                await _provision_embedded(settings, wanted, stale)
            case "falkordb":
                async with FalkorUsers(falkor_server(settings)) as server:
                    await server.users()  # nothing is kept where nothing may be changed
                    write_secrets(settings.data_dir, wanted)
                    await _provision_falkor(server, settings, wanted, stale)
            case "neo4j":
                await _provision_neo4j(settings, wanted)
    return await show(settings)


async def revoke(settings: Settings, tier: Tier) -> bool:
    """Remove a tier's user, ending its connections, and its secret; say whether there was one."""
    require_writable(settings)
    claim(settings)
    with _alone(settings):
        known = read_secrets(settings.data_dir)
        login = known.tiers.get(tier)
        user = user_name(settings.vault_mark, tier)
        if settings.graph_engine == "neo4j":
            was = await _revoke_neo4j(settings, tier)
        else:
            async with FalkorUsers(_falkor(settings)) as server:
                was = await server.delete([user, *([] if login is None else [login.user])])
                await server.save()
        left = {other: one for other, one in known.tiers.items() if other != tier}
        if login is not None:
            write_secrets(settings.data_dir, replace(known, tiers=left))
    return was or login is not None


async def show(settings: Settings) -> Access:
    """Which tiers exist, and what enforces each. Raises SourceError where nobody can say."""
    known = read_secrets(settings.data_dir)
    graphs = vault_graphs(settings)
    remarks: list[str] = []
    if settings.graph_engine == "neo4j":
        edition, users = await _neo4j_users(settings)
        separates = edition != "community"
        kinds = NEO4J_ENTERPRISE
        if not separates:
            remarks.append(NEO4J_COMMUNITY)
        there = {tier for tier, login in known.tiers.items() if login.user in users}
    else:
        async with FalkorUsers(_falkor(settings)) as server:
            lines = await server.users()
            kept = await server.keeps_users()
        there = {tier for tier, one in known.tiers.items() if is_there(one, lines)}
        lets_all_in = is_open(lines)
        separates = bool(there) and not lets_all_in
        kinds = FALKORDB
        if lets_all_in and (there or settings.graph_engine == "falkordb"):
            remarks.append(_OPEN)
        if there and not kept:
            remarks.append(_NOT_KEPT)
    if settings.graph_engine == "embedded":
        remarks.append(_SAME_USER)
    if not are_private(settings.data_dir):
        remarks.append(_NOT_PRIVATE)
    return Access(
        engine=settings.graph_engine,
        separates=separates,
        graph=graphs.main,
        staging=graphs.staging,
        tiers=tuple(_status(settings, kind, known, exists=kind.tier in there) for kind in kinds),
        remarks=tuple(remarks),
    )


def script(settings: Settings) -> str:
    """What an administrator of the server runs instead of us, without any secret in it.

    The secrets are made and kept, since they or their hashes go with it. Raises as ``provision``.
    """
    require_writable(settings)
    claim(settings)
    graphs, mark = vault_graphs(settings), settings.vault_mark
    with _alone(settings):
        wanted = _wanted(settings)
        write_secrets(settings.data_dir, wanted)
    if settings.graph_engine == "neo4j":
        return neo4j_roles.script(mark, graphs)
    users = {
        login.user: user_rules(tier, graphs, secret=login.secret)
        for tier, login in wanted.tiers.items()
    }
    if wanted.owner is not None:
        users[OWNER] = owner_rules(secret=wanted.owner)
    lines = (
        f"ACL SETUSER {user} " + " ".join(f'"{rule}"' for rule in rules)
        for user, rules in users.items()
    )
    return "\n".join((*lines, "ACL SAVE", ""))


# --- what is wanted ----------------------------------------------------------------------------


def _alone(settings: Settings) -> AbstractContextManager[None]:
    busy = "Another process changes the access tiers just now: try again."
    return exclusive(settings.data_dir / LOCK, patience=_PATIENCE_SECONDS, busy=busy)


def _wanted(settings: Settings, days: int | None = None) -> Secrets:
    """The logins that there are of this vault, and new ones for those missing or expired.

    Without ``days`` a new one holds as long as the last one of its tier did.
    """
    known, now = read_secrets(settings.data_dir), datetime.now(UTC)
    lifetimes = dict(known.days if days is None else dict.fromkeys(TIERS, days))
    tiers: dict[Tier, Login] = {}
    for tier in TIERS:
        user, login = user_name(settings.vault_mark, tier), known.tiers.get(tier)
        is_new = login is None or login.user != user or login.has_expired(now)
        if login is not None and login.expires and is_new and tier not in lifetimes:
            raise InputError(
                f"The {tier}'s token has expired, and for how long the next one holds is not "
                "known: give it with --days, 0 for good."
            )
        if login is None or is_new:
            login = Login(user=user, secret=randomness.token_urlsafe(_SECRET_BYTES))
        if is_new or days is not None:
            holds = lifetimes.get(tier, 0)
            login = replace(login, expires=now + timedelta(days=holds) if holds else None)
        tiers[tier] = login
    embedded = settings.graph_engine == "embedded"
    owner = known.owner or (randomness.token_urlsafe(_SECRET_BYTES) if embedded else None)
    return Secrets(owner=owner, tiers=tiers, days=lifetimes)


def _stale(settings: Settings) -> list[str]:
    """Users that are called after where the vault was before."""
    known = read_secrets(settings.data_dir).tiers.items()
    return [one.user for tier, one in known if one.user != user_name(settings.vault_mark, tier)]


def _status(settings: Settings, kind: Enforcement, known: Secrets, *, exists: bool) -> TierStatus:
    login = known.tiers.get(kind.tier)
    return TierStatus(
        tier=kind.tier,
        user=user_name(settings.vault_mark, kind.tier),
        exists=exists,
        expires=login.expires if exists and login is not None else None,
        days=known.days.get(kind.tier, 0),
        may=kind.may,
        database=kind.database,
        program=kind.program,
    )


# --- FalkorDB ----------------------------------------------------------------------------------


def _falkor(settings: Settings) -> FalkorBackend:
    embedded = settings.graph_engine == "embedded"
    return embedded_graph(settings, GRAPH) if embedded else falkor_server(settings)


async def _provision_embedded(settings: Settings, wanted: Secrets, stale: Sequence[str]) -> None:
    service = graph_service(settings)
    for last in (False, True):
        try:
            await ensure(service)
            async with FalkorUsers(_falkor(settings)) as server:
                if await _provision_falkor(server, settings, wanted, stale):
                    return
        except (LoginRefusedError, ServiceUnavailableError):
            if last:
                raise
            # The owner's secret was lost; whoever has the server's files is its owner.
            (settings.data_dir / USERS).unlink(missing_ok=True)
        # An earlier program may have started it, without a file for its users.
        await stop(service)
    raise SourceError("The embedded graph server keeps no users: run `brain stop` and try again.")


async def _provision_falkor(
    server: FalkorUsers, settings: Settings, wanted: Secrets, stale: Sequence[str]
) -> bool:
    """Make the users what they should be; say whether they survive the server's end."""
    graphs, lines = vault_graphs(settings), await server.users()
    was_open = is_open(lines)
    if stale:
        await server.delete(stale)
    for tier, login in wanted.tiers.items():
        if not is_there(login, lines):  # one that has another secret by now is no longer let in
            await server.delete([login.user])
        await server.set_user(login.user, user_rules(tier, graphs, secret=login.secret))
    if wanted.owner is not None:
        await server.set_user(OWNER, owner_rules(secret=wanted.owner))
    kept = await server.save()
    if was_open and wanted.owner is not None:
        await server.end_connections(OWNER)
    return kept


# --- Neo4j -------------------------------------------------------------------------------------


async def _provision_neo4j(settings: Settings, wanted: Secrets) -> None:
    edition, _ = await _neo4j_users(settings)
    if edition == "community":
        raise InputError(NEO4J_COMMUNITY)
    write_secrets(settings.data_dir, wanted)
    server = neo4j_server(settings)
    try:
        for statement in neo4j_roles.role_statements(settings.vault_mark, vault_graphs(settings)):
            given = {t: one.secret for t, one in wanted.tiers.items() if f"${t} " in statement}
            await server.administer(statement, **given)
    finally:
        await server.close()


async def _revoke_neo4j(settings: Settings, tier: Tier) -> bool:
    edition, users = await _neo4j_users(settings)
    if edition == "community":
        raise InputError(NEO4J_COMMUNITY)
    server = neo4j_server(settings)
    try:
        for statement in neo4j_roles.revoke_statements(settings.vault_mark, tier):
            await server.administer(statement)
    finally:
        await server.close()
    return user_name(settings.vault_mark, tier) in users


async def _neo4j_users(settings: Settings) -> tuple[str, set[str]]:
    """The edition of the server, and who may log in."""
    server: Neo4jBackend = neo4j_server(settings)
    try:
        rows = await server.administer("CALL dbms.components() YIELD edition RETURN edition")
        edition = str(rows[0][0]) if rows else ""
        try:
            users = await server.administer("SHOW USERS YIELD user RETURN user")
        except (RefusedError, NotPermittedError):
            users = []
    finally:
        await server.close()
    return edition, {str(user) for (user,) in users}
