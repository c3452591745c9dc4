"""Where a question goes on: asked back, to the catalog, or to its sources. Pure."""

from langgraph.runtime import Runtime

from agents.interpreter.clarification import clarification
from graphs.core.state import QueryContext, QueryState
from tools.base.domain import QueryPlan


def context_of(runtime: Runtime[QueryContext]) -> QueryContext:
    """The run's knobs; a run started without any gets the defaults."""
    return runtime.context or QueryContext()


def goes_on(plan: QueryPlan, context: QueryContext) -> str | list[str]:
    """Ask back what is unclear (where nobody can, ``clarify`` says so), ask for consent, search."""
    if clarification(plan) is not None:
        return "clarify"
    if context.interactive and not context.yolo:
        return "confirm"
    return _asked(plan)


def after_interpret(state: QueryState, runtime: Runtime[QueryContext]) -> str | list[str]:
    """As ``goes_on``."""
    return goes_on(state["plan"], context_of(runtime))


def after_clarify(state: QueryState, runtime: Runtime[QueryContext]) -> str | list[str]:
    """Go on; the choice of a comparison may leave its second subject open."""
    context = context_of(runtime)
    if context.interactive:
        return goes_on(state["plan"], context)
    return _asked(state["plan"])


def after_confirm(state: QueryState) -> str | list[str]:
    """Search, or end with what was declined."""
    return "check" if state["declined"] else _asked(state["plan"])


def _asked(plan: QueryPlan) -> list[str]:
    """What answers: the catalog what is asked of the vault itself, else the sources."""
    return ["catalog"] if plan.vault else list(plan.route)
