"""Settings that cannot be used: each is named in one line, and nothing of yours is repeated."""

from pathlib import Path

import pytest

from tests.support.values.settings_given import Write, nobody_at_home, refusal, toml, vault
from tools.base.errors import InputError
from tools.settings.loading import load_model_settings, load_settings

__all__ = ["nobody_at_home", "vault"]


def test_no_vault_says_the_three_ways_to_give_one() -> None:
    message = refusal()
    assert all(way in message for way in ("--vault", "BRAIN_VAULT", "brain.toml"))


@pytest.mark.parametrize("place", ["", "data", ".brain/data", "x/.."])
def test_a_data_directory_in_the_vault_is_refused(vault: Path, place: str) -> None:
    message = refusal(vault=vault, data_dir=vault / place)
    assert "data directory" in message
    assert str(vault) not in message


def test_a_data_directory_that_a_link_leads_into_the_vault_is_refused(
    vault: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(vault)
    assert "data directory" in refusal(vault=vault, data_dir=tmp_path / "link" / "data")


def test_a_vault_within_the_data_directorys_parent_is_fine(vault: Path) -> None:
    beside = vault.parent / "vault-data"
    assert load_settings(vault=vault, data_dir=beside).data_dir == beside.resolve()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("mode", "psychic"), ("model_timeout", 0), ("model_timeout", 601)),
        *(("source_timeout", "soon"), ("idle_minutes", -1), ("max_note_bytes", 0)),
    ],
)
def test_a_bad_value_is_named(vault: Path, name: str, value: object) -> None:
    assert name in refusal(vault=vault, **{name: value})


def test_a_misspelt_setting_is_named(vault: Path) -> None:
    toml('mdoe = "local"\n')
    assert "mdoe" in refusal(vault=vault)


@pytest.mark.parametrize("text", ['mode = "local', "= 1", "mode = local", "[[["])
def test_a_broken_file_is_named(vault: Path, text: str) -> None:
    toml(text)
    assert "brain.toml" in refusal(vault=vault)


def test_a_file_that_is_no_text_is_named(vault: Path) -> None:
    Path("brain.toml").write_bytes(b"\xff\xfe mode")
    assert "brain.toml" in refusal(vault=vault)


def test_a_vault_that_is_not_there_is_shown_by_its_name_only(tmp_path: Path) -> None:
    message = refusal(vault=tmp_path / "nowhere")
    assert "'nowhere'" in message
    assert str(tmp_path) not in message


def test_a_file_is_no_vault(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("One.", "utf-8")
    assert "'note.md'" in refusal(vault=tmp_path / "note.md")


@pytest.mark.parametrize("place", [None, ".trash/old.md", "photo.png"])
def test_a_folder_without_notes_is_no_vault(tmp_path: Path, place: str | None) -> None:
    root = tmp_path / "folder"
    root.mkdir()
    if place:
        (root / place).parent.mkdir(exist_ok=True)
        (root / place).write_bytes(b"x")
    assert "'folder'" in refusal(vault=root)


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    without = refusal()
    monkeypatch.setenv("BRAIN_VAULT", "")
    assert refusal() == without


@pytest.mark.parametrize("value", ["~nosuchuser/vault", 5, "a\0b"])
def test_what_is_no_path_is_refused(value: object) -> None:
    assert "vault" in refusal(vault=value)


def test_the_path_that_cannot_be_used_is_named() -> None:
    assert "path of vault" in refusal(vault="~nosuchuser/vault")


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "localhost:11434",
        "file:///etc/passwd",
        "http://",
        "http://host:port",
        "http://host:99999",
        "http://[::1",
        "http://my host",
    ],
)
def test_an_address_that_no_server_can_have_is_refused(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_OLLAMA_URL", url)
    with pytest.raises(InputError, match=r"ollama_url.*http://127") as caught:
        load_model_settings()
    assert "\n" not in str(caught.value)
    assert url not in str(caught.value).removesuffix("http://127.0.0.1:11434.")


@pytest.mark.parametrize(
    "url", ["https://models.example", "http://me:secret@host:1/ollama/", "http://[::1]:11434"]
)
def test_addresses_of_servers_are_taken_as_they_are(url: str) -> None:
    assert load_model_settings(ollama_url=url).ollama_url == url


def test_one_note_far_down_makes_a_vault(write_vault: Write) -> None:
    root = write_vault({"a/b/c/Note.MD": "One."})
    assert load_settings(vault=root).vault == root.resolve()


@pytest.mark.parametrize(
    "folder", ["", ".", "/", "/etc", "..", "../x", "a/../b", ".obsidian", "a//b", "a\nb"]
)
def test_a_folder_for_new_notes_that_is_none_of_the_vault_is_refused(
    vault: Path, folder: str
) -> None:
    assert "new_notes_folder" in refusal(vault=vault, new_notes_folder=folder)


def test_new_notes_go_where_notes_are_indexed(vault: Path) -> None:
    chosen = {"vault": vault, "new_notes_folder": "work/inbox/"}
    assert "new_notes_folder" in refusal(**chosen, folders=("private", "workbench"))
    for folders in ((), ("work",), ("work/inbox",)):
        assert load_settings(**chosen, folders=folders).new_notes_folder == "work/inbox"


def test_the_folder_for_new_notes_is_the_same_in_each_unicode_form(vault: Path) -> None:
    chosen = {"vault": vault, "new_notes_folder": "Cafe\u0301"}
    for folders in ((), ("Cafe\u0301",), ("Caf\u00e9",)):
        assert load_settings(**chosen, folders=folders).new_notes_folder == "Caf\u00e9"
