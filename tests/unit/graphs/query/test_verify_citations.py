"""What is quoted stands in its file now, at the line that is named."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import cast

import pytest

from graphs.core.deps import Deps
from graphs.core.state import QueryState
from graphs.query.verify_citations import Verified, verify_results
from tests.support.values.results import a_contradiction, a_plan, a_relation, a_result, a_side
from tools.base.domain import (
    Contradiction,
    Excerpt,
    GraphRelation,
    Marked,
    QueryPlan,
    Reading,
)
from tools.vault.catalog.catalog import Catalog
from tools.vault.disk.files import scan
from tools.vault.history.history import History
from tools.vault.indexing.indexing import index_text, plan_changes

MOST = 100_000
SEEN = datetime(2025, 1, 1, tzinfo=UTC)
LOW = Excerpt(text="Low EC", line_start=1, line_end=1)
PLAN = a_plan(query="Why do leaves turn yellow?", intent="causal", concepts=("leaves",))


def step(line: int) -> GraphRelation:
    return a_relation("Low EC", "CAUSES", "Yellow leaves", line=line)


async def verified(
    vault: Path,
    data: Path,
    *,
    chain: tuple[GraphRelation, ...] = (),
    found: Contradiction | None = None,
    plan: QueryPlan = PLAN,
    quoted: Mapping[str, Excerpt] = MappingProxyType({"Low EC.md": LOW}),
) -> Verified:
    catalog = Catalog(data / "index.db")
    files = scan(vault, max_bytes=MOST).files
    history = History(data / "history.db")
    index_text(
        plan_changes(files, {}),
        root=vault,
        catalog=catalog,
        history=history,
        seen_at=SEEN,
        max_bytes=MOST,
        git={},
    )

    async def unread(texts: Sequence[Marked], reading: Reading) -> None:
        """No reader, as where the semantic server does not run."""

    deps = SimpleNamespace(
        catalog=catalog,
        settings=SimpleNamespace(
            vault=vault, data_dir=vault, encoder="all-MiniLM-L6-v2", max_note_bytes=MOST
        ),
        rerank=None,
        weigh=unread,
    )
    merged = [a_result(path, excerpts=(one,), chain=chain) for path, one in quoted.items()]
    clashes = (found,) if found else ()
    state = {
        "plan": plan,
        "merged": merged,
        "contradictions": clashes,
        "changes": (),
        "hits": [],
        "warnings": [],
    }
    try:
        return await verify_results(cast("QueryState", state), cast("Deps", deps), mode="local")
    finally:
        catalog.close()
        history.close()


CLASH = a_contradiction(
    a_side("Low EC.md", claim="Low EC makes leaves yellow.", line=2),
    a_side("Yellow leaves.md", claim="Low EC does not make leaves yellow."),
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


# --- properties and names -------------------------------------------------------------------

APOLLO = """---
tags: [space]
status: on hold
client: Siemens
---
# Apollo

The status of Apollo was talked about in every meeting.

**Owner:** Tom
"""
TALKED = Excerpt(
    text="The status of Apollo was talked about in every meeting.", line_start=8, line_end=8
)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What is the client of Apollo?", "client: Siemens"),
        ("Apollo owner", "**Owner:** Tom"),
        ("Who talked about Apollo in every meeting?", TALKED.text),
    ],
)
async def test_the_span_that_answers_is_quoted_be_it_property_or_prose(
    tmp_path: Path,
    write_vault: Callable[[dict[str, str]], Path],
    question: str,
    quoted: str,
) -> None:
    vault = write_vault({"Apollo.md": APOLLO})
    plan = a_plan(query=question, intent="factual", concepts=("Apollo",))
    (result,) = (await verified(vault, tmp_path, plan=plan, quoted={"Apollo.md": TALKED})).results
    assert result.excerpts[0].text == quoted
