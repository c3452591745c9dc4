"""What a model inferred, as far as its file can be read: nothing else has to wait for it."""

from collections.abc import Callable, Mapping, Sequence

from tools.base.domain import SourceWarning
from tools.base.errors import StorageError, StoreVersionError
from tools.graph.episodes import InferredFact
from tools.graph.extraction.store import InferredStore

SOURCE = "inferred facts"
"""Who is named in a warning."""
_KEPT = "What the graph holds of them stays as it is; all else is up to date."
_NONE_KEPT = "The rebuilt graph holds none of them until then; all else is up to date."


class InferredFacts:
    """The file as one run finds it; after its first failure it is not asked again."""

    def __init__(self, store: InferredStore) -> None:
        self._store = store
        self._problem: str | None = None

    @property
    def readable(self) -> bool:
        """Whether nothing has failed yet."""
        return self._problem is None

    def changed(self) -> Mapping[str, int]:
        """Notes whose facts changed since they were acknowledged, with stamps, as far as known."""
        return self._asked(self._store.changed) or {}

    def of(self, paths: Sequence[str]) -> Mapping[str, Sequence[InferredFact]] | None:
        """The facts of each of these notes that has some; None where nobody can tell."""
        facts = self._asked(lambda: self._store.facts(paths))
        if facts is None:
            return None
        found: dict[str, list[InferredFact]] = {}
        for fact in facts:
            found.setdefault(fact.note_path, []).append(fact)
        return found

    def acknowledge(self, changed: Mapping[str, int]) -> None:
        """Say that these changes are in the graph, if that can be written down."""
        self._asked(lambda: self._store.acknowledge(changed))

    def warnings(self, *, rebuilt: bool = False) -> tuple[SourceWarning, ...]:
        """What is lacking for what failed; ``rebuilt`` where the graph was emptied before."""
        if self._problem is None:
            return ()
        impact = _NONE_KEPT if rebuilt else _KEPT
        return (SourceWarning(source=SOURCE, error=self._problem, impact=impact),)

    def _asked[T](self, ask: Callable[[], T]) -> T | None:
        if self._problem is not None:
            return None
        try:
            return ask()
        except (StorageError, StoreVersionError) as error:
            self._problem = str(error)
            return None


def inferred_warnings(store: InferredStore) -> tuple[SourceWarning, ...]:
    """What a question lacks for a file that cannot be read; nothing where there is none."""
    facts = InferredFacts(store)
    facts.changed()
    return facts.warnings()
