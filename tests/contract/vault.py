"""A vault in memory that a graph is made of, and its relations as short tuples."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from tools.domain import GraphRelation, Link, Note
from tools.folding import fold_name
from tools.graph.model import NoteGraph
from tools.graph.projection import project

CREATED = datetime(2024, 1, 1, tzinfo=UTC)
SEEN = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass
class Vault:
    """Notes by name; every change of a note is a new version, a day later."""

    notes: dict[str, Note] = field(default_factory=dict[str, Note])
    day: int = 0

    def write(
        self,
        name: str,
        *links: tuple[str | None, str],
        tags: Sequence[str] = (),
        created: datetime = CREATED,
        note_type: str | None = None,
        aliases: Sequence[str] = (),
    ) -> Note:
        """``links`` are (relation or None, target) pairs, one a line."""
        self.day += 1
        text = f"{links} {tags} {note_type} {aliases}"
        previous = self.notes.get(name)
        if previous is not None and previous.text == text:
            return previous
        self.notes[name] = Note(
            path=f"{name}.md",
            title=name,
            text=text,
            content_hash=f"{name} {text}",
            body_line=1,
            created=created,
            modified=created + timedelta(days=self.day),
            date_origin="frontmatter",
            tags=tuple(tags),
            links=tuple(
                Link(target=target, line=line, relation=relation)
                for line, (relation, target) in enumerate(links, start=1)
            ),
            note_type=note_type,
            aliases=tuple(aliases),
        )
        return self.notes[name]

    def resolve(self, target: str) -> str | None:
        names = {
            fold_name(called): note.path
            for name, note in self.notes.items()
            for called in (*note.aliases, name, note.path)
        }
        return names.get(fold_name(target))

    def graphs(self, *names: str) -> list[NoteGraph]:
        return [
            project(self.notes[name], resolve=self.resolve, seen_at=SEEN + timedelta(days=self.day))
            for name in names or self.notes
        ]


def said(relations: Sequence[GraphRelation]) -> list[tuple[str, str, str, str | None]]:
    return [(r.source_title, r.relation, r.target_title, r.target_path) for r in relations]
