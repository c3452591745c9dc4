"""A vault in memory whose notes have versions, and its relations as short tuples."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from tools.base.domain import GraphRelation
from tools.graph.episodes import InferredFact
from tools.graph.model import NoteGraph
from tools.graph.projection import Successor, project
from tools.graph.relations import SUPERSEDES, relation_name
from tools.graph.versions import Dated, Statement, Version, VersionContent, date
from tools.text.normalize import fold_name

CREATED = datetime(2024, 1, 1, tzinfo=UTC)
SEEN = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass
class Vault:
    """Notes by name; every change of a note is a new version, dated and seen a day later."""

    versions: dict[str, list[Version]] = field(default_factory=dict[str, list[Version]])
    day: int = 0

    def write(
        self,
        name: str,
        *links: tuple[str | None, str],
        tags: Sequence[str] = (),
        created: datetime = CREATED,
        note_type: str | None = None,
        aliases: Sequence[str] = (),
    ) -> Version:
        """``links`` are (relation or None, target) pairs, one a line."""
        self.day += 1
        known = self.versions.setdefault(name, [])
        said = VersionContent(
            title=name,
            opening="",
            created=created,
            modified=created + timedelta(days=self.day) if known else None,
            aliases=tuple(aliases),
            note_type=note_type,
            statements=(
                *(_statement(relation, target, n) for n, (relation, target) in enumerate(links, 1)),
                *(_tagged(tag) for tag in tags),
            ),
        )
        known.append(
            Version(
                key=self.day,
                path=f"{name}.md",
                at=SEEN + timedelta(days=self.day),
                origin="seen",
                content_hash=f"{name} {self.day}",
                said=said,
            )
        )
        return known[-1]

    def delete(self, name: str) -> None:
        """End a note, if there is one."""
        self.day += 1
        known = self.versions.get(name, [])
        if known and known[-1].said:
            at = SEEN + timedelta(days=self.day)
            known.append(Version(key=self.day, path=f"{name}.md", at=at, origin="seen"))

    def dated(self, name: str) -> list[Dated]:
        return date(self.versions[name])

    def resolve(self, target: str) -> str | None:
        names: dict[str, str] = {}
        for name, versions in self.versions.items():
            aliases = [alias for v in versions if v.said for alias in v.said.aliases]
            names |= {fold_name(called): f"{name}.md" for called in (*aliases, name, f"{name}.md")}
        return names.get(fold_name(target))

    def graphs(self, *names: str, inferred: Sequence[InferredFact] | None = ()) -> list[NoteGraph]:
        """The named notes' parts of the graph, or all notes', with what was inferred from each."""
        return [
            project(
                f"{name}.md",
                self.dated(name),
                resolve=self.resolve,
                successors=[
                    Successor(path=f"{other}.md", versions=tuple(self.dated(other)))
                    for other in self.versions
                    if other != name
                ],
                inferred=inferred,
            )
            for name in names or self.versions
        ]


def _statement(relation: str | None, target: str, line: int) -> Statement:
    return Statement(
        relation=relation_name(relation) if relation else "LINKS_TO",
        target=target,
        kind="link",
        line=line,
        strength=0.9 if relation else 0.6,
    )


def _tagged(tag: str) -> Statement:
    return Statement(relation="TAGGED", target=tag, kind="tag", line=1, strength=0.4)


def said(relations: Sequence[GraphRelation]) -> list[tuple[str, str, str, str | None]]:
    return [(r.source_title, r.relation, r.target_title, r.target_path) for r in relations]


def supersedes(name: str) -> tuple[str, str]:
    return SUPERSEDES.lower(), name
