"""Which note a link means. Pure."""

from collections.abc import Callable, Iterable

from tools.folding import fold_name


def resolver(names: Iterable[tuple[str, str]]) -> Callable[[str], str | None]:
    """Make a look-up from a link's target as written to a note's path, or None.

    ``names`` are (folded name, path) pairs, the best note for a name last. As in Obsidian, the
    last parts of a path are enough, and a link that says too much falls back to its last part.
    """
    known: dict[str, str] = {}
    for folded, path in names:
        parts = folded.split("/")
        for start in range(1, len(parts)):
            known.setdefault("/".join(parts[start:]), path)
    known.update(names)

    def resolve(target: str) -> str | None:
        name = fold_name(target).lstrip("./")
        return known.get(name) or known.get(name.rsplit("/", 1)[-1])

    return resolve
