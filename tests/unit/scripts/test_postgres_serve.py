"""What the script that starts a Postgres server says where there can be none."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SERVE = Path(__file__).parents[3] / "scripts" / "postgres" / "serve.py"


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, on a machine without Postgres and without apt-get."""
    spec = importlib.util.spec_from_file_location("serve_postgres", SERVE)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "_BINARIES", ())
    monkeypatch.setenv("PATH", "")
    return script


@pytest.mark.parametrize("more", [(), ("--install",)])
def test_without_postgres_there_is_no_server(
    more: tuple[str, ...],
    serve: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home = tmp_path / "home"
    monkeypatch.setattr("sys.argv", ["serve.py", "start", "--home", str(home), *more])
    assert serve.main() == 69
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "Postgres" in said.err
    assert not home.exists()


def test_what_does_not_run_can_be_stopped(
    serve: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pid").write_text("1", "ascii")  # by now another's number
    monkeypatch.setattr("sys.argv", ["serve.py", "stop", "--home", str(tmp_path)])
    assert serve.main() == 0
    assert not (tmp_path / "pid").exists()
