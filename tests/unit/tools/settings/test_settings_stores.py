"""Where vectors and open questions are kept, and that no secret among it is ever shown."""

from pathlib import Path

import pytest

from tests.support.values.settings_given import nobody_at_home, refusal, vault
from tools.runtime.services import local_services, semantic_service
from tools.settings.loading import load_settings

__all__ = ["nobody_at_home", "vault"]


def test_vectors_and_questions_are_in_the_data_directory_by_default(vault: Path) -> None:
    loaded = load_settings(vault=vault)
    assert (loaded.chroma_url, loaded.chroma_token, loaded.checkpoint_uri) == (None, None, None)


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1:8000", "https://vectors.example", "http://[::1]:8000"),
        *("https://proxy.example:8443/chroma", "HTTP://h"),
    ],
)
def test_a_web_address_names_a_chroma_server(
    url: str, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_CHROMA_URL", f"{url}/")
    loaded = load_settings(vault=vault, chroma_database="my-notes", chroma_tenant="home")
    assert loaded.chroma_url == url
    told = dict(semantic_service(loaded).environment)
    assert (told["BRAIN_CHROMA_TENANT"], told["BRAIN_CHROMA_DATABASE"]) == ("home", "my-notes")
    assert len(local_services(loaded)) == 2  # the encoder is still here


@pytest.mark.parametrize(
    "url",
    [
        *("secret", "ftp://secret", "http:secret", "http://", "http://:8000", "http://[secret"),
        *(f"http://secret:{port}" for port in ("port", "0", "99999", "-1")),
        *(f"http://se{sign}cret" for sign in (" ", "\n", "\x1b", "\u2028")),
        *(f"http://h/{more}secret" for more in ("?a=", "#")),
        *("http://me:secret@h:1", "https://secret@h"),
    ],
)
def test_an_address_of_no_chroma_server_is_refused_and_not_repeated(url: str, vault: Path) -> None:
    message = refusal(vault=vault, chroma_url=url)
    assert "chroma_url" in message
    assert "secret" not in message
    assert ("BRAIN_CHROMA_TOKEN" in message) == ("@" in url)


@pytest.mark.parametrize("token", ["se cret", "secret\n", "sécret", "\x1bsecret"])
def test_a_token_that_no_header_can_hold_is_refused_and_not_repeated(
    token: str, vault: Path
) -> None:
    message = refusal(vault=vault, chroma_token=token)
    assert "chroma_token" in message
    assert "cret" not in message


@pytest.mark.parametrize("name", ["", "-a", "a b", "a/b", "a" * 64, "ünal", "a\n"])
def test_a_name_that_no_database_has_is_refused(name: str, vault: Path) -> None:
    for setting in ("chroma_tenant", "chroma_database"):
        assert setting in refusal(vault=vault, **{setting: name})


@pytest.mark.parametrize(
    "uri",
    [
        *("postgresql://127.0.0.1/brain", "postgres://me:hush@h:5433/brain?sslmode=require"),
        *("postgresql:///brain?host=/run/postgresql", "postgresql://"),
    ],
)
def test_an_address_of_postgres_is_taken_and_never_shown(
    uri: str, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_CHECKPOINT_URI", uri)
    monkeypatch.setenv("BRAIN_CHROMA_TOKEN", "hush-hush")
    loaded = load_settings(vault=vault, chroma_url="http://h")
    assert loaded.checkpoint_uri is not None
    assert loaded.checkpoint_uri.get_secret_value() == uri
    shown = f"{loaded} {loaded!r} {loaded.model_dump()} {loaded.model_dump_json()}"
    assert "hush" not in f"{shown} {semantic_service(loaded)}"
    assert uri not in shown


@pytest.mark.parametrize(
    "uri",
    [
        *("secret", "mysql://secret", "postgresql:secret", "host=h password=secret"),
        *(f"postgresql://me:secret@h:{port}/d" for port in ("port", "0", "99999")),
        *("postgresql://me:secret @h", "postgresql://me:secret\n@h", "postgresql://[secret"),
    ],
)
def test_an_address_of_no_postgres_is_refused_and_not_repeated(uri: str, vault: Path) -> None:
    message = refusal(vault=vault, checkpoint_uri=uri)
    assert "checkpoint_uri" in message
    assert "secret" not in message


@pytest.mark.parametrize("name", ["notes", "Nötes 🌱", "a" * 200, "…", "--", "my_vault.v2"])
def test_each_vault_has_a_collection_of_its_own_with_a_name_that_chroma_takes(
    name: str, tmp_path: Path
) -> None:
    named: list[str] = []
    for parent in ("one", "two"):
        folder = tmp_path / parent / name
        folder.mkdir(parents=True)
        (folder / "a.md").write_text("A note.", "utf-8")
        named.append(load_settings(vault=folder, data_dir=tmp_path / "d").chroma_collection)
    assert named[0] != named[1]
    for collection in named:
        assert collection.isascii()
        assert 3 <= len(collection) <= 120
        assert collection[0].isalnum()
        assert collection[-1].isalnum()
        assert " " not in collection
