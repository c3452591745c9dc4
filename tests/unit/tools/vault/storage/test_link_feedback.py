"""The file of decisions on suggested links: read, added to, edited by hand, damaged."""

import json
import stat
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import pytest

from tools.base.errors import BusyError, StorageError, StoreVersionError
from tools.runtime.server_process import locked
from tools.vault.storage import link_feedback
from tools.vault.storage.link_feedback import LinkDecision, LinkFeedback

NAME = "link-feedback.json"


def decision(target: str = "b.md", *, accepted: bool = True, source: str = "a.md") -> LinkDecision:
    return LinkDecision(
        at=datetime(2026, 12, 1, 9, tzinfo=UTC),
        source=source,
        target=target,
        accepted=accepted,
        probability=0.25,
        suggested="supports",
        chosen="elaborates" if accepted else None,
        features={"meaning": 0.5, "words": 1.25},
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / NAME


def edited(path: Path, change: Callable[[list[object]], object]) -> None:
    content = json.loads(path.read_bytes())
    change(content["decisions"])
    path.write_text(json.dumps(content), "utf-8")


def targets(path: Path) -> list[str]:
    return [one.target for one in LinkFeedback(path).read()[0]]


def test_what_is_kept_is_read_back_and_only_its_owner_can_open_it(path: Path) -> None:
    first, second = decision("Çay.md"), decision(accepted=False)
    assert LinkFeedback(path).read() == ((), ())
    assert LinkFeedback(path).add([first]) == ()
    LinkFeedback(path).add([second])
    assert LinkFeedback(path).read() == ((first, second), ())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text("utf-8")
    assert "Çay.md" in text, "a person can read it"
    assert sum('"target"' in line for line in text.splitlines()) == text.count('"target"') == 2
    path.unlink()
    assert LinkFeedback(path).read() == ((), ()), "deleted, it starts anew"
    LinkFeedback(path).add([])
    assert not path.exists()


def test_of_too_many_decisions_the_oldest_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_feedback, "MOST_DECISIONS", 3)
    for number in range(5):
        LinkFeedback(path).add([decision(f"{number}.md")])
    assert targets(path) == ["2.md", "3.md", "4.md"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", "yesterday"),
        ("at", "2026-12-01T09:00:00"),
        ("probability", 7),
        ("probability", float("nan")),
        ("accepted", "perhaps"),
        ("source", None),
        ("features", {"meaning": 1e300}),
        ("features", {"meaning": float("inf")}),
        ("features", ["meaning"]),
    ],
)
def test_an_entry_that_was_edited_badly_is_left_out_told_and_left_in_the_file(
    path: Path, field: str, value: object
) -> None:
    LinkFeedback(path).add([decision("good.md"), decision("bad.md"), decision("fine.md")])

    def spoil(entries: list[object]) -> None:
        assert isinstance(entries[1], dict)
        entries[1][field] = value

    edited(path, spoil)
    decisions, (warning,) = LinkFeedback(path).read()
    assert [one.target for one in decisions] == ["good.md", "fine.md"]
    assert "1 decision in link-feedback.json cannot be used (number 2)" in warning.error
    assert LinkFeedback(path).add([decision("new.md")]) == ()
    assert targets(path) == ["good.md", "fine.md", "new.md"]
    assert len(json.loads(path.read_bytes())["decisions"]) == 4, "nothing of the person's is lost"


def test_what_a_person_adds_to_an_entry_stays(path: Path) -> None:
    LinkFeedback(path).add([decision()])
    edited(path, lambda entries: entries.extend(["a remark", 7, None]))
    LinkFeedback(path).add([decision("new.md")])
    assert json.loads(path.read_bytes())["decisions"][1:4] == ["a remark", 7, None]
    _, (warning,) = LinkFeedback(path).read()
    assert "3 decisions in link-feedback.json cannot be used (number 2, 3, 4)" in warning.error


@pytest.mark.parametrize(
    "content",
    [
        b'{"version": 1, "decisions": [{"at": "2026-1',
        b"[" * 100_000,
        b"\xff\xfe\xff",
        b"[]",
        b"7",
        b'{"version": 1}',
        b'{"decisions": []}',
        b'{"version": 1, "decisions": {"a": 1}}',
        b'{"version": "1", "decisions": []}',
        b"\0" * 4096,
        b"9" * 5000,
    ],
)
def test_a_damaged_file_is_told_of_and_set_aside_once_there_is_something_to_keep(
    path: Path, content: bytes
) -> None:
    path.write_bytes(content)
    decisions, (warning,) = LinkFeedback(path).read()
    assert (decisions, warning.source) == ((), "link feedback")
    assert NAME in warning.error
    assert "\n" not in warning.error + warning.impact
    assert str(path.parent) not in warning.error + warning.impact
    assert path.read_bytes() == content, "it can still be mended"
    with pytest.raises(StorageError):
        LinkFeedback(path).withdraw("a.md", "b.md", accepted=True)
    (aside,) = LinkFeedback(path).add([decision()])
    assert "link-feedback.damaged" in aside.error
    assert path.with_suffix(".damaged").read_bytes() == content
    assert targets(path) == ["b.md"]
    assert LinkFeedback(path).set_aside_if_damaged() == ()


