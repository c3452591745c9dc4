"""The notes whose very name is what is asked: "spaced repetition", "What is Agora?"."""

from agents.interpreter.search_targets import wanted
from agents.interpreter.wording.whole_names import whole_name
from graphs.core.deps import Deps
from tools.base.domain import QueryPlan


def exact_title_matches(plan: QueryPlan, deps: Deps) -> tuple[str, ...]:
    """Paths of the notes with the longest name that is all the question asks for, best first.

    Of a name whose sense was chosen they are the notes of that sense.
    """
    if plan.sense is not None:
        return plan.sense.notes
    name = whole_name(wanted(plan), deps.catalog.name_set())
    return deps.catalog.resolve(name) if name else ()
