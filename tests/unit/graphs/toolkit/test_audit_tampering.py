"""Whatever is done to the lines of either chain is found by who kept the last hashes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.toolkit.audit_log.log import CHAINS, AuditLog, Chain, LogFiles
from graphs.toolkit.audit_log.verification import check_log
from tests.support.values.calls import a_call
from tools.runtime.audit_chain import ChainFile

type Lines = dict[Chain, list[list[bytes]]]
"""The lines of each file of each chain, each with its end."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> LogFiles:
    """Several files of each chain, the oldest let go."""
    folder = tmp_path_factory.mktemp("audited") / "audit"
    log = AuditLog(folder, max_bytes=1_500, kept=3, clock=lambda: datetime(2025, 6, 1, tzinfo=UTC))
    for _ in range(9):
        log.add(a_call("search", text="tea"), ms=1)
        log.complete(log.reserve(a_call()), written=["Projects/Ada.md"])
    files = log.read()
    assert [len(files[chain]) for chain in CHAINS] == [3, 3]
    return files


def changed(draw: st.DataObject, lines: Lines) -> None:
    """Another byte somewhere."""
    content, at = _line(draw, lines)
    where = draw.draw(st.integers(0, len(content[at]) - 1))
    byte = bytes([draw.draw(st.integers(0, 255))])
    content[at] = content[at][:where] + byte + content[at][where + 1 :]


def cut(draw: st.DataObject, lines: Lines) -> None:
    """A file that ends early, within a line or behind one."""
    content, at = _line(draw, lines)
    end = draw.draw(st.integers(0, len(content[at])))
    content[at:] = [content[at][:end]]


def dropped(draw: st.DataObject, lines: Lines) -> None:
    """Any lines that follow each other."""
    content, at = _line(draw, lines)
    del content[at : at + draw.draw(st.integers(1, 9))]


def swapped(draw: st.DataObject, lines: Lines) -> None:
    """Two lines, of whichever files and chains."""
    one, at = _line(draw, lines)
    other, there = _line(draw, lines)
    one[at], other[there] = other[there], one[at]


def repeated(draw: st.DataObject, lines: Lines) -> None:
    """A line that stands once more, wherever it is."""
    content, at = _line(draw, lines)
    other, there = _line(draw, lines)
    other.insert(there, content[at])


def dropped_file(draw: st.DataObject, lines: Lines) -> None:
    _file(draw, lines).clear()


def swapped_files(draw: st.DataObject, lines: Lines) -> None:
    one, other = _file(draw, lines), _file(draw, lines)
    one[:], other[:] = other[:], one[:]


def swapped_chains(_: st.DataObject, lines: Lines) -> None:
    lines["calls"], lines["writes"] = lines["writes"], lines["calls"]


@given(
    st.data(),
    st.sampled_from(
        [changed, cut, dropped, swapped, repeated, dropped_file, swapped_files, swapped_chains]
    ),
)
def test_whatever_is_done_to_either_chain_is_found(
    log: LogFiles, data: st.DataObject, tamper: Callable[[st.DataObject, Lines], None]
) -> None:
    kept = [one.last_hash for one in check_log(log).chains]
    assert check_log(log, since_hashes=kept).whole
    lines: Lines = {
        chain: [file.content.splitlines(keepends=True) for file in log[chain]] for chain in CHAINS
    }
    tamper(data, lines)
    after: LogFiles = {chain: _files(log[chain], lines[chain]) for chain in CHAINS}
    assume(after != log)
    assert not check_log(after, since_hashes=kept).whole


@pytest.mark.parametrize("chain", CHAINS)
def test_a_chain_that_is_gone_is_found_by_its_hash(log: LogFiles, chain: Chain) -> None:
    kept = [one.last_hash for one in check_log(log).chains]
    report = check_log({**log, chain: []}, since_hashes=kept)
    assert report.lost_hashes == [kept[CHAINS.index(chain)]]


def test_a_break_in_one_chain_leaves_the_other_whole(log: LogFiles) -> None:
    first = log["writes"][0]
    broken = replace(first, content=first.content.replace(b"ok", b"no"))
    calls, writes = check_log({**log, "writes": [broken, *log["writes"][1:]]}).chains
    assert calls == check_log(log).chains[0]
    assert writes.broken is not None
    assert writes.broken.file == first.name


def _file(draw: st.DataObject, lines: Lines) -> list[bytes]:
    return draw.draw(st.sampled_from(lines[draw.draw(st.sampled_from(CHAINS))]))


def _line(draw: st.DataObject, lines: Lines) -> tuple[list[bytes], int]:
    content = _file(draw, lines)
    return content, draw.draw(st.integers(0, len(content) - 1))


def _files(files: Sequence[ChainFile], lines: list[list[bytes]]) -> list[ChainFile]:
    """The files with these lines; one that has none at all is not there."""
    return [
        replace(file, content=b"".join(content))
        for file, content in zip(files, lines, strict=True)
        if content
    ]
