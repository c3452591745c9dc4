"""Provenance in a note's frontmatter: ours, not what the note claims; the rest stays."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.base.errors import InputError
from tools.graph.provenance import Provenance, provenance_of
from tools.vault.notes.notes import parse_note
from tools.vault.notes.stamp import Stamp, stamped

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OURS = Provenance(created_by="cursor (contributor)", source_type="web", confidence=0.25)
STAMP = Stamp(provenance=OURS, at=AT)
LINES = st.sampled_from([
    "---", "...", "created_by: boss", "Created-By: [boss]", "? created by\n: boss", "a: 1", "- b",
    "'source_type': |\n  several\n  lines", "confidence: 1", "{created_by: x, z: 1}", "# remark",
    "",
    "tags: [x, y]", "created: 2020-01-01", "date: 2021-02-03", "text", "created_by:: inline", "\r",
    "a: &b 1", "c: *b", "\ufeff", "nested:\n  created_by: inner", "%YAML 1.1",
    "!!str created_by: z",
])  # fmt: skip


@given(
    st.lists(LINES, max_size=8).map(lambda lines: "\n".join(["---", *lines, "---", "body [[X]]"]))
    | st.lists(LINES, max_size=8).map("\n".join)
    | st.text(max_size=40)
)
def test_ours_counts_and_all_else_is_kept(text: str) -> None:
    try:
        made = stamped("x.md", text, STAMP)
    except InputError:
        return
    before = parse_note("x.md", text.lstrip("\ufeff").encode(), mtime=AT)
    after = parse_note("x.md", made.encode(), mtime=AT)
    assert provenance_of(after.frontmatter) == OURS
    kept = set(before.frontmatter)
    claimed = {key for key in kept if provenance_of({key: "x"}) or provenance_of({key: 0.5})}
    assert {key: after.frontmatter[key] for key in kept - claimed} == {
        key: before.frontmatter[key] for key in kept - claimed
    }
    bodies = ["\n".join(one.text.split("\n")[one.body_line - 1 :]) for one in (before, after)]
    assert bodies[0] == bodies[1]


def test_properties_stay_as_they_are_written() -> None:
    text = "---\n# mine\ntags:\n  - 'x'   # why\ncreated_by:\n  - boss\nz: {a: 1}\n---\nbody\n"
    assert stamped("x.md", text, STAMP) == (
        "---\n# mine\ntags:\n  - 'x'   # why\nz: {a: 1}\n"
        "created: '2026-01-02T03:04:05+00:00'\ncreated_by: cursor (contributor)\n"
        "source_type: web\nconfidence: 0.25\n---\nbody\n"
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x.md", "---\ndate: 2021-02-03\n---\n"),
        ("2021-02-03.md", "text"),
        ("x.md", "---\ncreated: some day\n---\n"),
    ],
)
def test_a_date_that_the_note_states_stays_the_only_one(path: str, text: str) -> None:
    assert AT.isoformat() not in stamped(path, text, STAMP)


@pytest.mark.parametrize(
    "front", ["- a", "&a\n&a", "a: [", "a: &x 1\nb: *x", "a: " + "[" * 60 + "]" * 60]
)
def test_frontmatter_that_nobody_can_read_is_refused(front: str) -> None:
    with pytest.raises(InputError, match="frontmatter"):
        stamped("x.md", f"---\n{front}\n---\nbody", STAMP)


def test_a_name_with_signs_of_yaml_is_one_name() -> None:
    name = "a: b #c\n---\nconfidence: 1 'x' (curator)"
    stamp = Stamp(provenance=Provenance(created_by=" ".join(name.split()), confidence=0.5), at=AT)
    read = parse_note("x.md", stamped("x.md", "body", stamp).encode(), mtime=AT)
    assert provenance_of(read.frontmatter) == stamp.provenance
