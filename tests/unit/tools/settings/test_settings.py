"""Where a setting comes from, what holds without it, and where things are put."""

import os
import string
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.values.settings_given import nobody_at_home, toml, vault
from tools.base.errors import InputError
from tools.settings.loading import load_folders, load_model_settings, load_settings
from tools.settings.settings import Settings, default_data_dir

__all__ = ["nobody_at_home", "vault"]

SOCKET_BYTES = 103
"""What a Unix socket's path may hold on macOS; Linux allows four more."""


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


def test_a_model_is_named_by_whoever_says_which_or_where(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not load_settings(vault=vault, mode="auto").model_named
    assert load_settings(vault=vault, ollama_url="http://127.0.0.1:1").model_named
    monkeypatch.setenv("BRAIN_CHAT_MODEL", "llama3.2")
    assert load_settings(vault=vault).model_named


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


def test_the_folders_are_known_where_they_are_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert load_folders() == ()
    toml(f'vault = "{tmp_path}/there"')
    there = tmp_path.resolve() / "there"
    assert load_folders() == (there, default_data_dir(there))
    monkeypatch.setenv("BRAIN_DATA_DIR", str(tmp_path / "data"))
    assert load_folders() == (there, tmp_path.resolve() / "data")


def test_each_vault_has_a_mark_of_its_own(vault: Path, tmp_path: Path) -> None:
    one = load_settings(vault=vault)
    assert one.vault_mark.startswith(f"{vault.name}-")
    assert load_settings(vault=vault, data_dir=tmp_path / "data").vault_mark == one.vault_mark
    other = Settings(vault=tmp_path / "other" / vault.name, data_dir=tmp_path / "data")
    assert other.vault_mark != one.vault_mark


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
    with tempfile.TemporaryDirectory(dir="/tmp") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
        assert long.run_dir.parent == Path(runtime)
    assert socket_bytes(long) <= SOCKET_BYTES


@pytest.mark.parametrize("runtime", ["here", "/nowhere/user/7", "/dev/null"])
def test_a_runtime_directory_that_is_not_the_users_own_folder_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
    long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
    assert long.run_dir.parent == Path(f"/tmp/brain-{os.getuid()}")


def test_a_runtime_directory_of_another_user_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    other = os.getuid() + 1
    with tempfile.TemporaryDirectory(dir="/tmp") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        monkeypatch.setattr(os, "getuid", lambda: other)
        long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
        assert long.run_dir.parent == Path(f"/tmp/brain-{other}")


def test_a_long_runtime_directory_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        runtime = Path(folder, "u" * 90)
        runtime.mkdir()
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
        assert socket_bytes(long) <= SOCKET_BYTES


def test_without_a_runtime_directory_sockets_lie_in_a_folder_of_the_users_own() -> None:
    long = Settings(vault=Path("/v"), data_dir=Path("/", "d" * 120))
    assert str(os.getuid()) in long.run_dir.parts[2]
    assert len(long.run_dir.parts) == 4
