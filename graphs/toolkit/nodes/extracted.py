"""What a note states, as entities and relations: as its projection reads it, without a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from graphs.core.deps import Deps
from graphs.toolkit.nodes.references import NAME, TAG, id_of, note_type
from tools.graph.model import Entity, NoteGraph
from tools.vault.catalog.records import NoteRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedEntity:
    type: str
    name: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedRelation:
    """From one node's id to another's."""

    __pydantic_config__: ClassVar = {"serialize_by_alias": True}

    source: Annotated[str, Field(serialization_alias="from")]
    relation: str
    target: Annotated[str, Field(serialization_alias="to")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The note itself comes first among the entities."""

    entities: tuple[ExtractedEntity, ...]
    relations: tuple[ExtractedRelation, ...]


def extracted_of(deps: Deps, graph: NoteGraph) -> Extracted:
    """The entities and relations of one note's part of the graph; it blocks."""
    records = deps.catalog.records([one.path for one in graph.others if one.path is not None])
    entities = {one.uuid: _entity(one, records) for one in (graph.entity, *graph.others)}
    return Extracted(
        entities=tuple(entities.values()),
        relations=tuple(
            ExtractedRelation(
                source=entities[one.source].id, relation=one.name, target=entities[one.target].id
            )
            for one in graph.relations
        ),
    )


def _entity(entity: Entity, records: Mapping[str, NoteRecord]) -> ExtractedEntity:
    record = records.get(entity.path or "")
    name = record.title if record else entity.name
    if entity.kind == "note":
        kind = note_type(record.note_type if record else entity.note_type)
    else:
        kind = TAG if entity.kind == "tag" else NAME
    return ExtractedEntity(type=kind, name=name, id=id_of(entity.name, entity.kind, entity.path))
