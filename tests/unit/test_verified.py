"""What is quoted stands in its file now, at the line that is named."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from graphs.deps import Deps
from graphs.state import QueryState
from graphs.verifying import Verified, verify_results
from tools.domain import (
    Contradiction,
    ContradictionSide,
    Excerpt,
    GraphRelation,
    NoteMetadata,
    QueryPlan,
    Result,
)
from tools.vault.catalog import Catalog
from tools.vault.files import scan
from tools.vault.indexing import index_text, plan_changes

MOST = 100_000
PLAN = QueryPlan(
    query="Why do leaves turn yellow?",
    intent="causal",
    confidence=0.9,
    probabilities={"causal": 0.9},
    decided_by="local",
    reason="",
    concepts=("leaves",),
    subjects=(),
    start_date=None,
    end_date=None,
    similarity_threshold=0.6,
    limit=10,
    route=("graph", "semantic"),
    format="narrative",
)


def side(path: str, claim: str, line: int) -> ContradictionSide:
    return ContradictionSide(
        path=path, title=path, claim=claim, line=line, heading=None, timestamp=None
    )


def step(line: int) -> GraphRelation:
    return GraphRelation(
        source_title="Low EC",
        relation="CAUSES",
        target_title="Yellow leaves",
        source_path="Low EC.md",
        target_path="Yellow leaves.md",
        note_path="Low EC.md",
        line=line,
        strength=0.9,
    )


async def verified(
    vault: Path, data: Path, *, chain: tuple[GraphRelation, ...] = (), found: Contradiction
) -> Verified:
    catalog = Catalog(data / "index.db")
    files = scan(vault, max_bytes=MOST).files
    index_text(plan_changes(files, {}), root=vault, catalog=catalog, max_bytes=MOST, git={})
    deps = SimpleNamespace(
        catalog=catalog, settings=SimpleNamespace(vault=vault, max_note_bytes=MOST)
    )
    result = Result(
        note_path="Low EC.md",
        note_title="Low EC",
        relevance_score=0.5,
        composite_relevance=0.5,
        tier="somewhat_relevant",
        sources=("graph",),
        primary_source="graph",
        match_types=("chain",),
        excerpts=(Excerpt(text="Low EC", line_start=1, line_end=1),),
        metadata=NoteMetadata(created_date=None, modified_date=None, building_block=None),
        chain=chain,
    )
    state = {"plan": PLAN, "merged": (result,), "contradictions": (found,)}
    try:
        return await verify_results(cast("QueryState", state), cast("Deps", deps))
    finally:
        catalog.close()


CLASH = Contradiction(
    note_a=side("Low EC.md", "Low EC makes leaves yellow.", 2),
    note_b=side("Yellow leaves.md", "Low EC does not make leaves yellow.", 1),
    confidence=0.9,
    similarity=0.9,
    type="negation",
    newer="unknown",
    explanation="",
    decided_by="local",
)


async def test_a_contradiction_names_the_line_where_its_claim_stands_now(
    tmp_path: Path, write_vault: Callable[[dict[str, str]], Path]
) -> None:
    vault = write_vault(
        {
            "Low EC.md": "# Low EC\n\nNew words.\n\nLow EC makes\nleaves yellow.\n",
            "Yellow leaves.md": "Low EC does not make leaves yellow.\n",
        }
    )
    (found,) = (await verified(vault, tmp_path, found=CLASH)).contradictions
    assert (found.note_a.line, found.note_b.line) == (5, 1)


async def test_a_contradiction_whose_claim_is_gone_is_dropped(
    tmp_path: Path, write_vault: Callable[[dict[str, str]], Path]
) -> None:
    vault = write_vault({"Low EC.md": "# Low EC\n", "Yellow leaves.md": CLASH.note_b.claim})
    assert (await verified(vault, tmp_path, found=CLASH)).contradictions == ()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("# Low EC\n\ncauses:: [[Yellow leaves]]\n", True),
        ("# Low EC\n\ncauses:: [[Pale foliage]]\n", True),
        ("# Low EC\n\nLow EC causes nothing.\n", False),
    ],
)
async def test_a_link_is_told_only_while_the_note_names_its_other_end(
    tmp_path: Path, write_vault: Callable[[dict[str, str]], Path], text: str, *, kept: bool
) -> None:
    other = "---\naliases: [Pale foliage]\n---\nYellow.\n"
    vault = write_vault({"Low EC.md": text, "Yellow leaves.md": other})
    (result,) = (await verified(vault, tmp_path, chain=(step(3),), found=CLASH)).results
    assert bool(result.chain) is kept
