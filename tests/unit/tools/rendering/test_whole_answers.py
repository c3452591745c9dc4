"""Each kind of answer as a reader gets it, word for word."""

from dataclasses import replace
from datetime import UTC, datetime

from tests.support.values.pages import (
    WRITTEN,
    comparison,
    contradiction,
    page,
    plan,
    result,
    row,
    statement,
    step,
)
from tests.support.values.results import a_change, a_side
from tools.base.domain import Event, Period, SourceWarning
from tools.rendering.answer import render
from tools.temporal.timeline import timeline

LIST = """\
# What does basil want?

*confidence 0.73 · factual (read locally) · 2 notes*

> [!warning] Not everything could be asked
> - **graph**: No answer. Links are missing.

## Answer

> Basil wants a weak solution. — [[Basil#Dosing]] line 7

**Your notes disagree about this: see Contradictions below.**

**This changed over time: see Changes below.**

## Highly relevant (0.8 and above)

- **[[Basil]]** 0.83 · semantic, text · 2024-03-12
  - Basil wants a weak solution. — [[Basil#Dosing]] line 7

## Weak matches (below 0.4)

- **[[Low EC]]** 0.31 · graph · 2024-03-12
  - Low EC — leads to → Yellow leaves ([[Low EC]] line 9)
  - Yellow leaves — leads to → Worry (inferred, [[Low EC]] line 12)
  - Feed it more. — [[Low EC#Dosing]] line 7

## Contradictions

### 1. Conflicting values (confidence 0.88)

- no date: “Basil wants 1.2.” — [[Old#Dosing]] line 4
- 2024-03-12: “Basil wants 1.2.” — [[New#Dosing]] line 4

Why: The numbers differ. [[New]] is newer: it may be the present view. Same subject: 0.90; \
decided by local.

## Changes

### 1. Changed on 2024-03-12

- before: no date: “The tank holds 60 litres.” — [[Pump]] line 9
- since then: 2024-03-12: “The tank holds 90 litres.” — [[Cellar#Tank]] line 3

Why: One says 60 litres, the other 90 litres. [[Cellar]] is newer: by the dates of the notes. \
Confidence 0.95; decided by local.

*Written without a model.*

## Next

- Settle the contradiction: read both notes and write down which one holds.
- `*surface-related Basil` shows what is connected.
- `*temporal-query Basil` shows how it changed.

<details>
<summary>How this was answered</summary>

- Intent: factual (0.91, local): likelier than temporal, 0.05
- Asked: semantic, text; similarity at least 0.70
- Answered: semantic, text
- Failed: graph
- Notes: highly relevant 1, relevant 0, somewhat relevant 0, low relevance 1
- Contradictions: 1; disagreements between sources: 0; changes: 1
- Time: semantic 12 ms, text 4 ms

</details>
"""

NARRATIVE = """\
## Answer

The leaves turn yellow because basil is underfed.[^1][^2]

So it wants more.[^2]

[^1]: [[Basil#Dosing]] line 7
[^2]: [[Basil#Dosing]] line 12
[^3]: [[Low EC]] line 9
[^4]: [[Low EC#Why]] line 12

## Chains

- Low EC → Yellow leaves (0.90)[^3] → Worry (0.90, inferred)[^4]

## Sources

- **[[Basil]]** 0.72 · graph · 2024-03-12
  - Basil wants a weak solution. — [[Basil#Dosing]] line 7

## Next

- `*surface-related Basil` shows what else is connected.
"""

TABLE = """\
## Comparison

| | basil | mint (no note of its own) |
|---|---|---|
| **Cost** | Two euros. ([[a#Cost]] line 3) | — |
| **Use** | In pesto. ([[a#Cost]] line 3) | In tea. ([[a#Cost]] line 3) |

**Said of both:**

- Mint outgrows basil. — [[a#Cost]] line 3

## basil

- **[[Basil]]** 0.72 · semantic, text · 2024-03-12
  - Basil wants a weak solution. — [[Basil#Dosing]] line 7

## mint

No note found.

## Next

- Ask about one subject alone for more of it.
"""

TIMELINE = """\
## Timeline

### March 2024

- **2024-03-12** [[Basil]]
  - Basil wants a weak solution. — [[Basil#Dosing]] line 7

### May 2024

- **2024-05-01** [[Basil]] · superseded by Mint

## Outside the dates asked for

- **[[b]]** 0.72 · semantic, text · 2024-03-12
  - Basil wants a weak solution. — [[b#Dosing]] line 7

## Next

- `*query what is Basil` gives the present state.
"""

READ = replace(step("Yellow leaves", "Worry"), origin="inferred", line=12)
"""A connection that a model read in the note, and nobody wrote."""


def answered(written: str) -> str:
    """The page between what was asked and how it was answered."""
    return f"## {written.partition('\n## ')[2].partition('\n<details>')[0]}"


def test_notes_found_with_what_contradicts_what_changed_and_what_failed() -> None:
    told = a_change(
        a_side("notes/Pump.md", claim="The tank holds 60 litres.", line=9),
        a_side(
            "notes/Cellar.md",
            claim="The tank holds 90 litres.",
            line=3,
            heading="Tank",
            timestamp=WRITTEN,
        ),
        on=WRITTEN,
    )
    shown = page(
        "list",
        result(composite_relevance=0.83, tier="highly_relevant"),
        result(
            "notes/Low EC.md",
            text="Feed it more.",
            composite_relevance=0.31,
            tier="low_relevance",
            chain=(step(), READ),
        ),
        contradictions=(contradiction(),),
        changes=(told,),
        warnings=(SourceWarning(source="graph", error="No answer.", impact="Links are missing."),),
        remarks=("Written without a model.",),
        sources_failed=("graph",),
        confidence=0.73,
    )
    assert render(shown) == LIST


def test_sentences_with_footnotes_and_a_chain_of_causes() -> None:
    first = statement("The leaves turn yellow because basil is underfed.", 7, 12)
    shown = page(
        "narrative",
        result(chain=(step(), READ)),
        statements=(first, replace(statement("So it wants more.", 12), paragraph=1)),
        headings={("notes/Low EC.md", 12): "Why"},
    )
    assert answered(render(shown)) == NARRATIVE


def test_a_table_with_a_subject_that_has_no_note_and_what_is_said_of_both() -> None:
    (both,) = row("", "Mint outgrows basil.").cells
    compared = comparison(
        row("Cost", "Two euros.", None),
        row("Use", "In pesto.", "In tea."),
        without_note=frozenset({"mint"}),
        together=(both,),
    )
    shown = page("table", result(subject="basil"), comparison=compared)
    assert answered(render(shown)) == TABLE


def test_a_timeline_with_what_happened_to_a_note_and_what_lies_outside_it() -> None:
    events = (
        Event(timestamp=WRITTEN, kind="created", detail=""),
        Event(timestamp=datetime(2024, 5, 1, tzinfo=UTC), kind="superseded", detail="Mint"),
    )
    shown = page(
        "timeline",
        plan=plan("temporal", start_date=WRITTEN),
        groups=timeline([result(events=events)], Period()),
        undated=(result("b.md"),),
    )
    assert answered(render(shown)) == TIMELINE
