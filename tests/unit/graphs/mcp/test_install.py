"""Our entry in a client's file: whatever else is in it stays, and taking it out undoes it."""

import json
from collections.abc import Iterator, Mapping
from itertools import cycle
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.mcp import json_text
from graphs.mcp.install import (
    Change,
    NotRewritableError,
    Server,
    installed,
    uninstalled,
    vault_of,
)

KEY = "mcpServers"
SERVER = Server(program="/opt/brain/bin/brain", vault="/home/ann/notes")
OTHER = Server(program="/opt/brain/bin/brain", vault="/home/ann/work", data_dir="/data/work")

names = st.text(max_size=8)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
blanks = st.lists(st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", "\n\n    "]), min_size=1)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A client's file: with servers or without, laid out somehow."""
    members = draw(st.dictionaries(names.filter(lambda name: name != KEY), values, max_size=3))
    found = list(members.items())
    servers = draw(st.none() | st.dictionaries(names | st.just("notes"), values, max_size=3))
    if servers is not None:
        found.insert(draw(st.integers(0, len(found))), (KEY, servers))
    whole = dict(found)
    layout = draw(st.sampled_from(["any", "one line", 2, 4, "\t"]))
    if layout == "any":
        text = laid_out(whole, cycle(draw(blanks)), ascii_only=draw(st.booleans()))
    else:
        indent = None if layout == "one line" else layout
        text = json.dumps(whole, indent=indent, ensure_ascii=False)
    return draw(st.sampled_from(["", json_text.BOM])) + text + draw(st.sampled_from(["", "\n"]))


def laid_out(value: object, blank: Iterator[str], *, ascii_only: bool) -> str:
    """JSON with these blanks between its parts, in turn."""

    def inner(value: object) -> str:
        return laid_out(value, blank, ascii_only=ascii_only)

    if isinstance(value, dict):
        brackets, found = "{}", cast("dict[str, object]", value).items()
        parts = [f"{inner(key)}{next(blank)}:{next(blank)}{inner(one)}" for key, one in found]
    elif isinstance(value, list):
        brackets, parts = "[]", [inner(one) for one in cast("list[object]", value)]
    else:
        return json.dumps(value, ensure_ascii=ascii_only)
    joined = f"{next(blank)},{next(blank)}".join(parts)
    return f"{brackets[0]}{next(blank)}{joined}{next(blank)}{brackets[1]}"


def install(text: str | None, server: Server = SERVER, *, vault_name: str = "Notes") -> Change:
    return installed(text, server, key=KEY, typed=False, vault_name=vault_name)


def uninstall(text: str, server: Server = SERVER, *, before: str | None) -> Change | None:
    return uninstalled(text, key=KEY, vault=server.vault, before=before)


def text_of(change: Change | None) -> str:
    assert change is not None
    assert change.text is not None
    return change.text


def servers_of(text: str) -> Mapping[str, Any]:
    return json_text.parse(text)[KEY]


@given(documents())
def test_whatever_else_is_in_the_file_stays(text: str) -> None:
    change = install(text)
    after = json_text.parse(text_of(change))
    assert after[KEY].pop(change.name) == SERVER.entry(typed=False)
    before = json_text.parse(text)
    before.setdefault(KEY, {})
    assert list(after.items()) == list(before.items())
    assert list(after[KEY].items()) == list(before[KEY].items())


@given(documents())
def test_what_was_written_stays_as_it_was_written(text: str) -> None:
    after = text_of(install(text))
    kept = 0
    while kept < len(text) and text[kept] == after[kept]:
        kept += 1
    rest = text[kept:].lstrip(" \t\r\n")  # an object that was empty is laid out anew
    assert after.endswith(rest)


@given(documents())
def test_installed_and_uninstalled_is_byte_for_byte_as_before(text: str) -> None:
    assert text_of(uninstall(text_of(install(text)), before=text)) == text


@given(documents())
def test_without_a_copy_of_before_all_servers_of_others_stay_as_written(text: str) -> None:
    left = uninstall(text_of(install(text)), before=None)
    assert left is not None
    if json_text.parse(text).get(KEY):
        assert left.text == text
    else:
        others = {name: one for name, one in json_text.parse(text).items() if name != KEY}
        assert left.text is None or json_text.parse(left.text) == {**others, KEY: {}}
        assert (left.text is None) == (not others)


@given(documents(), st.permutations([SERVER, OTHER]), st.permutations([SERVER, OTHER]))
def test_several_vaults_come_and_go_in_any_order(
    text: str, coming: list[Server], going: list[Server]
) -> None:
    after = text
    for server in coming:
        after = text_of(install(after, server, vault_name=server.vault))
    assert len({vault_of(one) for one in servers_of(after).values()} - {None}) == 2
    for server in going:
        after = text_of(uninstall(after, server, before=text))
    assert after == text


@given(documents())
def test_installing_twice_changes_nothing_more(text: str) -> None:
    once = text_of(install(text))
    assert text_of(install(once)) == once


@pytest.mark.parametrize("text", [None, "", " \n", json_text.BOM])
def test_without_a_file_there_is_a_new_one(text: str | None) -> None:
    change = install(text)
    assert servers_of(text_of(change)) == {"notes": SERVER.entry(typed=False)}
    assert change.first


def test_a_file_that_only_we_had_a_use_for_goes() -> None:
    gone = uninstall(text_of(install(None)), before=None)
    assert gone is not None
    assert gone.text is None


def test_an_empty_file_is_empty_again() -> None:
    assert text_of(uninstall(text_of(install("")), before="")) == ""


def test_what_somebody_changed_meanwhile_stays() -> None:
    before = '{\n    "theme": "dark"\n}\n'
    after = text_of(install(before)).replace("dark", "light")
    assert text_of(uninstall(after, before=before)) == (
        '{\n    "theme": "light",\n    "mcpServers": {}\n}\n'
    )


def test_one_becomes_true_is_a_change_of_somebody() -> None:
    after = text_of(install('{"theme": 1}')).replace("1", "true", 1)
    assert "true" in text_of(uninstall(after, before='{"theme": 1}'))


def test_indentation_and_line_ends_are_those_of_the_file() -> None:
    text = '{\r\n\t"mcpServers": {\r\n\t\t"x": {"command": "y"}\r\n\t}\r\n}\r\n'
    assert text_of(install(text)) == (
        '{\r\n\t"mcpServers": {\r\n\t\t"x": {"command": "y"},\r\n'
        '\t\t"notes": {\r\n\t\t\t"command": "/opt/brain/bin/brain",\r\n\t\t\t"args": [\r\n'
        '\t\t\t\t"mcp",\r\n\t\t\t\t"--vault",\r\n\t\t\t\t"/home/ann/notes"\r\n\t\t\t]\r\n\t\t}'
        "\r\n\t}\r\n}\r\n"
    )


def test_what_stands_on_one_line_stays_on_one_line() -> None:
    assert text_of(install('{"theme": "dark"}')).count("\n") == 0


def test_an_entry_of_ours_is_brought_up_to_date_and_keeps_what_was_added_to_it() -> None:
    before = text_of(install(None)).replace('"command"', '"env": {"BRAIN_MODE": "local"},"command"')
    moved = Server(program="/usr/bin/brain", vault=SERVER.vault, data_dir="/data")
    change = install(before, moved)
    assert not change.first
    assert servers_of(text_of(change)) == {
        "notes": {"env": {"BRAIN_MODE": "local"}, **moved.entry(typed=False)}
    }


def test_an_entry_that_its_user_renamed_is_still_ours() -> None:
    before = text_of(install(None)).replace('"notes"', '"mine"')
    change = install(before, Server(program="/usr/bin/brain", vault=SERVER.vault))
    assert list(servers_of(text_of(change))) == ["mine"]


def test_an_entry_of_somebody_else_is_never_overwritten() -> None:
    theirs = {"type": "http", "url": "http://127.0.0.1:8765/mcp"}
    text = json.dumps({KEY: {"notes": theirs, "notes-gunluk-notlar": {"command": "x"}}})
    change = install(text, vault_name="Günlük Notlar")
    assert change.name == "notes-gunluk-notlar-2"
    assert servers_of(text_of(change))["notes"] == theirs
    assert uninstall(text, before=None) is None


def test_several_vaults_have_several_names() -> None:
    text = text_of(install(None))
    for number, expected in enumerate(["notes-is", "notes-is-2", "notes-is-3"]):
        change = install(text, Server(program="brain", vault=f"/{number}"), vault_name="İş")
        assert change.name == expected
        text = text_of(change)


def test_a_vault_without_a_letter_in_its_name_has_a_name() -> None:
    taken = text_of(install(None))
    assert install(taken, OTHER, vault_name="笔记").name == "notes-vault"


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "/opt/brain/bin/brain"},
        {"command": "/opt/brainstorm", "args": ["mcp", "--vault", "/v"]},
        {"command": "brain", "args": ["serve", "--vault", "/v"]},
        {"command": "brain", "args": ["mcp", "--vault", 3]},
        {"command": ["brain"], "args": ["mcp", "--vault", "/v"]},
        {"command": "brain", "args": "mcp --vault /v"},
        ["brain"],
        None,
    ],
)
def test_what_is_no_entry_of_ours(entry: object) -> None:
    assert vault_of(entry) is None


