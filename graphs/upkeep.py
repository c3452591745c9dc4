"""What can be done before LangGraph is loaded: start the servers, see whether to index at all."""

from graphs.state import IngestReport
from tools.services import graph_service, is_running, launch, semantic_service
from tools.settings import Settings
from tools.vault.catalog import Catalog
from tools.vault.files import scan
from tools.vault.indexing import plan_changes


def start_servers(settings: Settings) -> None:
    """Start the local servers that are not running, without waiting for them."""
    for service in (semantic_service(settings), graph_service(settings)):
        if not is_running(service):
            launch(service)


def nothing_to_do(settings: Settings) -> IngestReport | None:
    """Report of a run that found every store up to date, or None when a run is needed."""
    if not all(path.exists() for path in (settings.chroma_dir, settings.graph_dir)):
        return None
    catalog = Catalog(settings.index_path)
    try:
        found = scan(settings.vault, folders=settings.folders, max_bytes=settings.max_note_bytes)
        indexed, problems = catalog.files(), tuple(catalog.problems())
        plan = plan_changes(found.files, indexed)
        left_out = {problem for problem in problems if problem.note_path not in indexed}
        counts = catalog.counts()
        behind = (
            *(plan.read, plan.remove, left_out ^ set(found.problems), catalog.vectors_unused()),
            *(counts.vectors_pending, counts.graph_pending),
        )
        if any(behind) or catalog.encoder() != settings.embedding_model:
            return None
        return IngestReport(notes=counts.notes, unchanged=plan.unchanged, problems=problems)
    finally:
        catalog.close()
