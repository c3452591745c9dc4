"""Which database holds the graph: the embedded one, or that of ``BRAIN_GRAPH_URI``."""

from tools.graph.backends.falkor import FalkorBackend
from tools.graph.backends.neo4j import Neo4jBackend
from tools.graph.connection import CONTACT_SECONDS
from tools.graph.cypher.graphiti_models import GRAPH
from tools.graph.cypher.port import GraphBackend
from tools.runtime.services import ensure, graph_service
from tools.settings.settings import Settings


def graph_backend(settings: Settings) -> GraphBackend:
    """The database, not yet connected to."""
    password = settings.graph_password.get_secret_value() if settings.graph_password else None
    match settings.graph_engine:
        case "embedded":
            service = graph_service(settings)
            return FalkorBackend(service.socket, graph=GRAPH, ensure=lambda: ensure(service))
        case "falkordb":
            return FalkorBackend(
                str(settings.graph_uri),
                graph=settings.graph_database or settings.vault_mark,
                user=settings.graph_user,
                password=password,
                contact_seconds=CONTACT_SECONDS,
            )
        case "neo4j":
            return Neo4jBackend(
                str(settings.graph_uri),
                vault=settings.vault_mark,
                user=settings.graph_user,
                password=password,
                database=settings.graph_database,
                contact_seconds=CONTACT_SECONDS,
            )
