"""A chain of lines: whatever is done to one of them is found, and said what and where."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.runtime.audit_chain import (
    START,
    TORN,
    Break,
    ChainFile,
    Problem,
    canonical,
    entries_of,
    file_entry,
    read_entry,
    seal,
    verify,
)

type Lines = list[list[bytes]]
"""The lines of each file."""

NOW = "2025-06-01T12:00:00+00:00"
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(PLAIN | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=5)


def chain(*sizes: int, first: int = 1) -> Lines:
    """Files with so many lines each, besides their first."""
    files: Lines = []
    last, count = START, 0
    for number, size in enumerate(sizes, 1):
        line, last = seal(
            file_entry(chain="calls", number=number, oldest=first, time=NOW), after=last
        )
        files.append([line])
        for _ in range(size):
            count += 1
            line, last = seal({"kind": "call", "time": NOW, "tool": f"t{count}"}, after=last)
            files[-1].append(line)
    return files


def files_of(lines: Lines, *, first: int = 1) -> Sequence[ChainFile]:
    return [
        ChainFile(chain="calls", name=f"calls-{number}", number=number, content=b"".join(content))
        for number, content in enumerate(lines, first)
    ]


def broken(lines: Lines, *, first: int = 1) -> Break:
    verdict = verify(files_of(lines, first=first))
    assert verdict.broken is not None
    assert not verdict.torn
    return verdict.broken


def test_a_chain_over_several_files_holds_and_tells_its_end() -> None:
    lines = chain(3, 2, 4)
    verdict = verify(files_of(lines))
    assert verdict.broken is None
    assert [entry["tool"] for entry in verdict.entries] == [f"t{at}" for at in range(1, 10)]
    last = read_entry(lines[-1][-1])
    assert last is not None
    assert (verdict.last.seq, verdict.last.hash) == (12, last["hash"])
    assert len(verdict.hashes) == 12


def test_no_file_is_no_chain_and_an_empty_one_has_not_begun() -> None:
    for files in ([], [ChainFile(chain="calls", name="calls-1", number=1, content=b"")]):
        verdict = verify(files)
        assert (verdict.broken, verdict.last, verdict.torn) == (None, START, False)


@given(st.dictionaries(st.text(max_size=9), VALUES, max_size=5))
def test_what_is_sealed_is_read_as_it_was(entry: dict[str, object]) -> None:
    linked = {name for name in entry if name in {"seq", "prev", "hash", "mended"}}
    line, link = seal(entry, after=START)
    read = read_entry(line)
    assert read is not None
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert {**entry, **read} == read or linked
    assert (read["seq"], read["hash"]) == (link.seq, link.hash)


@given(st.data(), st.integers(0, 255))
def test_any_changed_byte_is_found(data: st.DataObject, byte: int) -> None:
    files = files_of(chain(2, 3, 2))
    at = data.draw(st.integers(0, 2))
    content = bytearray(files[at].content)
    where = data.draw(st.integers(0, len(content) - 1))
    before, content[where] = content[where], byte
    changed = [*files[:at], replace(files[at], content=bytes(content)), *files[at + 1 :]]
    verdict = verify(changed)
    assert (verdict.broken is None and not verdict.torn) == (byte == before)


@given(st.data())
def test_any_line_replaced_with_a_sealed_one_is_found_but_for_the_last(data: st.DataObject) -> None:
    lines = chain(2, 3, 2)
    file = data.draw(st.integers(0, 2))
    at = data.draw(st.integers(1, len(lines[file]) - (2 if file == 2 else 1)))
    old = read_entry(lines[file][at])
    assert old is not None
    after = replace(START, seq=int(str(old["seq"])) - 1, hash=str(old["prev"]))
    lines[file][at], _ = seal({"kind": "call", "time": NOW, "tool": "forged"}, after=after)
    assert broken(lines).problem == "changed"


@given(st.data())
def test_any_removed_line_is_found_but_for_the_last(data: st.DataObject) -> None:
    lines = chain(2, 3, 2)
    file = data.draw(st.integers(0, 2))
    at = data.draw(st.integers(0, len(lines[file]) - (2 if file == 2 else 1)))
    ends = at == len(lines[file]) - 1
    del lines[file][at]
    found = broken(lines)
    assert found.problem == ("cut off" if ends else "missing")
    assert (found.file, found.line) == (f"calls-{file + 1}", at + 1)


@given(st.data())
def test_any_two_swapped_lines_are_found(data: st.DataObject) -> None:
    lines = chain(2, 3, 2)
    places = [(file, at) for file, content in enumerate(lines) for at in range(len(content))]
    one, other = data.draw(st.lists(st.sampled_from(places), min_size=2, max_size=2, unique=True))
    moved = lines[one[0]][one[1]]
    lines[one[0]][one[1]] = lines[other[0]][other[1]]
    lines[other[0]][other[1]] = moved
    assert broken(lines).problem in {"reordered", "missing"}


@given(st.data())
def test_any_line_that_stands_twice_is_found(data: st.DataObject) -> None:
    lines = chain(2, 3, 2)
    places = [(file, at) for file, content in enumerate(lines) for at in range(len(content))]
    one, other = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
    lines[other[0]].insert(other[1] + 1, lines[one[0]][one[1]])
    assert broken(lines).problem == "reordered"


@pytest.mark.parametrize(
    ("number", "problem"), [(0, "missing"), (1, "missing"), (2, "missing"), (3, None)]
)
def test_a_file_that_is_taken_away_is_missed_but_for_the_newest(
    number: int, problem: Problem | None
) -> None:
    files = [*files_of(chain(2, 2, 2, 2))]
    del files[number]
    found = verify(files).broken
    assert (found and found.problem) == problem


def test_an_old_file_that_was_let_go_is_not_missed() -> None:
    lines = chain(2, 2, 2, 2, first=3)
    verdict = verify(files_of(lines[2:], first=3))
    assert verdict.broken is None
    assert verdict.dropped == 6
    before = read_entry(lines[1][-1])
    assert before is not None
    assert verdict.hashes[str(before["hash"])] == 6  # the first that is left names it
    assert len(verdict.entries) == 4


def test_an_old_file_that_nobody_let_go_yet_is_checked_too() -> None:
    lines = chain(2, 2, 2, first=3)
    assert verify(files_of(lines)).broken is None
    lines[0][1] = lines[0][1].replace(b"t1", b"tx")
    assert broken(lines) == Break(
        file="calls-1", line=2, problem="changed", detail="it is not what its hash was made of"
    )


def test_a_file_that_ends_early_is_cut_off_where_it_ends() -> None:
    lines = chain(4, 2)
    del lines[0][3:]
    found = broken(lines)
    assert (found.file, found.line, found.problem) == ("calls-1", 4, "cut off")
    assert "lines 4 to 5" in found.detail


def test_half_a_line_at_the_end_is_told_and_no_break() -> None:
    lines = chain(2)
    half = lines[0][-1][:-9]
    verdict = verify(files_of([[*lines[0][:-1], half]]))
    assert (verdict.broken, verdict.torn, len(verdict.entries)) == (None, True, 1)


def test_half_a_line_that_the_next_accounts_for_is_mended() -> None:
    lines, torn = chain(2), b'{"argum' + TORN + b"\n"
    last = verify(files_of(lines)).last
    line, _ = seal({"kind": "call", "tool": "next"}, after=last, torn=torn)
    verdict = verify(files_of([[*lines[0], torn, line]]))
    assert (verdict.broken, verdict.mended, verdict.torn) == (None, 1, False)
    assert len(list(entries_of(files_of([[*lines[0], torn, line]])))) == 3
    for changed in ([line], [torn.replace(b"argum", b"angum"), line], [torn, torn, line]):
        found = broken([[*lines[0], *changed]])
        assert found.problem == "cut off"


def test_a_line_that_is_marked_torn_by_hand_is_found() -> None:
    lines = chain(3)
    lines[0][2] = lines[0][2].rstrip(b"\n") + TORN + b"\n"
    assert broken(lines).problem == "missing"


@pytest.mark.parametrize(
    "line", [b"[]", b"7", b"", b"\xff\xfe", b"[" * 100_000, b'{"seq":1}', b"9" * 5_000]
)
def test_what_is_no_line_of_ours_is_read_as_none_and_is_a_change(line: bytes) -> None:
    assert read_entry(line) is None
    lines = chain(2)
    lines[0].insert(1, line + b"\n")
    assert broken(lines).problem == "changed"


def test_what_json_lacks_cannot_be_sealed() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical({"ms": float("nan")})
