"""Which roles a model may take by itself: those it was measured to be better at."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import prompts
from agents.llm.admission import ROLES, ModelCheck, ModelChecks, Role, RoleCheck


def figures(*, only_model: int, only_local: int, both: int = 30) -> RoleCheck:
    return RoleCheck(
        cases=both + only_model + only_local,
        model_right=both + only_model,
        local_right=both + only_local,
        only_model=only_model,
        only_local=only_local,
        seconds=1.0,
    )


def check(version: str, *, model: str = "m") -> ModelCheck:
    roles: dict[Role, RoleCheck] = {
        "judge": figures(only_model=9, only_local=0),
        "answerer": figures(only_model=3, only_local=1),
    }
    return ModelCheck(
        model=model, version=version, checked_at=datetime(2026, 1, 1, tzinfo=UTC), roles=roles
    )


@pytest.mark.parametrize(
    ("only_model", "only_local", "admitted"),
    [(0, 0, False), (4, 0, False), (5, 0, True), (9, 3, False), (10, 2, True), (0, 9, False)],
)
def test_a_model_is_admitted_where_chance_does_not_explain_that_it_is_ahead(
    only_model: int, only_local: int, *, admitted: bool
) -> None:
    assert figures(only_model=only_model, only_local=only_local).admitted is admitted


@given(st.integers(0, 80), st.integers(0, 80))
def test_whoever_is_behind_is_never_admitted(only_model: int, only_local: int) -> None:
    if figures(only_model=only_model, only_local=only_local).admitted:
        assert only_model > only_local


def test_the_last_check_of_each_model_is_kept_and_says_which_roles_it_may_take(
    tmp_path: Path,
) -> None:
    checks = ModelChecks(tmp_path / "brain" / "models.json")
    checks.keep(check("older"))
    checks.keep(check(prompts.version()))
    checks.keep(check("older", model="n"))
    assert [role for role in ROLES if checks.admits("m", role)] == ["judge"]
    assert not any(checks.admits(name, role) for name in ("n", "unknown") for role in ROLES)


@pytest.mark.parametrize(
    ("model", "role", "said"),
    [
        ("unknown", "judge", "never checked: `brain model check unknown`"),
        ("n", "judge", "other prompts: `brain model check n`"),
        (
            "m",
            "answerer",
            r"more than chance when it was checked \(33 of 34 right, the program 31\)",
        ),
        ("m", "interpreter", "never checked"),
    ],
)
def test_a_refusal_says_why_and_what_to_do(
    tmp_path: Path, model: str, role: str, said: str
) -> None:
    checks = ModelChecks(tmp_path / "models.json")
    checks.keep(check(prompts.version()))
    checks.keep(check("older", model="n"))
    refusal = checks.refusal(model, role)  # type: ignore[arg-type]
    assert refusal is not None
    assert said.replace("\\", "") in refusal
    assert checks.refusal("m", "judge") is None


@pytest.mark.parametrize("content", [b"", b"{", b'{"m": {"model": 1}}', b"[]", b"\xff"])
def test_a_file_that_cannot_be_read_admits_nothing_and_is_written_anew(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "models.json"
    file.write_bytes(content)
    checks = ModelChecks(file)
    assert checks.of("m") is None
    checks.keep(check(prompts.version()))
    assert checks.admits("m", "judge")
    assert file.stat().st_mode & 0o077 == 0
