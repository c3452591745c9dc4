"""What a run in the background is told, and what is said while one is under way."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from graphs.cli.commands.extract import extract_command
from graphs.jobs.extraction import extraction_service, only_extraction
from tools.settings.loading import load_settings
from tools.settings.settings import Settings

PASSWORDS = st.text(st.characters(exclude_categories=["C"]), min_size=8)


def settings_of(folder: Path, **given: object) -> Settings:
    vault = folder / "vault"
    vault.mkdir(exist_ok=True)
    (vault / "a.md").write_text("Words.", "utf-8")
    return load_settings(vault=vault, data_dir=folder / "data", **given)


@settings(max_examples=25, deadline=None)
@given(PASSWORDS)
def test_the_background_run_loads_the_very_same_settings(password: str) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        here = settings_of(
            Path(folder),
            chat_model="llama3.2:1b",
            model_timeout=7.5,
            folders=("work", "home"),
            graph_uri="neo4j://127.0.0.1:7687",
            graph_user="ada",
            graph_password=SecretStr(password),
        )
        for name, value in extraction_service(here, ["work"]).environment:
            patch.setenv(name, value)
        assert load_settings() == here


def test_a_secret_is_in_the_environment_alone(tmp_path: Path) -> None:
    service = extraction_service(settings_of(tmp_path, graph_password=SecretStr("open sesame")))
    assert ("BRAIN_GRAPH_PASSWORD", "open sesame") in service.environment
    assert not any("sesame" in argument for argument in service.arguments)
    assert "sesame" not in repr(service)


@pytest.mark.parametrize("as_json", [True, False])
async def test_a_run_that_has_just_begun_is_told_in_the_form_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    here = settings_of(tmp_path)
    here.data_dir.mkdir()
    with only_extraction(here):
        assert await extract_command(here, ["."], yes=True, wait=False, as_json=as_json) == 0
    shown = capsys.readouterr().out
    if as_json:
        assert json.loads(shown) == {"state": "running"}
    else:
        assert (shown[0] != "{", shown.count("\n")) == (True, 1)
