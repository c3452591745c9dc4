"""What of a tool's arguments is logged: no text, wherever a client puts it."""

import json
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.toolkit.audit_log.redaction import (
    ensure_key,
    has_hash,
    hash_of,
    kept_key,
    redact,
    redact_label,
    redact_written,
)
from tests.support.values.calls import RULES
from tools.base.errors import StorageError

KEY = b"k" * 32
NODE = "1b4e28ba-2fa1-51d2-883f-0016d3cca427"
NOTES = ["Ada.md", "Günlük/2024-05-20 çay.md", "A.md", "b/C.md"]
SAID = "Quillfeather"

AROUND = st.text(max_size=20)
TEXTS = st.builds("{}{}{}{}".format, AROUND, st.just(SAID), AROUND, st.sampled_from(["", ".md"]))
NAMES = st.sampled_from(sorted(RULES)) | TEXTS
VALUES = st.recursive(
    TEXTS | st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def redacted(arguments: Mapping[str, object], *, notes: Sequence[object] = ()) -> dict[str, object]:
    return redact(arguments, RULES, key=KEY, is_note=lambda path: path in notes)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", 3),
        ("limit", -2.5),
        ("limit", True),
        ("limit", None),
        ("kind", "task"),
        ("kind", ["task", "idea"]),
        ("path", "Ada.md"),
        ("path", "Günlük/2024-05-20 çay.md"),
        ("path", ["A.md", "b/C.md"]),
        ("node", NODE),
    ],
)
def test_what_has_the_form_that_was_promised_is_kept(name: str, value: object) -> None:
    assert redacted({name: value}, notes=NOTES) == {name: value}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text", "task"),
        ("text", "A.md"),
        ("text", NODE),
        ("text", 7),
        ("limit", "3"),
        ("limit", 10**40),
        ("limit", float("inf")),
        ("limit", float("nan")),
        ("kind", "Task"),
        ("kind", 3),
        ("path", "Ada"),
        ("path", "/etc/Ada.md"),
        ("path", "../Ada.md"),
        ("path", "a//Ada.md"),
        ("path", "Ada.md#What she said"),
        ("path", "Who is Ada?\nAda.md"),
        ("path", "Who is Ada?.md"),
        ("path", f"{'a' * 400}.md"),
        ("path", ".md"),
        ("node", "Ada"),
        ("node", NODE.upper()),
        ("node", {"id": NODE}),
    ],
)
def test_what_has_not_is_a_text_whatever_notes_there_are(name: str, value: object) -> None:
    (kept,) = redacted({name: value}, notes=[*NOTES, value]).values()
    assert isinstance(kept, dict)
    assert kept.keys() == {"length", "hash"}


@pytest.mark.parametrize("path", ["What did Ada tell me about tea.md", "inbox/Ada.md", "Ada.md"])
def test_a_path_that_no_note_has_is_a_text(path: str) -> None:
    assert "Ada" not in json.dumps(redacted({"path": path}, notes=["A.md"]))
    kept = json.dumps(redacted({"path": ["A.md", path]}, notes=["A.md"]))
    assert "Ada" not in kept
    assert "A.md" in kept


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_no_text_ever_gets_through(arguments: dict[str, object]) -> None:
    kept = redacted(arguments, notes=NOTES)
    assert SAID not in json.dumps(kept, allow_nan=False)
    assert kept.keys() == arguments.keys() & RULES.keys()


@given(TEXTS.filter(lambda text: not text.endswith(".md")))
def test_nor_as_a_name_or_as_what_was_written(text: str) -> None:
    assert SAID not in json.dumps(redact_written([text], key=KEY))
    assert SAID not in json.dumps(redact_label(f"what does {text}", key=KEY))


def test_names_of_clients_are_kept_and_sentences_are_not() -> None:
    for name in ("Claude Code", "cursor-vscode", "@acme/notes 1.2"):
        assert redact_label(name, key=KEY, words=4) == name
    for text in ("What did Ada say about tea", "a\nb", "\x1b[31mred", "x" * 65, "", "two words"):
        assert isinstance(redact_label(text, key=KEY), dict)


def test_what_was_written_is_paths_and_nodes() -> None:
    assert redact_written(["a/B.md", NODE, "Tea"], key=KEY)[:2] == ["a/B.md", NODE]


def test_a_long_list_is_cut_and_counted() -> None:
    kept = redacted({"limit": list(range(60))})["limit"]
    assert kept == [*range(50), {"more": 10}]
    nested = redacted({"limit": [[1, 2], 3]})["limit"]
    assert isinstance(nested, list)
    assert nested[1] == 3


@given(st.text(), st.text())
def test_a_call_is_recognised_by_whoever_has_the_key_and_the_text(text: str, other: str) -> None:
    kept = redacted({"text": [text]})["text"]
    assert has_hash(kept, hash_of(text, key=KEY))
    assert has_hash(kept, hash_of(f" {text}\n", key=KEY))
    assert not has_hash(kept, hash_of(text, key=b"l" * 32))
    same = hash_of(other, key=KEY) == hash_of(text, key=KEY)
    assert has_hash(kept, hash_of(other, key=KEY)) == same


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    assert kept_key(folder) is None
    found: list[bytes] = []
    threads = [Thread(target=lambda: found.append(ensure_key(folder))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert set(found) == {kept_key(folder)}
    assert stat.S_IMODE((folder / "text.key").stat().st_mode) == 0o600


def test_a_key_that_was_lost_or_cut_off_is_made_anew(tmp_path: Path) -> None:
    first = ensure_key(tmp_path / "audit")
    (tmp_path / "audit" / "text.key").write_bytes(first[:7])
    assert kept_key(tmp_path / "audit") is None
    assert ensure_key(tmp_path / "audit") not in {first, first[:7]}


def test_a_key_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "audit").write_text("in the way", "utf-8")
    with pytest.raises(StorageError):
        ensure_key(tmp_path / "audit")
