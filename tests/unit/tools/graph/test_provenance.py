"""Where a note says it comes from, and that notes which say nothing of it are as they were."""

from dataclasses import replace

import pytest

from tests.contract.vault import Vault
from tools.base.domain import Json
from tools.graph.provenance import Provenance, provenance_of
from tools.graph.versions import VersionContent, content_from_json


def test_it_is_read_however_its_names_are_spelled() -> None:
    stated: dict[str, Json] = {"Created-By": " Ada\n L. ", "SOURCE TYPE": "web", "confidence": 1}
    expected = Provenance(created_by="Ada L.", source_type="web", confidence=1.0)
    assert provenance_of(stated) == expected


@pytest.mark.parametrize("value", [True, -0.1, 1.1, "0.5", float("nan"), float("inf"), [0.5], None])
def test_a_confidence_that_is_none_is_not_stated(value: Json) -> None:
    assert provenance_of({"confidence": value, "created_by": ["x"], "source_type": ""}) is None


def test_it_is_kept_with_the_version_and_costs_others_nothing() -> None:
    plain = VersionContent(title="A", opening="")
    assert "provenance" not in plain.to_json()
    stated = replace(plain, provenance=Provenance(created_by="Ada", confidence=0.5))
    for content in (plain, stated):
        assert content_from_json(content.to_json()) == content


def test_a_note_that_states_it_is_another_and_others_keep_their_digests() -> None:
    vault = Vault()
    vault.write("A", (None, "B"))
    (plain,) = vault.graphs()
    assert "provenance" not in repr(plain.entity)
    last = vault.versions["A"][-1]
    assert last.said is not None
    for stated in (Provenance(created_by="Ada"), Provenance(confidence=0.5)):
        vault.versions["A"][-1] = replace(last, said=replace(last.said, provenance=stated))
        (graph,) = vault.graphs()
        assert graph.entity.provenance == stated
        assert graph.entity.digest != plain.entity.digest
