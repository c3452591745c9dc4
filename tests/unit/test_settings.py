"""Where a setting comes from, what is refused, and where things are put."""

import os
import string
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import InputError
from tools.settings import (
    Settings,
    default_data_dir,
    load_folders,
    load_model_settings,
    load_settings,
)

SOCKET_BYTES = 103
"""What a Unix socket's path may hold on macOS; Linux allows four more."""

Write = Callable[[dict[str, str]], Path]


@pytest.fixture(autouse=True)
def _nobody_at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give the platform's folders a fresh home and clear the environment of our settings."""
    for name in [name for name in os.environ if name.startswith(("BRAIN_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def vault(write_vault: Write) -> Path:
    return write_vault({"a.md": "One."})


def toml(text: str) -> None:
    Path("brain.toml").write_text(text, "utf-8")


def refusal(**overrides: object) -> str:
    """The one line that says why the settings cannot be used."""
    with pytest.raises(InputError) as caught:
        load_settings(**overrides)
    message = str(caught.value)
    assert "\n" not in message
    return message


# --- order ---------------------------------------------------------------------------------


def test_arguments_go_before_the_environment_and_that_before_the_file(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml('mode = "llm"\nchat_model = "from-file"\nollama_url = "http://file:1"\n')
    monkeypatch.setenv("BRAIN_MODE", "auto")
    monkeypatch.setenv("BRAIN_CHAT_MODEL", "from-environment")
    loaded = load_settings(vault=vault, mode="local")
    assert loaded.mode == "local"
    assert loaded.chat_model == "from-environment"
    assert loaded.ollama_url == "http://file:1"


def test_a_none_is_not_an_argument(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_MODE", "local")
    assert load_settings(vault=vault, mode=None, data_dir=None).mode == "local"


def test_what_a_model_needs_is_known_without_a_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    toml('vault = "nowhere"\nmode = "llm"\nmodel_timeout = 3\n')
    monkeypatch.setenv("BRAIN_CHAT_MODEL", "from-environment")
    loaded = load_model_settings(mode="local", chat_model=None)
    assert (loaded.mode, loaded.chat_model) == ("local", "from-environment")
    assert loaded.model_timeout == 3
    with pytest.raises(InputError, match="model_timeout"):
        load_model_settings(model_timeout=0)


def test_the_vault_may_come_from_the_environment_or_the_file(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml(f'vault = "{vault}"\n')
    assert load_settings().vault == vault.resolve()
    monkeypatch.setenv("BRAIN_VAULT", str(vault / ".." / "vault"))
    assert load_settings().vault == vault.resolve()


def test_a_file_in_the_working_directory_goes_before_the_users_own(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def own_folder(_: str) -> str:
        return str(tmp_path / "own")

    monkeypatch.setattr("platformdirs.user_config_dir", own_folder)
    own = tmp_path / "own" / "brain.toml"
    own.parent.mkdir()
    own.write_text('mode = "llm"\nchat_model = "own"\n', "utf-8")
    toml('mode = "local"\n')
    loaded = load_settings(vault=vault)
    assert (loaded.mode, loaded.chat_model) == ("local", "own")


def test_a_dotenv_file_is_not_read(vault: Path) -> None:
    Path(".env").write_text("BRAIN_MODE=llm\n", "utf-8")
    assert load_settings(vault=vault).mode == "auto"


# --- defaults ------------------------------------------------------------------------------


def test_a_vault_is_all_that_must_be_given(vault: Path) -> None:
    loaded = load_settings(vault=vault)
    assert loaded.mode == "auto"
    assert loaded.ollama_url == "http://127.0.0.1:11434"
    assert loaded.source_timeout == 1.0
    assert loaded.folders == ()
    assert loaded.data_dir == default_data_dir(vault.resolve())


def test_each_vault_has_its_own_data_directory_outside_of_it(tmp_path: Path) -> None:
    one, other = default_data_dir(tmp_path / "a" / "vault"), default_data_dir(tmp_path / "vault")
    assert one != other
    assert one.name.startswith("vault-")
    assert not one.is_relative_to(tmp_path / "a" / "vault")
    assert default_data_dir(tmp_path / "vault") == other


def test_paths_are_made_absolute_and_a_tilde_is_the_home(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    loaded = load_settings(vault="vault", data_dir="~/store")
    assert loaded.vault == vault.resolve()
    assert loaded.data_dir == (tmp_path / "home" / "store").resolve()


@pytest.mark.parametrize(
    ("written", "folders"),
    [("notes, daily ,", ("notes", "daily")), ("", ()), (["a", "b"], ("a", "b"))],
)
def test_folders_are_a_list_with_commas_or_a_real_one(
    vault: Path, written: object, folders: tuple[str, ...]
) -> None:
    assert load_settings(vault=vault, folders=written).folders == folders


def test_everything_in_the_data_directory_has_its_place_there(vault: Path, tmp_path: Path) -> None:
    data = (tmp_path / "data").resolve()
    loaded = load_settings(vault=vault, data_dir=data)
    places = {
        loaded.index_path, loaded.chroma_dir, loaded.graph_dir, loaded.checkpoint_path,
    }  # fmt: skip
    assert len(places) == 4
    assert {place.parent for place in places} == {data}


def test_settings_do_not_change(vault: Path) -> None:
    loaded = load_settings(vault=vault)
    with pytest.raises(ValueError, match="frozen"):
        loaded.mode = "llm"


# --- sockets -------------------------------------------------------------------------------


def socket_bytes(loaded: Settings) -> int:
    return len(os.fsencode(loaded.run_dir / "semantic.sock"))


def test_a_short_data_directory_holds_its_sockets() -> None:
    loaded = Settings(vault=Path("/v"), data_dir=Path("/d"))
    assert loaded.run_dir.parent == loaded.data_dir


@given(
    st.lists(
        st.text(alphabet=string.ascii_letters + "ğ日", min_size=1, max_size=60),
        min_size=1,
        max_size=5,
    )
)
def test_a_data_directory_of_any_length_gives_short_socket_paths(parts: list[str]) -> None:
    data = Path("/data", *parts)
    loaded = Settings(vault=Path("/somewhere/else"), data_dir=data)
    assert socket_bytes(loaded) <= SOCKET_BYTES
    assert loaded.run_dir == Settings(vault=Path("/other"), data_dir=data).run_dir
    other = Settings(vault=Path("/somewhere/else"), data_dir=data / "x")
    assert other.run_dir != loaded.run_dir


def test_the_private_place_is_the_sessions_runtime_directory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
    assert long.run_dir.parent == Path("/run/user/7")
    assert socket_bytes(long) <= SOCKET_BYTES


def test_a_long_runtime_directory_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", f"/run/{'u' * 90}")
    long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
    assert socket_bytes(long) <= SOCKET_BYTES


# --- refusals ------------------------------------------------------------------------------


def test_no_vault_says_the_three_ways_to_give_one() -> None:
    message = refusal()
    assert all(way in message for way in ("--vault", "BRAIN_VAULT", "brain.toml"))


@pytest.mark.parametrize("place", ["", "data", ".brain/data", "x/.."])
def test_a_data_directory_in_the_vault_is_refused(vault: Path, place: str) -> None:
    message = refusal(vault=vault, data_dir=vault / place)
    assert "outside the vault" in message
    assert str(vault) not in message


def test_a_data_directory_that_a_link_leads_into_the_vault_is_refused(
    vault: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(vault)
    assert "outside the vault" in refusal(vault=vault, data_dir=tmp_path / "link" / "data")


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
    assert refusal(vault=vault, **{name: value}).startswith(f"Setting {name} is not usable")


def test_a_misspelt_setting_is_named(vault: Path) -> None:
    toml('mdoe = "local"\n')
    assert "mdoe" in refusal(vault=vault)


@pytest.mark.parametrize("text", ['mode = "local', "= 1", "mode = local", "[[["])
def test_a_broken_file_is_named(vault: Path, text: str) -> None:
    toml(text)
    assert refusal(vault=vault).startswith("brain.toml cannot be read")


def test_a_file_that_is_no_text_is_named(vault: Path) -> None:
    Path("brain.toml").write_bytes(b"\xff\xfe mode")
    assert refusal(vault=vault).startswith("brain.toml cannot be read")


def test_a_vault_that_is_not_there_is_shown_by_its_name_only(tmp_path: Path) -> None:
    message = refusal(vault=tmp_path / "nowhere")
    assert "'nowhere'" in message
    assert str(tmp_path) not in message


def test_a_file_is_no_vault(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("One.", "utf-8")
    assert "is a file" in refusal(vault=tmp_path / "note.md")


@pytest.mark.parametrize("place", [None, ".trash/old.md", "photo.png"])
def test_a_folder_without_notes_is_no_vault(tmp_path: Path, place: str | None) -> None:
    root = tmp_path / "folder"
    root.mkdir()
    if place:
        (root / place).parent.mkdir(exist_ok=True)
        (root / place).write_bytes(b"x")
    assert "no notes" in refusal(vault=root)


def test_one_note_far_down_makes_a_vault(write_vault: Write) -> None:
    root = write_vault({"a/b/c/Note.MD": "One."})
    assert load_settings(vault=root).vault == root.resolve()


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_VAULT", "")
    assert refusal().startswith("No vault given")


@pytest.mark.parametrize("value", ["~nosuchuser/vault", 5, "a\0b"])
def test_what_is_no_path_is_refused(value: object) -> None:
    assert "vault" in refusal(vault=value)


def test_the_path_that_cannot_be_used_is_named() -> None:
    assert "path of vault" in refusal(vault="~nosuchuser/vault")


def test_without_a_runtime_directory_sockets_lie_in_a_folder_of_the_users_own() -> None:
    long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
    assert str(os.getuid()) in long.run_dir.parts[2]
    assert len(long.run_dir.parts) == 4


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
    with pytest.raises(InputError, match=r"ollama_url is not usable: .* http://127") as caught:
        load_model_settings()
    assert "\n" not in str(caught.value)
    assert url not in str(caught.value).removesuffix("http://127.0.0.1:11434.")


@pytest.mark.parametrize(
    "url", ["https://models.example", "http://me:secret@host:1/ollama/", "http://[::1]:11434"]
)
def test_addresses_of_servers_are_taken_as_they_are(url: str) -> None:
    assert load_model_settings(ollama_url=url).ollama_url == url


def test_the_folders_are_known_where_they_are_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert load_folders() == ()
    toml(f'vault = "{tmp_path}/there"')
    there = tmp_path.resolve() / "there"
    assert load_folders() == (there, default_data_dir(there))
    monkeypatch.setenv("BRAIN_DATA_DIR", str(tmp_path / "data"))
    assert load_folders() == (there, tmp_path.resolve() / "data")


# --- the graph's database ------------------------------------------------------------------


def test_the_graph_is_embedded_unless_an_address_is_given(vault: Path) -> None:
    loaded = load_settings(vault=vault)
    assert (loaded.graph_uri, loaded.graph_engine) == (None, "embedded")
    assert (loaded.graph_user, loaded.graph_password, loaded.graph_database) == (None, None, None)


@pytest.mark.parametrize(
    ("uri", "engine"),
    [
        *((f"{scheme}://127.0.0.1:7687", "neo4j") for scheme in ("neo4j", "bolt", "bolt+s")),
        *((f"{scheme}://graph.example/", "neo4j") for scheme in ("neo4j+s", "neo4j+ssc")),
        *((f"{scheme}://[::1]:6379", "falkordb") for scheme in ("falkor", "falkors", "redis")),
        *(("rediss://h", "falkordb"), ("NEO4J://h", "neo4j")),
    ],
)
def test_the_address_says_which_database_holds_the_graph(
    uri: str, engine: str, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_GRAPH_URI", uri)
    loaded = load_settings(vault=vault, graph_database="my-vault.2")
    assert (loaded.graph_uri, loaded.graph_engine) == (uri, engine)
    assert loaded.graph_database == "my-vault.2"


@pytest.mark.parametrize(
    ("uri", "why"),
    [
        *((bad, "no address") for bad in ("secret", "http://secret", "neo4j:secret", "bolt://")),
        *((f"bolt://secret:{port}", "no address") for port in ("port", "0", "99999", "-1")),
        *((f"bolt://se{sign}cret", "no address") for sign in (" ", "\n", "\x1b", "\u2028")),
        ("bolt://[secret", "no address"),
        *((f"{s}://me:secret@h:1", "BRAIN_GRAPH_PASSWORD") for s in ("neo4j", "bolt+s", "redis")),
        ("falkor://:secret@h", "BRAIN_GRAPH_PASSWORD"),
        ("rediss://h:1/secret", "BRAIN_GRAPH_DATABASE"),
        *((f"neo4j://h/{more}secret", "BRAIN_GRAPH_DATABASE") for more in ("?a=", "#", "")),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_and_not_repeated(
    uri: str, why: str, vault: Path
) -> None:
    message = refusal(vault=vault, graph_uri=uri)
    assert message.startswith("Setting graph_uri is not usable: ")
    assert why in message
    assert "secret" not in message


@pytest.mark.parametrize("name", ["", "-a", "a b", "a`b", "a" * 64, "ünal", "a\n"])
def test_a_name_that_no_database_has_is_refused(name: str, vault: Path) -> None:
    message = refusal(vault=vault, graph_database=name)
    assert message.startswith("Setting graph_database is not usable: a name has letters")


def test_the_graphs_password_is_never_shown(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_GRAPH_PASSWORD", "hush-hush")
    loaded = load_settings(vault=vault, graph_uri="neo4j://h", graph_user="me")
    assert loaded.graph_password is not None
    assert loaded.graph_password.get_secret_value() == "hush-hush"
    assert "hush" not in f"{loaded} {loaded!r} {loaded.model_dump()} {loaded.model_dump_json()}"


def test_each_vault_has_a_mark_of_its_own(vault: Path, tmp_path: Path) -> None:
    one = load_settings(vault=vault)
    assert one.vault_mark.startswith(f"{vault.name}-")
    assert load_settings(vault=vault, data_dir=tmp_path / "data").vault_mark == one.vault_mark
    other = Settings(vault=tmp_path / "other" / vault.name, data_dir=tmp_path / "data")
    assert other.vault_mark != one.vault_mark
