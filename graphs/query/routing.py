"""Where a question goes on: asked back, to the catalog, or to its sources. Pure."""

from collections.abc import Sequence

from langgraph.runtime import Runtime
from langgraph.types import Send

from agents.interpreter.clarification import clarification
from agents.interpreter.search_targets import parts
from graphs.core.state import QueryContext, QueryState
from tools.base.domain import QueryPlan

type Route = str | Sequence[str | Send]


def context_of(runtime: Runtime[QueryContext]) -> QueryContext:
    """The run's knobs; a run started without any gets the defaults."""
    return runtime.context or QueryContext()


def searches_now(plan: QueryPlan, context: QueryContext) -> bool:
    """Whether a question that was read is searched for, with nothing to ask before."""
    asks = clarification(plan) is not None or (context.interactive and not context.yolo)
    return not asks and not plan.vault


def after_interpret(state: QueryState, runtime: Runtime[QueryContext]) -> Route:
    """Ask back what is unclear (where nobody can, ``clarify`` says so), ask for consent, search."""
    if clarification(state["plan"]) is not None:
        return "clarify"
    return _consent(state["plan"], context_of(runtime))


def after_clarify(state: QueryState, runtime: Runtime[QueryContext]) -> Route:
    """Go on; the choice of a comparison may leave its second subject open."""
    if context_of(runtime).interactive:
        return after_interpret(state, runtime)
    return _asked(state["plan"])


def after_confirm(state: QueryState) -> Route:
    """Search, or end with what was declined."""
    return "finish" if state["declined"] else _asked(state["plan"])


def after_merge(_: QueryState, runtime: Runtime[QueryContext]) -> str:
    """Read the notes found, unless they are all that is wanted."""
    return "verify" if context_of(runtime).until == "found" else "read"


def after_read(_: QueryState, runtime: Runtime[QueryContext]) -> str:
    """Hold what was read against each other, unless notes are all that is wanted."""
    return "answer" if context_of(runtime).until == "read" else "judge"


def _consent(plan: QueryPlan, context: QueryContext) -> Route:
    return "confirm" if context.interactive and not context.yolo else _asked(plan)


def _asked(plan: QueryPlan) -> Sequence[str | Send]:
    """What answers: the catalog what is asked of the vault itself, else the sources.

    Of a comparison each source is asked for each subject by itself, and for the whole.
    """
    if plan.vault:
        return ["catalog"]
    apart = parts(plan)
    if not apart:
        return [*plan.route]
    return [Send(source, {"plan": plan, "part": part}) for source in plan.route for part in apart]
