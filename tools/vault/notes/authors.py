"""Who wrote what a note is about, where it says so: notes on books, papers and other sources."""

from collections.abc import Mapping
from pathlib import Path

from tools.base.domain import Json
from tools.text.normalize import fold
from tools.text.stopwords import word_set
from tools.vault.notes import markdown
from tools.vault.notes.frontmatter import read_frontmatter
from tools.vault.notes.lines import read_lines

_ABOUT_SOURCES = word_set(
    "source literature reference book article paper study kaynak literatur kitap makale"
)
"""Types of notes (folded) that tell what somebody else wrote."""
_KEYS = ("author", "authors", "yazar", "yazarlar")
_FENCE = "---"


def read_authors(kinds: Mapping[str, str | None], *, root: Path, max_bytes: int) -> dict[str, str]:
    """Author and year by path, of those notes whose type says that they are about a source."""
    about = [path for path, kind in kinds.items() if kind and fold(kind) in _ABOUT_SOURCES]
    found: dict[str, str] = {}
    for path, lines in read_lines(about, root=root, max_bytes=max_bytes).items():
        if lines[0].rstrip() != _FENCE or _FENCE not in lines[1:]:
            continue
        head = lines[: lines.index(_FENCE, 1) + 1]
        properties = read_frontmatter(markdown.parse("\n".join(head)), head)[0]
        said = {key.casefold(): value for key, value in properties.items()}
        if author := next((name for key in _KEYS if (name := _names(said.get(key)))), ""):
            year = said.get("year")
            found[path] = f"{author} ({year})" if isinstance(year, int | str) else author
    return found


def _names(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(name for name in map(_names, value) if name)
    return " ".join(value.split()).strip("[]") if isinstance(value, str) else ""
