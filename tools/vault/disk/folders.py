"""Which notes are looked at when only some folders of the vault are."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Folders:
    """Some folders by their vault-relative paths, or the whole vault when there are none."""

    paths: tuple[str, ...] = ()

    @property
    def mark(self) -> str:
        """What tells them from others, in whatever order and however written they are given."""
        return json.dumps(sorted({path.strip("/") for path in self.paths})) if self.paths else ""

    def __contains__(self, note_path: str) -> bool:
        """Whether a note is in one of them."""
        inside = tuple(f"{path.strip('/')}/" for path in self.paths)
        return not inside or note_path.startswith(inside)
