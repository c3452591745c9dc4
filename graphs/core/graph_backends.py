"""Which database holds the graph: the embedded one, or that of ``BRAIN_GRAPH_URI``.

The program opens its own graph with its own login; a caller's connection has the login that the
caller showed, and the database decides what that may do.
"""

from functools import partial

from tools.graph.access.kinds import TIERS
from tools.graph.access.secrets import Login, owner_login
from tools.graph.access.tiers import Graphs, graphs_of, reads_main_only, user_name
from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.connection import CONTACT_SECONDS
from tools.graph.cypher.graphiti_models import GRAPH
from tools.graph.cypher.port import GraphBackend
from tools.runtime.services import ensure, graph_service
from tools.settings.settings import Settings

_NEO4J_HOME = "neo4j"
"""What the home database is called where nobody says otherwise."""


def graph_backend(settings: Settings) -> GraphBackend:
    """The database, not yet connected to."""
    match settings.graph_engine:
        case "embedded":
            return embedded_graph(settings, GRAPH)
        case "falkordb":
            return falkor_server(settings)
        case "neo4j":
            return neo4j_server(settings)


def graph_for(settings: Settings, login: Login, *, staging: bool = False) -> GraphBackend:
    """One of the vault's two graphs with a caller's login, not yet connected to.

    Whose login it is tells only how a question is worded; what it may do is the database's to say.
    """
    graphs = vault_graphs(settings)
    name = graphs.staging if staging else graphs.main
    if settings.graph_engine == "neo4j":
        return Neo4jBackend(
            str(settings.graph_uri),
            vault=settings.vault_mark,
            user=login.user,
            password=login.secret,
            database=name,
            contact_seconds=CONTACT_SECONDS,
        )
    # Others may ask by the command that can write, in which a new store is made.
    readers = {user_name(settings.vault_mark, tier) for tier in TIERS if reads_main_only(tier)}
    reads_only = login.user in readers and not staging
    if settings.graph_engine == "embedded":
        service = graph_service(settings)
        return FalkorBackend(
            service.socket,
            graph=name,
            ensure=lambda: ensure(service),
            user=login.user,
            password=login.secret,
            reads_only=reads_only,
        )
    return FalkorBackend(
        str(settings.graph_uri),
        graph=name,
        user=login.user,
        password=login.secret,
        reads_only=reads_only,
        contact_seconds=CONTACT_SECONDS,
    )


def staging_graph(settings: Settings, login: Login | None) -> GraphBackend:
    """The staging graph with a caller's login, or as its owner; not yet connected to."""
    if login is not None:
        return graph_for(settings, login, staging=True)
    name = vault_graphs(settings).staging
    match settings.graph_engine:
        case "embedded":
            return embedded_graph(settings, name)
        case "falkordb":
            return falkor_server(settings, graph=name)
        case "neo4j":
            return neo4j_server(settings, database=name)


def vault_graphs(settings: Settings) -> Graphs:
    """What the vault's graph and its staging graph are called in the database."""
    match settings.graph_engine:
        case "embedded":
            return graphs_of(GRAPH)
        case "falkordb":
            return graphs_of(settings.graph_database or settings.vault_mark)
        case "neo4j":
            return graphs_of(settings.graph_database or _NEO4J_HOME)


def embedded_graph(settings: Settings, graph: str) -> FalkorBackend:
    """A graph of the embedded server, as its owner."""
    service = graph_service(settings)
    return FalkorBackend(
        service.socket,
        graph=graph,
        ensure=lambda: ensure(service),
        login=partial(owner_login, settings.data_dir),
    )


def falkor_server(settings: Settings, *, graph: str | None = None) -> FalkorBackend:
    """The vault's graph on a FalkorDB server, or another, with the login of the settings."""
    return FalkorBackend(
        str(settings.graph_uri),
        graph=graph or vault_graphs(settings).main,
        user=settings.graph_user,
        password=_password(settings),
        contact_seconds=CONTACT_SECONDS,
    )


def neo4j_server(settings: Settings, *, database: str | None = None) -> Neo4jBackend:
    """The vault's database on a Neo4j server, or another, with the login of the settings."""
    return Neo4jBackend(
        str(settings.graph_uri),
        vault=settings.vault_mark,
        user=settings.graph_user,
        password=_password(settings),
        database=database or settings.graph_database,
        contact_seconds=CONTACT_SECONDS,
    )


def _password(settings: Settings) -> str | None:
    return settings.graph_password.get_secret_value() if settings.graph_password else None