@pytest.mark.parametrize("command", ["brain", "/usr/bin/brain", r"C:\brain\Scripts\brain.exe"])
def test_what_is_an_entry_of_ours(command: str) -> None:
    assert vault_of({"command": command, "args": ["mcp", "--data-dir", "/d", "--vault", "/v"]})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('// mine\n{"a": 1}', "comments"),
        ('{"a": 1, /* b */ "c": "http://x"}', "comments"),
        ('{"a": [1, 2,],}', "comments or spare commas"),
        ('{"a": 1', "damaged"),
        ('{"a": NaN}', "damaged"),
        ("[" * 100_000, "damaged"),
        ("[]", "no JSON object"),
        ('{"mcpServers": []}', "no JSON object"),
        ('{"mcpServers": null}', "no JSON object"),
        ('{"mcpServers": {}, "mcpServers": {}}', "twice"),
        ('{"mcpServers": {"a": {}, "a": {}}}', "twice"),
    ],
)
def test_what_cannot_be_rewritten_without_harm_is_left_alone(text: str, reason: str) -> None:
    with pytest.raises(NotRewritableError, match=reason):
        install(text)


def test_an_entry_among_comments_is_found_and_left() -> None:
    text = f"// mine\n{text_of(install(None))}"
    assert text_of(install(text)) == text
    with pytest.raises(NotRewritableError, match="take 'notes' out by hand"):
        uninstall(text, before=None)


def test_an_address_in_a_text_is_no_comment() -> None:
    assert json_text.parse_with_comments('{"a": "http://x/*y*/, ]"} // z') == {
        "a": "http://x/*y*/, ]"
    }