def test_the_line_that_was_edited_badly_is_named(path: Path) -> None:
    LinkFeedback(path).add([decision(), decision("c.md")])
    lines = path.read_text("utf-8").splitlines()
    lines[3] = lines[3].rstrip(",")
    path.write_text("\n".join([*lines[:4], "oops", *lines[4:]]), "utf-8")
    _, (warning,) = LinkFeedback(path).read()
    assert "(line 5)" in warning.error


def test_an_empty_file_and_a_byte_order_mark_are_no_damage(path: Path) -> None:
    path.write_bytes(b"\n")
    assert LinkFeedback(path).read() == ((), ())
    LinkFeedback(path).add([decision()])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert LinkFeedback(path).read() == ((decision(),), ())


def test_a_file_of_a_newer_version_is_left_as_it_is(path: Path) -> None:
    content = b'{"version": 2, "decisions": {"by": "note"}}'
    path.write_bytes(content)
    decisions, (warning,) = LinkFeedback(path).read()
    assert decisions == ()
    assert "newer version" in warning.error
    with pytest.raises(StoreVersionError):
        LinkFeedback(path).add([decision()])
    with pytest.raises(StoreVersionError):
        LinkFeedback(path).set_aside_if_damaged()
    assert path.read_bytes() == content


def test_a_folder_in_its_place_is_told_of_and_nothing_is_lost(path: Path) -> None:
    path.mkdir()
    decisions, (warning,) = LinkFeedback(path).read()
    assert (decisions, NAME in warning.error) == ((), True)
    with pytest.raises(StorageError):
        LinkFeedback(path).add([decision()])
    assert path.is_dir()


def test_a_folder_that_is_gone_is_one_clear_error(tmp_path: Path) -> None:
    feedback = LinkFeedback(tmp_path / "gone" / NAME)
    assert feedback.read() == ((), ())
    assert not feedback.withdraw("a.md", "b.md", accepted=True)
    with pytest.raises(StorageError, match="cannot be written"):
        feedback.add([decision()])


def test_the_last_acceptance_of_a_link_is_withdrawn_and_no_rejection(path: Path) -> None:
    feedback = LinkFeedback(path)
    feedback.add([decision(), decision("c.md"), decision(), decision(accepted=False)])
    edited(path, lambda entries: entries.append("a remark"))
    assert feedback.withdraw("a.md", "b.md", accepted=True)
    assert [(one.target, one.accepted) for one in feedback.read()[0]] == [
        ("b.md", True),
        ("c.md", True),
        ("b.md", False),
    ]
    assert feedback.withdraw("a.md", "b.md", accepted=True)
    assert not feedback.withdraw("a.md", "b.md", accepted=True)
    assert not feedback.withdraw("c.md", "a.md", accepted=True)
    assert targets(path) == ["c.md", "b.md"]
    assert feedback.withdraw("a.md", "b.md", accepted=False)
    assert targets(path) == ["c.md"]


def test_one_process_at_a_time_writes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_feedback, "_PATIENCE_SECONDS", 0.0)
    with locked(path.with_suffix(".lock")), pytest.raises(BusyError, match="try again"):
        LinkFeedback(path).add([decision()])
    assert not path.exists()


def test_decisions_of_several_processes_are_all_kept(path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert all(processes.map(add_some, [path] * 2, ["x", "y"]))
    assert sorted(targets(path)) == sorted(f"{name}{n}.md" for name in "xy" for n in range(20))


def add_some(path: Path, name: str) -> bool:
    return all(LinkFeedback(path).add([decision(f"{name}{n}.md")]) == () for n in range(20))


def test_a_disk_that_is_full_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LinkFeedback(path).add([decision()])
    before = path.read_bytes()

    def full(file: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device", str(file))

    monkeypatch.setattr(link_feedback, "write_private", full)
    with pytest.raises(StorageError, match=r"cannot be written \(No space left on device\)"):
        LinkFeedback(path).add([decision("c.md")])
    assert path.read_bytes() == before
